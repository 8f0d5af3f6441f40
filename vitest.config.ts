import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './scripts/closing-line-reporter.ts';
import { LongestFirst } from './scripts/longest-first.ts';
import { rulesDigest } from './cli/bin/rules-digest.js';

const everywhere = [
  'packages',
  'apps',
  'cli',
  'local',
  'contracts',
  'conformance',
  'bench',
  'examples',
  'deploy',
  'simulation',
  'scripts',
  'site',
];
const named = (suffix: string) => [`*.${suffix}`, ...everywhere.map((folder) => `${folder}/**/*.${suffix}`)];

// These bound a machine, never the product: a slow one under load is right too. What the product promises in seconds
// is an assertion of its test. In milliseconds, and a wait is the shorter, so that it can tell what it waited for.
const hangs = 300_000;
const neverComes = 120_000;

// As the build puts it in. To each project its own: vitest empties the object that it reads.
const define = async () => ({ COUNTERSIGN_RULES_DIGEST: JSON.stringify(await rulesDigest()) });

// The suffix tells the cost: `.test` is memory only, and `npm run check` runs it; `.property.test` tries many random inputs;
// `.e2e.test` starts real parts (database, chain, processes).
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLineReporter()],
    sequence: { sequencer: LongestFirst },
    // Most of a short file's time went into loading the same modules again.
    isolate: false,
    // At the end the files of hundreds of databases are removed, and vitest hears of nothing meanwhile: after ten seconds of that
    // it said of the last worker, which had ended long ago, that it did not end.
    teardownTimeout: hangs,
    projects: [
      {
        define: await define(),
        test: {
          name: 'unit',
          isolate: false,
          include: named('test.ts'),
          exclude: [...named('property.test.ts'), ...named('e2e.test.ts'), '**/node_modules/**'],
          testTimeout: hangs,
          expect: { poll: { timeout: neverComes } },
        },
      },
      {
        define: await define(),
        test: {
          name: 'property',
          isolate: false,
          include: named('property.test.ts'),
          exclude: ['**/node_modules/**'],
          testTimeout: hangs,
          expect: { poll: { timeout: neverComes } },
        },
      },
      {
        define: await define(),
        test: {
          name: 'system',
          isolate: false,
          include: named('e2e.test.ts'),
          exclude: ['**/node_modules/**'],
          testTimeout: hangs,
          hookTimeout: hangs,
          expect: { poll: { timeout: neverComes } },
          globalSetup: './scripts/system-setup.ts',
        },
      },
    ],
    maxWorkers: 3,
  },
});
