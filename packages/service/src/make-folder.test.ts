import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'folder-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a folder below one that takes none is an error, and not tried for ever [gateway.config.state-folder]', () => {
  expect(() => makeFolder('/proc/countersign/state')).toThrow(/^[A-Z]+: .*mkdir/);
});

test('folders are made for their owner, and what exists stays as it is [gateway.config.state-folder]', () => {
  const dir = emptyFolder();
  makeFolder(join(dir, 'a/b/c'), 0o700);
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(dir, path)).mode & 0o777).toBe(0o700);
  mkdirSync(join(dir, 'open'), { mode: 0o755 });
  symlinkSync(join(dir, 'open'), join(dir, 'link'));
  for (const path of ['open', 'link']) makeFolder(join(dir, path), 0o700);
  expect(statSync(join(dir, 'open')).mode & 0o777).toBe(0o755);
  makeFolder('/');
  writeFileSync(join(dir, 'file'), '');
  expect(() => makeFolder(join(dir, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(dir, 'file/below'))).toThrow('ENOTDIR');
});
