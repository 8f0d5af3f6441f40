// Libraries as compiled ESM with types and source maps. What a library needs of our packages that are not published lies in its
// `dist/internal`; the others it names as dependencies.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { finishStage, newStage, root, versionsOf } from './stage.js';

const published = ['protocol'];
const descriptions = {
  protocol: 'What crosses Countersign’s process boundaries: schemas, codes, typed data, route tables',
  sdk: 'Client for Countersign: pay for tools, use credentials, ask for governed actions',
};

/** Lays out packages/NAME for each of the names; gives the folders. */
export async function stageLibraries(stages, names) {
  const emitted = await emit(
    stages,
    names.flatMap((name) =>
      entriesOf(name).map((entry) => join(root, 'packages', name, 'src', `${entry}.ts`)),
    ),
  );
  return names.map((name) => stageLibrary(stages, emitted, name));
}

/** The modules that may be imported, without suffix. */
const entriesOf = (name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|d)\.ts$/.test(path))
    .map((path) => path.slice(0, -'.ts'.length))
    .sort();

const ours = [
  ...['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  ),
  'verify',
];

/** Compiles the files and what they import of ours; gives the folder, which is laid out like the repository. */
export async function emit(stages, files) {
  const outDir = mkdtempSync(join(stages, 'emitted-'));
  const config = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    outDir,
    rootDir: root,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    rewriteRelativeImportExtensions: true,
    typeRoots: [join(root, 'node_modules/@types')],
    // Found in node_modules, our packages would count as somebody else's and not be compiled.
    paths: Object.fromEntries(
      ours.map((path) => [`@countersign/${basename(path)}/*`, [join(root, path, 'src/*.ts')]]),
    ),
  };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', config]).catch((error) => {
    throw new Error(`the libraries do not compile:\n${error.stdout}`);
  });
  return outDir;
}

function stageLibrary(stages, emitted, name) {
  const folder = newStage(stages, `@countersign/${name}`);
  const libraries = new Set();
  // What only types need comes without code.
  for (const suffix of ['.js', '.d.ts']) {
    const reached = new Set(entriesOf(name).map((entry) => `${name}/${entry}`));
    for (const module of reached) copyModule({ folder, emitted, name, module, suffix, libraries, reached });
  }
  const entries = entriesOf(name).map((entry) => [
    `./${entry}`,
    { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
  ]);
  return finishStage(folder, `packages/${name}/README.md`, {
    name: `@countersign/${name}`,
    description: descriptions[name],
    sideEffects: false,
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    files: ['dist'],
    dependencies: versionsOf([...libraries]),
  });
}

/** Copies the code or the types of a module, and tells what it needs: modules of ours into `reached`, and libraries. */
function copyModule({ folder, emitted, name, module, suffix, libraries, reached }) {
  const from = join(emitted, 'packages', module.replace('/', '/src/'));
  const to = placeOf(name, module);
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  const text = readFileSync(`${from}${suffix}`, 'utf8').replace(specifiers, (_, before, specifier, after) => {
    const found = ownModule(module, specifier);
    if (found === null || isApart(name, found)) {
      if (!specifier.startsWith('node:')) libraries.add(packageOf(specifier));
      return `${before}${specifier}${after}`;
    }
    reached.add(found);
    const path = relative(dirname(to), `${placeOf(name, found)}.js`);
    return `${before}${path.startsWith('.') ? path : `./${path}`}${after}`;
  });
  writeFileSync(join(folder, `${to}${suffix}`), text);
  if (suffix === '.js') writeFileSync(join(folder, `${to}.js.map`), mapOf(`${from}.js.map`, module));
}

/** Published as a package of its own. */
const isApart = (name, module) => published.some((other) => other !== name && module.startsWith(`${other}/`));

/** As they stand in what the compiler writes, in code and in types. */
const specifiers = /((?<![.\w])(?:from\s+|import\s+|import\(\s*)['"])([@\w./:-]+)(['"])/g;

/** Which module of ours a specifier names, as `area/path`; null for a library. */
function ownModule(module, specifier) {
  if (specifier.startsWith('.')) return join(dirname(module), specifier).replace(/\.[jt]s$/, '');
  return /^@countersign\/(.+)$/.exec(specifier)?.[1] ?? null;
}

const placeOf = (name, module) =>
  module.startsWith(`${name}/`) ? join('dist', module.slice(name.length + 1)) : join('dist/internal', module);

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** With the text of the source in it, and a name that says nothing of the machine that built it. */
function mapOf(file, module) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  return JSON.stringify({ ...map, sourceRoot: '', sources: [`countersign:///${module}.ts`] });
}
