// Where a release is built. What stands there and is no release's stays: it may be the only copy.
import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

const packed = /^countersign(-[a-z]+)?-\d+\.\d+\.\d+[\w.+-]*\.(tgz|mcpb|tar\.gz|cdx\.json|provenance\.json)$/;
const sums = 'SHA256SUMS';
/** A release's only beside checksums of one: others have files of these names. */
const besideSums = [sums, `${sums}.sig`, 'server.json'];

/** Why nothing may be built into a folder, in one sentence; null where it is missing, empty, or holds an earlier release alone. */
export function whyNotInto(into, keyFile) {
  if (keyFile !== null && `${real(keyFile)}`.startsWith(`${real(into)}${sep}`))
    return `--sign-key: ${keyFile} is in the folder that is published: keep the key elsewhere`;
  const found = entriesOf(into);
  if (found === null) return `${into} is no folder: name another one`;
  const other = found.find((name) => !isOfRelease(into, name));
  return other === undefined
    ? null
    : `${into} has ${other}, which no release wrote: name a new folder, or an empty one`;
}

/** Removes the earlier release from a folder that `whyNotInto` has nothing against. */
export function clear(into) {
  // The checksums last: without them the rest would not be known again.
  for (const name of entriesOf(into).toSorted((one, other) => Number(one === sums) - Number(other === sums)))
    rmSync(join(into, name));
}

/** Names; none where nothing is there, null where it is no folder. */
function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function isOfRelease(folder, name) {
  if (!lstatSync(join(folder, name)).isFile()) return false;
  return packed.test(name) || (besideSums.includes(name) && hasOurSums(folder));
}

function hasOurSums(folder) {
  try {
    const lines = readFileSync(join(folder, sums), 'utf8').trimEnd().split('\n');
    const names = lines.map((line) => /^[0-9a-f]{64} {2}(.+)$/.exec(line)?.[1] ?? '');
    return names.every((name) => packed.test(name) || name === 'server.json');
  } catch {
    return false;
  }
}

/** Where a path leads, through links; what does not exist yet, by its parent. */
function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
  }
}
