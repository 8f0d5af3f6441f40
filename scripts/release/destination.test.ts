import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clear, whyNotInto } from './destination.js';

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
  SHA256SUMS: `${'ab'.repeat(32)}  countersign-0.1.0.tgz\n${'cd'.repeat(32)}  server.json\n`,
  'SHA256SUMS.sig': '',
  'countersign-0.1.0.tgz': '',
  'countersign-gateway-0.1.0.mcpb': '',
  'server.json': '{}',
};

test('an earlier release makes room for the next one, also one that was interrupted [system.release.folder]', () => {
  for (const into of [
    folderOf('whole', release),
    folderOf('interrupted', { 'countersign-sdk-0.1.0.tgz': '' }),
    folderOf('empty', {}),
  ]) {
    expect(whyNotInto(into, null)).toBeNull();
    clear(into);
    expect(readdirSync(into)).toEqual([]);
  }
  expect(whyNotInto(join(dir, 'new'), null)).toBeNull();
  clear(join(dir, 'new'));
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
