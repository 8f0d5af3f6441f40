import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whyNotWritten } from './why-not-written.ts';

let home: string;
let dir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'why-not-written-'));
  dir = join(home, 'data');
  mkdirSync(dir);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What the system says to it. */
function refused(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('the system did it');
}

test('what the system refuses to write into the data directory, or above to make it, is said of it [system.start.folder]', () => {
  const file = join(dir, 'a-file');
  writeFileSync(file, '');
  const said = (code: string, folder: string) =>
    `nothing can be written to ${folder} (${code}): name another data directory with --data DIR`;
  expect(
    whyNotWritten(
      dir,
      refused(() => mkdirSync(file)),
    ),
  ).toBe(said('EEXIST', dir));
  expect(
    whyNotWritten(
      dir,
      refused(() => writeFileSync(join(file, 'below'), '')),
    ),
  ).toBe(said('ENOTDIR', dir));
  const nowhere = '/proc/countersign/state';
  expect(
    whyNotWritten(
      nowhere,
      refused(() => mkdirSync('/proc/countersign')),
    ),
  ).toBe(said('ENOENT', nowhere));
});

test('other errors are not blamed on the data directory: of files elsewhere, missing ones, programs that do not run [system.start.folder]', () => {
  const program = join(dir, 'program');
  writeFileSync(program, '');
  chmodSync(program, 0o644);
  const beside = join(home, 'other');
  writeFileSync(beside, '');
  for (const error of [
    refused(() => readFileSync(join(dir, 'missing'))),
    refused(() => writeFileSync(join(beside, 'below'), '')),
    refused(() => mkdirSync(beside)),
    // The name of the folder is the beginning of this one's.
    refused(() => mkdirSync(join(`${dir}-other`, 'below'))),
    refused(() => readFileSync(join(home, 'missing'))),
    // Above it, and yet nothing that it needs.
    Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open', path: home }),
    spawnSync(program).error,
    Object.assign(new Error('in use'), { code: 'EADDRINUSE', syscall: 'listen' }),
    new Error('no error of the system'),
    'text',
  ])
    expect([error, whyNotWritten(dir, error)]).toEqual([error, null]);
});
