import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureHeavyParts, missingParts } from './heavy-parts.ts';

const parts = {
  versions: { chain: '1.0.0', database: '2.0.0' },
  find: () => {
    throw new Error('not there');
  },
  machine: 'linux-x64',
};

/** An npm in front of the real one, which does what `script` says with the folder of its `--prefix`, `$3`. */
function npmThat(script: string): { dir: string; fetchAll: () => Promise<void> } {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-parts-'));
  const before = process.env['PATH'] ?? '';
  mkdirSync(join(dir, 'bin'));
  writeFileSync(join(dir, 'bin/npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['PATH'] = [join(dir, 'bin'), before].join(delimiter);
  onTestFinished(() => {
    process.env['PATH'] = before;
    rmSync(dir, { recursive: true, force: true });
  });
  return { dir, fetchAll: () => ensureHeavyParts({ dir, env: {}, mayFetch: true, print: () => {}, parts }) };
}

const all = ['chain@1.0.0', 'database@2.0.0'];
const wholeNpm = `mkdir -p "$3/node_modules/chain" "$3/node_modules/database"
echo '{"dependencies":{"chain":"1.0.0","database":"2.0.0"}}' > "$3/package.json"`;

test('a download that ended half-way is no download: its packages stay missing and are fetched anew [system.packages.parts]', async () => {
  const killed = npmThat(
    'mkdir -p "$3/node_modules/chain"; echo half > "$3/node_modules/chain/index.js"; kill -9 $$',
  );
  await expect(killed.fetchAll()).rejects.toThrow(
    /^npm could not fetch them: "npm install --prefix .* tells why$/,
  );
  expect(missingParts(killed.dir, {}, parts)).toEqual(all);
  const { dir } = killed;
  writeFileSync(join(dir, 'bin/npm'), `#!/bin/sh\n${wholeNpm}\n`, { mode: 0o755 });
  await killed.fetchAll();
  expect(missingParts(dir, {}, parts)).toEqual([]);
  expect(existsSync(join(dir, 'parts/node_modules/chain/index.js'))).toBe(false);
  expect(existsSync(join(dir, 'parts.unfinished'))).toBe(false);
});

test('what was fetched for another version of the command is fetched again, and the rest is kept [system.packages.parts]', async () => {
  const { dir, fetchAll } = npmThat(`echo "$@" > "$(dirname "$0")/asked"\n${wholeNpm}`);
  await fetchAll();
  const newer = { ...parts, versions: { ...parts.versions, chain: '1.1.0' } };
  expect(missingParts(dir, {}, newer)).toEqual(['chain@1.1.0']);
  await ensureHeavyParts({ dir, env: {}, mayFetch: true, print: () => {}, parts: newer });
  const asked = execFileSync('cat', [join(dir, 'bin/asked')], { encoding: 'utf8' });
  expect(asked.trim().split(' ').slice(-2)).toEqual(['chain@1.1.0', 'database@2.0.0']);
});

test('an image, which has no parts and knows no versions of them, says so instead of calling them installed [system.packages.parts]', async () => {
  const image = { ...parts, versions: { chain: null, database: null } };
  expect(missingParts('/nowhere', {}, image)).toEqual(['chain', 'database']);
  expect(missingParts('/nowhere', {}, { ...image, find: (name) => name })).toEqual([]);
  const asked = { dir: '/nowhere', env: {}, mayFetch: true, print: () => {}, parts: image };
  await expect(ensureHeavyParts(asked)).rejects.toThrow(
    /^the demo needs chain, database, which are not in this installation: "npx countersign start --fetch" runs it elsewhere/,
  );
});
