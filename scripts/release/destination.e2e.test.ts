import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { abandon, asideOf, begin, finish, lock, lockOf, unlock, whyNotInto } from './destination.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'destination-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A folder with these files, empty but for the checksums that are given. */
function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(dir, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

const release = {
  SHA256SUMS: ['countersign-0.1.0.tgz', 'countersign-gateway-0.1.0.mcpb', 'server.json']
    .map((name) => `${'ab'.repeat(32)}  ${name}\n`)
    .join(''),
  'SHA256SUMS.sig': '',
  'countersign-0.1.0.tgz': '',
  'countersign-gateway-0.1.0.mcpb': '',
  'server.json': '{}',
};

test('an earlier release is replaced once the next one is whole, and by none that failed [system.release.folder]', () => {
  for (const into of [folderOf('whole', release), folderOf('empty', {}), join(dir, 'missing')]) {
    const before = existsSync(into) ? readdirSync(into) : null;
    expect(whyNotInto(into, null)).toBeNull();
    writeFileSync(join(begin(into), 'server.json'), '{}');
    expect(existsSync(into) ? readdirSync(into) : null).toEqual(before);
    abandon(into);
    expect(existsSync(into) ? readdirSync(into) : null).toEqual(before);
    writeFileSync(join(begin(into), 'SHA256SUMS'), '');
    finish(into);
    expect([readdirSync(into), existsSync(asideOf(into))]).toEqual([['SHA256SUMS'], false]);
  }
});

test('what a killed run left is replaced, and an earlier release that it had moved is put back [system.release.folder]', () => {
  const into = folderOf('out', release);
  writeFileSync(join(begin(into), 'countersign-0.1.0.tgz'), 'half');
  expect(whyNotInto(into, null)).toBeNull();
  expect(readdirSync(begin(into))).toEqual([]);
  renameSync(into, join(asideOf(into), 'old'));
  expect(whyNotInto(into, null)).toBeNull();
  begin(into);
  expect(readdirSync(into)).toEqual(Object.keys(release).toSorted());
});

test('somebody’s folder of the name to build in is refused, and what comes to the folder meanwhile stays [system.release.folder]', () => {
  const into = folderOf('out', release);
  folderOf('out.unfinished', { 'diary.txt': '' });
  expect(whyNotInto(into, null)).toContain('is needed to build in, and no release made it');
  rmSync(asideOf(into), { recursive: true });
  begin(into);
  writeFileSync(join(into, 'diary.txt'), '');
  expect(() => finish(into)).toThrow('has diary.txt now');
  abandon(into);
  expect(readdirSync(into)).toContain('diary.txt');
});

test('an archive that has a release’s name, but that its checksums do not list, is nobody’s to remove [system.release.folder]', () => {
  const other = 'countersign-backup-0.1.0.tar.gz';
  for (const [name, files] of [
    ['alone', { 'countersign-sdk-0.1.0.tgz': '' }],
    ['beside', { ...release, [other]: '' }],
    ['signature', { 'SHA256SUMS.sig': '' }],
    ['listed', { SHA256SUMS: `${'ab'.repeat(32)}  ${other}\n`, [other]: '' }],
  ] as const)
    expect(whyNotInto(folderOf(name, files), null)).toContain('which no release wrote');
});

test('an earlier release is put back where what was built cannot come into its place [system.release.folder]', () => {
  const into = folderOf('out', release);
  const earlier = readdirSync(into);
  rmSync(begin(into), { recursive: true });
  expect(() => finish(into)).toThrow('ENOENT');
  abandon(into);
  expect(readdirSync(into)).toEqual(earlier);
});

test('a folder with anything else is refused, the repository and what is above it too [system.release.folder]', () => {
  const root = join(import.meta.dirname, '../..');
  for (const folder of [root, dirname(root), '/', join(root, 'docs')])
    expect(whyNotInto(folder, null)).toMatch(/ has .+, which no release wrote: name a new folder/);
  const mixed = folderOf('mixed', { ...release, 'diary.txt': '' });
  expect(whyNotInto(mixed, null)).toBe(
    `${mixed} has diary.txt, which no release wrote: name a new folder, or an empty one`,
  );
  const theirs = { 'server.json': '{}', SHA256SUMS: `${'ab'.repeat(32)}  thesis.pdf\n` };
  expect(whyNotInto(folderOf('theirs', theirs), null)).toContain('which no release wrote');
  mkdirSync(join(folderOf('nested', {}), 'countersign-0.1.0.tgz'));
  expect(whyNotInto(join(dir, 'nested'), null)).toContain('which no release wrote');
  expect(whyNotInto(join(mixed, 'diary.txt'), null)).toContain('is no folder');
});

test('a key in the folder that is published signs nothing, by a link neither, and stays [system.release.folder]', () => {
  const into = folderOf('out', {});
  const key = join(into, 'release-key.pem');
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key]);
  chmodSync(key, 0o600);
  symlinkSync(into, join(dir, 'link'));
  for (const [folder, file] of [
    [into, key],
    [join(dir, 'link'), key],
    [into, join(dir, 'link/release-key.pem')],
  ] as const) {
    const { status, stderr } = spawnSync('node', ['scripts/release.js', folder, '--sign-key', file], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      `release: --sign-key: ${file} is in the folder that is published: keep the key elsewhere\n`,
    ]);
  }
  expect(readdirSync(into)).toEqual(['release-key.pem']);
});

test('of two runs into one folder the second is refused; what a killed one left is taken over [system.release.folder]', () => {
  const into = folderOf('out', release);
  expect(lock(into)).toBeNull();
  expect(lock(into)).toBe(`process ${process.pid} builds into ${into}: wait for it, or name another folder`);
  unlock(into);
  expect(lock(into)).toBeNull();
  const { pid } = spawnSync('true');
  writeFileSync(lockOf(into), `${pid}`);
  expect(lock(into)).toBeNull();
  expect(readdirSync(dir).toSorted()).toEqual(['out', 'out.lock']);
});
