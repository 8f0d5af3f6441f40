// What lies in an image, read from its files and not from what was meant to be there.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages of Debian that are installed, by dpkg's own record. */
export function debianIn(status) {
  return status
    .split('\n\n')
    .map((paragraph) => Object.fromEntries([...paragraph.matchAll(/^([A-Z][\w-]+): (.*)$/gm)].map(([, ...pair]) => pair)))
    .filter((about) => about.Status === 'install ok installed')
    .map((about) => ({ name: about.Package, version: about.Version, arch: about.Architecture, source: about.Source }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Packages of npm: in folders of their own, wherever those are, and in the build as packages.json has them. */
export function npmIn(root) {
  const folders = ['app', 'usr/local/lib', 'usr/lib'].map((path) => join(root, path));
  const installed = folders.flatMap((folder) => packagesBelow(join(folder, 'node_modules')));
  const bundled = JSON.parse(readFileSync(join(root, 'app/packages.json'), 'utf8'));
  const byId = new Map([...installed, ...bundled].map(({ name, version }) => [`${name}@${version}`, { name, version }]));
  return [...byId].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

function packagesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name.startsWith('@')) return readdirSync(path).flatMap((scoped) => packageAt(join(path, scoped)));
    return packageAt(path);
  });
}

function packageAt(path) {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return [];
  const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
  return [{ name, version }, ...packagesBelow(join(path, 'node_modules'))];
}

/** Digest that the lockfile has of each package, by `name@version`. */
export function integritiesOf(lockfile) {
  const entries = Object.entries(lockfile.packages).flatMap(([path, { name, version, integrity }]) => {
    const known = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return integrity === undefined ? [] : [[`${known}@${version}`, integrity]];
  });
  return new Map(entries);
}

/** The file of Node.js, which is neither's. */
export function nodeIn(root, version) {
  const bytes = readFileSync(join(root, 'usr/local/bin/node'));
  return { version, sha256: createHash('sha256').update(bytes).digest('hex') };
}
