import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const instead = join(root, 'bench/unguarded');

/** What gives the guarantees in each of our services, and what stands in its place in `bench/unguarded`. */
const replaced = {
  gateway: {
    'apps/gateway/src/state/lmdb.ts': 'state.ts',
    'apps/gateway/src/state/outbox.ts': 'outbox.ts',
    'apps/gateway/src/receipts/seal.ts': 'seal.ts',
    'apps/gateway/src/adapters/dashboard.ts': 'dashboard.ts',
  },
  dashboard: {
    'apps/dashboard/src/holds/store.ts': 'holds.ts',
    'apps/dashboard/src/payees/look-up.ts': 'look-up.ts',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type App = keyof typeof replaced;
export const apps = Object.keys(replaced) as readonly App[];

/**
 * Builds one of our services with files of `bench/unguarded` in the place of what gives its guarantees; gives the
 * program's path. It is there to be compared with; no user can have it.
 */
export async function buildWithout(app: App): Promise<string> {
  const options = optionsOf(app);
  await build(options);
  return options.outfile;
}

/** Fails where a file that is to be replaced is no part of the service any more: it would be measured against itself. */
export function optionsOf(app: App): BuildOptions & { readonly outfile: string } {
  const outfile = join(root, `bench/dist/unguarded-${app}.js`);
  const contents = `import { main } from './apps/${app}/src/main.ts';
    await main(process.argv.slice(2), process.env);`;
  return {
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [inPlaceOf(replaced[app]), ownPlaces(dirname(outfile))],
    logLevel: 'warning',
  };
}

/** Packages of others stay in node_modules. */
const inPlaceOf = (replaced: Readonly<Record<string, string>>): Plugin => ({
  name: 'in-place-of',
  setup(builder) {
    const missing = new Set(Object.keys(replaced));
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@countersign/') ? null : { path, external: true },
    );
    builder.onResolve({ filter: /^\./ }, ({ path, importer, resolveDir }) => {
      const wanted = relative(root, join(resolveDir, path));
      const file = replaced[wanted];
      if (file === undefined || importer.startsWith(instead)) return null;
      missing.delete(wanted);
      return { path: join(instead, file) };
    });
    builder.onEnd(() => ({
      errors: [...missing].map((file) => ({
        text: `${file} is imported nowhere, so nothing stands in its place`,
      })),
    }));
  },
});

/** Modules that look beside their source, as for migrations, find their place. */
const ownPlaces = (out: string): Plugin => ({
  name: 'own-places',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const place = `new URL(${JSON.stringify(relative(out, path))}, ${ownUrl}).href`;
      return { loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll(ownUrl, place) };
    });
  },
});

/** In two pieces, because this very module is built that way, too. */
const ownUrl = ['import.meta', 'url'].join('.');
