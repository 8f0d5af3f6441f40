// What every published package has: manifest, licence, a page. Versions of what it needs come from our workspaces.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licencesOf, namesOf } from './licences.js';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const whole = read('package.json');

/** An empty folder to lay a package out in. */
export function newStage(stages, name) {
  const folder = join(stages, name.replace('/', '+'));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Writes the manifest and, where code of `bundled` lies in the package, its licences; copies our licence and the page. Gives the
 * folder. The manifest names no address of ours: there is none yet.
 */
export function finishStage(folder, page, { name, description, bundled = [], files, ...rest }) {
  const { version, license, engines } = whole;
  const shown = bundled.length > 0 ? [...files, thirdParty] : files;
  const access = name.startsWith('@') ? { publishConfig: { access: 'public' } } : {};
  const known = { name, version, description, keywords, license, type: 'module', engines };
  const manifest = { ...known, ...access, files: shown, ...rest };
  if (bundled.length > 0) writeFileSync(join(folder, thirdParty), licencesOf(root, bundled));
  keepContents(folder, bundled);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(root, page), join(folder, 'README.md'));
  return folder;
}

/** For the bill of materials, beside the folder: packages whose code is in it. */
export const keepContents = (folder, bundled) =>
  writeFileSync(`${folder}.contents.json`, JSON.stringify(namesOf(root, bundled)));

export const contentsOf = (folder) => JSON.parse(readFileSync(`${folder}.contents.json`, 'utf8'));

const thirdParty = 'THIRD_PARTY_LICENSES';
const keywords = ['ai-agents', 'mcp', 'payments', 'x402', 'credentials'];

/** The exact version of a library, as one of our workspaces names it. Throws where none does. */
export function versionOf(library) {
  const version = library.startsWith('@countersign/') ? whole.version : versions().get(library);
  if (version === undefined) throw new Error(`${library} is needed by a package, and no workspace names it`);
  return version;
}

/** Those of several, as a manifest names them. */
export const versionsOf = (libraries) =>
  Object.fromEntries(
    libraries.toSorted((one, other) => (one < other ? -1 : 1)).map((name) => [name, versionOf(name)]),
  );

let known;
function versions() {
  known ??= new Map(
    workspaces().flatMap((path) => Object.entries(read(`${path}/package.json`).dependencies ?? {})),
  );
  return known;
}

const workspaces = () =>
  whole.workspaces.flatMap((path) =>
    path.endsWith('/*')
      ? readdirSync(join(root, path.slice(0, -2))).map((name) => path.replace('*', name))
      : [path],
  );
