import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const instead = join(root, 'bench/unguarded');

/**
 * Builds one of our services with the files that `replaced` names, by files of `bench/unguarded` in their place; gives the
 * program's path. It is there to be compared with; no user can have it.
 */
export async function buildWithout(
  replaced: Readonly<Record<string, string>>,
  app: 'gateway' | 'dashboard',
): Promise<string> {
  const outfile = join(root, `bench/dist/unguarded-${app}.js`);
  const contents = `import { main } from './apps/${app}/src/main.ts';
    await main(process.argv.slice(2), process.env);`;
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [inPlaceOf(replaced), ownPlaces(dirname(outfile))],
    logLevel: 'warning',
  });
  return outfile;
}

/** Packages of others stay in node_modules. */
const inPlaceOf = (replaced: Readonly<Record<string, string>>): Plugin => ({
  name: 'in-place-of',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@countersign/') ? null : { path, external: true },
    );
    builder.onResolve({ filter: /^\./ }, ({ path, importer, resolveDir }) => {
      const file = replaced[relative(root, join(resolveDir, path))];
      return file === undefined || importer.startsWith(instead) ? null : { path: join(instead, file) };
    });
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
