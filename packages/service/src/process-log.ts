import { fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** A file for what a process writes, empty and open: NAME.log in `dir`, or one without a name. */
export function openLog(name: string, dir: string | undefined): number {
  if (dir !== undefined) {
    makeFolder(dir);
    const file = join(dir, `${name}.log`);
    rmSync(file, { force: true });
    return openSync(file, 'a+', 0o600);
  }
  const file = join(tmpdir(), `${name}-${process.pid}-${Math.random().toString(36).slice(2)}.log`);
  const log = openSync(file, 'ax+', 0o600);
  rmSync(file); // The open file goes on without a name, and is gone with its last reader.
  return log;
}

const tailBytes = 4096;

/** The last lines of such a file, at most 20, blank ones left out. */
export function lastLinesOf(log: number): readonly string[] {
  const { size } = fstatSync(log);
  const from = Math.max(0, size - tailBytes);
  const bytes = Buffer.alloc(size - from);
  readSync(log, bytes, 0, bytes.length, from);
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '').slice(-20);
}
