import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './scripts/closing-line-reporter.ts';
import { LongestFirst } from './scripts/longest-first.ts';

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
];
const named = (suffix: string) => [`*.${suffix}`, ...everywhere.map((folder) => `${folder}/**/*.${suffix}`)];

// The suffix tells the cost: `.test` is memory only; `.e2e.test` starts real parts (database, chain, processes).
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLineReporter()],
    sequence: { sequencer: LongestFirst },
    // Most of a short file's time went into loading the same modules again.
    isolate: false,
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          include: named('test.ts'),
          exclude: [...named('e2e.test.ts'), '**/node_modules/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'system',
          isolate: false,
          include: named('e2e.test.ts'),
          exclude: ['**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: './scripts/system-setup.ts',
        },
      },
    ],
    maxWorkers: 3,
  },
});
