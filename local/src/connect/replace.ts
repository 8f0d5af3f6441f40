import {
  chmodSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { makeFolder } from '@countersign/service/make-folder';

/** Returns a file's exact text; null if there is no file. */
export function textOf(path: string): Result<string | null, string> {
  const bytes = tried(() =>
    statSync(path, { throwIfNoEntry: false }) === undefined ? null : readFileSync(path),
  );
  if (!bytes.ok) return bytes;
  if (bytes.value === null) return ok(null);
  const text = bytes.value.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes.value) ? ok(text) : fail('it is not UTF-8');
}

/** Returns a link's target, which need not exist yet, so that the link stays a link. */
export function target(file: string): Result<string, string> {
  let path = file;
  for (let links = 0; links < maxLinks; links += 1) {
    const led = tried(() => linkOf(path));
    if (!led.ok) return led;
    if (led.value === null) return ok(path);
    path = resolve(dirname(path), led.value);
  }
  return fail('its links lead in a circle');
}

const linkOf = (path: string): string | null =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null;

const maxLinks = 40;

/**
 * Writes the file whole (null takes it away), unless it holds something else than `before`. A client that reads meanwhile
 * sees the old file or the new one. A token is in it: a new file is its owner's alone; an old one keeps its mode.
 */
export function replace(path: string, before: string | null, text: string | null): Result<void, string> {
  const aside = `${path}.${process.pid}`;
  const done = tried(() => {
    if (text !== null) writeAside(path, aside, text);
    const now = textOf(path);
    if (!now.ok || now.value !== before) return false;
    if (text === null) rmSync(path);
    else renameSync(aside, path);
    return true;
  });
  if (done.ok && done.value) return ok(undefined);
  tried(() => rmSync(aside, { force: true }));
  return done.ok ? fail('it was changed meanwhile; try again') : done;
}

function writeAside(path: string, aside: string, text: string): void {
  makeFolder(dirname(path));
  rmSync(aside, { force: true });
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined) chmodSync(aside, stat.mode & 0o777);
}

/** The system's own word for why it refused (EACCES, ENOSPC, …). */
function tried<T>(act: () => T): Result<T, string> {
  try {
    return ok(act());
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
    return fail(`the system answered ${code}`);
  }
}
