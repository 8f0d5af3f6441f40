import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type GatewayCommand, ours } from './lab.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const instead = fileURLToPath(new URL('../unguarded', import.meta.url));
const outfile = fileURLToPath(new URL('../dist/unguarded-gateway.js', import.meta.url));

export const unguarded = `${ours}, guarantees off`;

/** What gives the guarantees, and what stands in its place. */
const replaced: Readonly<Record<string, string>> = {
  'apps/gateway/src/state/lmdb.ts': 'state.ts',
  'apps/gateway/src/state/outbox.ts': 'outbox.ts',
  'apps/gateway/src/receipts/seal.ts': 'seal.ts',
  'apps/gateway/src/adapters/dashboard.ts': 'dashboard.ts',
};

/**
 * Builds the gateway without holds, journal, receipts and outbox: the same checks and the same signature, but nothing
 * that outlives a crash or keeps two payments apart. It is there to be compared with; no user can have it.
 */
export async function buildUnguardedGateway(): Promise<GatewayCommand> {
  const contents = `import { main } from './apps/gateway/src/main.ts';
    await main(process.argv.slice(2), process.env);`;
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [withoutGuarantees],
    logLevel: 'warning',
  });
  return { name: unguarded, command: process.execPath, args: [outfile, '--http'] };
}

/** Packages of others stay in node_modules. */
const withoutGuarantees: Plugin = {
  name: 'without-guarantees',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@countersign/') ? null : { path, external: true },
    );
    builder.onResolve({ filter: /^\./ }, ({ path, importer, resolveDir }) => {
      const file = replaced[relative(root, join(resolveDir, path))];
      return file === undefined || importer.startsWith(instead) ? null : { path: join(instead, file) };
    });
  },
};
