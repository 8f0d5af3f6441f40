// Where a release is built. What stands there and is no release's stays: it may be the only copy.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

const sums = 'SHA256SUMS';
/** Beside what the checksums list. */
const unlisted = [sums, `${sums}.sig`];
/** What a release calls its files, whatever its version. */
const packed =
  /^(countersign(-sdk|-verify|-protocol)?-VERSION\.tgz|countersign-gateway-VERSION\.mcpb|countersign-docs-VERSION\.tar\.gz|countersign-VERSION\.(cdx|provenance)\.json|server\.json)$/;
const version = /-\d+\.\d+\.\d+(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?(?=\.)/;

/** Beside the folder, where a release is built before it takes the earlier one's place. */
export const asideOf = (into) => `${into}.unfinished`;
/** In a folder that `begin` made. */
const mark = '.countersign-release';

/** Why nothing may be built into a folder, in one sentence; null where it is missing, empty, or holds an earlier release alone. */
export function whyNotInto(into, keyFile) {
  const aside = asideOf(into);
  for (const folder of [into, aside])
    if (keyFile !== null && `${real(keyFile)}`.startsWith(`${real(folder)}${sep}`))
      return `--sign-key: ${keyFile} is in the folder that is published: keep the key elsewhere`;
  const [found, left] = [entriesOf(into), entriesOf(aside)];
  if (found === null) return `${into} is no folder: name another one`;
  if (left === null || (left.length > 0 && !left.includes(mark)))
    return `${aside} is needed to build in, and no release made it: name another folder, or move it`;
  const other = strangerIn(into, found);
  return other === undefined
    ? null
    : `${into} has ${other}, which no release wrote: name a new folder, or an empty one`;
}

/** Says who builds into a folder, beside it. */
export const lockOf = (into) => `${into}.lock`;

/**
 * Takes a folder for this process; otherwise one sentence with who has it. What a killed process left is taken over, by a rename that
 * one of several does.
 */
export function lock(into) {
  const file = lockOf(into);
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
    return null;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const owner = Number(textOf(file));
  if (isAlive(owner)) return `process ${owner} builds into ${into}: wait for it, or name another folder`;
  const gone = `${file}.${process.pid}`;
  try {
    renameSync(file, gone);
    // Another one took it over between the two, and is alive.
    if (Number(textOf(gone)) === owner) rmSync(gone);
    else renameSync(gone, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return lock(into);
}

/** Empty where there is none any more. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Lets go of what `lock` took. */
export const unlock = (into) => rmSync(lockOf(into), { force: true });

function isAlive(pid) {
  // A file that is just being written says nobody yet: its writer is alive.
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** An empty folder to build in, beside one that `whyNotInto` has nothing against; what a killed run left there is gone. */
export function begin(into) {
  const aside = asideOf(into);
  // Killed between its last two steps, a run had moved the earlier release here.
  if (!existsSync(into) && existsSync(join(aside, 'old'))) renameSync(join(aside, 'old'), into);
  // The mark last, so that what is left of it is known again.
  for (const name of ['new', 'old', mark]) rmSync(join(aside, name), { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, mark), '');
  mkdirSync(join(aside, 'new'));
  return join(aside, 'new');
}

/** Puts what was built in the earlier release's place. Throws, with that one as it was, where something else has come there. */
export function finish(into) {
  const aside = asideOf(into);
  const other = strangerIn(into, entriesOf(into) ?? []);
  if (other !== undefined) throw new Error(`${into} has ${other} now: what was built is not put there`);
  if (existsSync(into)) renameSync(into, join(aside, 'old'));
  renameSync(join(aside, 'new'), into);
  abandon(into);
}

/** Removes what `begin` made. */
export function abandon(into) {
  // An earlier release that was moved away, and whose place nothing took, is put back before anything is removed.
  const old = join(asideOf(into), 'old');
  if (!existsSync(into) && existsSync(old)) renameSync(old, into);
  rmSync(asideOf(into), { recursive: true, force: true });
}

function strangerIn(folder, names) {
  const listed = listedIn(folder);
  const known = listed.length > 0 ? [...unlisted, ...listed] : [];
  return names.find((name) => !known.includes(name) || !lstatSync(join(folder, name)).isFile());
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

/** What the checksums of a release list; nothing where there are none, or they are somebody else's. */
function listedIn(folder) {
  try {
    const lines = readFileSync(join(folder, sums), 'utf8').trimEnd().split('\n');
    const names = lines.map((line) => /^[0-9a-f]{64} {2}(.+)$/.exec(line)?.[1] ?? '');
    return names.every((name) => packed.test(name.replace(version, '-VERSION'))) ? names : [];
  } catch {
    return [];
  }
}

/** Where a path leads, through links; what does not exist yet, by its parent. */
export function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
  }
}
