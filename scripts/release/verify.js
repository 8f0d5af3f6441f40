// `@countersign/verify`: no dependency and nothing of Node in it, so it is the same file in a browser, in Node and elsewhere.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { oneLanguage } from '../../cli/bin/build.js';
import { emit } from './libraries.js';
import { packagesIn } from './licences.js';
import { finishStage, newStage, root } from './stage.js';

const entries = ['audit', 'receipts'];
const source = (name) => join(root, 'verify/src', `${name}.ts`);

/** What our checks take from elsewhere, and what stands in its place. */
const portable = {
  'node:crypto': 'node-crypto',
  './secp256k1.ts': 'secp256k1',
  './keccak.ts': 'keccak',
  '@countersign/service/ethereum/secp256k1': 'secp256k1',
  '@countersign/service/ethereum/keccak': 'keccak',
};

export async function stageVerify(stages) {
  const folder = newStage(stages, '@countersign/verify');
  const [emitted, { metafile }] = await Promise.all([
    emit(stages, entries.map(source)),
    bundle(join(folder, 'dist')),
  ]);
  for (const name of entries) copyTypes(join(emitted, 'verify/src'), join(folder, 'dist'), `${name}.d.ts`);
  const exported = entries.map((name) => [
    `./${name}`,
    { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  ]);
  return finishStage(folder, 'verify/README.md', {
    name: '@countersign/verify',
    description: 'Checks Countersign’s receipts and audit logs offline, in browsers too',
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    files: ['dist'],
    bundled: packagesIn(metafile),
  });
}

/** They need nobody else's; what is loaded for its effect alone is in the code. */
function copyTypes(from, to, file) {
  const text = readFileSync(join(from, file), 'utf8').replace(/^import '.+';\n/gm, '');
  if (/\bimport\b/.test(text))
    throw new Error(`${file} of @countersign/verify needs types of another package`);
  writeFileSync(join(to, file), text);
}

/** Names of chunks depend on their maps, and those on where it is written: always at one place of the clone, wherever that lies. */
async function bundle(to) {
  const outdir = join(root, 'dist/verify');
  const built = await build({
    write: false,
    metafile: true,
    entryPoints: Object.fromEntries(entries.map((name) => [name, source(name)])),
    outdir,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    sourcemap: 'linked',
    chunkNames: 'shared-[hash]',
    inject: [join(root, 'verify/src/portable/buffer.ts')],
    plugins: [withoutNode, oneLanguage],
    logLevel: 'warning',
  });
  mkdirSync(to, { recursive: true });
  for (const { path, text } of built.outputFiles)
    writeFileSync(join(to, basename(path)), path.endsWith('.map') ? withNamedSources(text, outdir) : text);
  return built;
}

/** By names that say nothing of the machine that built it. */
function withNamedSources(text, outdir) {
  const map = JSON.parse(text);
  const sources = map.sources.map((path) => `countersign:///${relative(root, resolve(outdir, path))}`);
  return JSON.stringify({ ...map, sources });
}

const withoutNode = {
  name: 'without-node',
  setup(builder) {
    builder.onResolve({ filter: /^node:crypto$|secp256k1|keccak/ }, ({ path, importer }) =>
      path in portable && !importer.includes('/verify/src/')
        ? { path: join(root, 'verify/src/portable', `${portable[path]}.ts`) }
        : null,
    );
  },
};
