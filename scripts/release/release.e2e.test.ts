import { execFileSync, spawnSync } from 'node:child_process';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Ajv } from 'ajv';
import { sectionOf, whyNoChangelog } from './changelog.js';
import { commitHere, isStill, whyNotSigned } from './commit.js';
import { licencesOf, packagesIn } from './licences.js';
import { limitsOf, measured } from './limits.js';
import { readOptions } from './options.js';
import { check, pack } from './pack.js';
import { serverJson } from './server-json.js';
import { attestationOf, fingerprintOf, readSigningKey, signatureOf, sumsOf } from './sign.js';
import { withOneTime } from './zip.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'release-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A folder with these files; gives its name, below `dir`. */
function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(dir, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return name;
}

const staged = (name: string, files: Readonly<Record<string, string>>): string =>
  join(
    dir,
    folderOf(name, {
      'package.json': JSON.stringify({ name: '@countersign/sdk', version: '0.1.0', files: ['dist'] }),
      ...files,
    }),
  );

test('a package with a file that is not expected is not packed, and the error names it [system.packages.release]', async () => {
  const folder = staged('bad', { 'dist/a.js': 'export {};', 'dist/key.pem': '' });
  await expect(pack(folder, dir)).rejects.toThrow('@countersign/sdk must not have dist/key.pem');
});

test('tests, and files that name the machine that built them, are not expected [system.packages.release]', () => {
  const root = join(import.meta.dirname, '../..');
  const folder = staged('worse', { 'dist/a.test.js': '', 'dist/b.js': `from ${root}`, 'dist/c.js': '' });
  const checked = (path: string) => () => check('@countersign/sdk', folder, path);
  expect(checked('dist/a.test.js')).toThrow('@countersign/sdk must not have dist/a.test.js');
  expect(checked('dist/b.js')).toThrow(`dist/b.js of @countersign/sdk names ${root}`);
  expect(checked('dist/c.js')).not.toThrow();
});

test('a package is the same to the byte whatever modes its files have, but for what is run [system.release.whole]', async () => {
  const files = { 'dist/a.js': 'export {};', 'dist/run.js': '#!/usr/bin/env node' };
  const packedOf = async (name: string, mode: number) => {
    const folder = staged(name, files);
    for (const file of ['package.json', ...Object.keys(files)]) chmodSync(join(folder, file), mode);
    return pack(folder, dir);
  };
  const open = await packedOf('open', 0o666);
  expect(await packedOf('shut', 0o600)).toEqual(open);
  const { stdout } = spawnSync('tar', ['-tvzf', join(dir, open.file)], { encoding: 'utf8' });
  expect(stdout).toMatch(/^-rw-r--r-- .* package\/dist\/a\.js$/m);
  expect(stdout).toMatch(/^-rwxr-xr-x .* package\/dist\/run\.js$/m);
});

test('a package over its limit, or that docs/packages.md does not name, is too large [system.packages.release]', async () => {
  const code = { 'dist/a.js': `'${randomBytes(30_000).toString('hex')}'` };
  const packed = await pack(staged('large', code), dir);
  expect(packed.file).toBe('countersign-sdk-0.1.0.tgz');
  const [size, row] = [Math.ceil(packed.bytes / 1000), '| `@countersign/sdk` | the client |'];
  for (const limit of [size, size - 1])
    expect(measured(packed, limitsOf(`${row} ${limit} kB |\n`))).toEqual({
      size,
      limit,
      isTooLarge: limit < size,
    });
  expect(measured(packed, limitsOf(''))).toEqual({ size, limit: 0, isTooLarge: true });
});

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', ...more });

test('the licence of each package in a bundle is in one text, sorted, each once [system.packages.licences]', () => {
  const folders = [
    folderOf('node_modules/zeta', {
      'package.json': manifest('zeta'),
      LICENSE: 'Zeta’s\r\nterms',
      'NOTICE.txt': 'Zeta’s notice',
    }),
    folderOf('node_modules/@a/alpha', {
      'package.json': manifest('@a/alpha'),
      'license.md': 'Alpha’s terms',
    }),
    folderOf('node_modules/@a/alpha/node_modules/zeta', {
      'package.json': manifest('zeta', { version: '2.0.0' }),
      COPYING: 'Terms of the other',
    }),
  ];
  const text = licencesOf(dir, [...folders, ...folders]);
  const order = ['@a/alpha 1.0.0', 'Alpha’s terms', 'zeta 1.0.0', 'Zeta’s\nterms', 'Zeta’s notice'];
  const places = [...order, 'zeta 2.0.0', 'Terms of the other'].map((part) => text.indexOf(`\n${part}\n`));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  expect(text.split('\nzeta 1.0.0\n')).toHaveLength(2);
  expect(licencesOf(dir, folders.toReversed())).toBe(text);
});

test('without a text the page’s or the name of the licence stands; without that, the error names it [system.packages.licences]', () => {
  const inPage = folderOf('node_modules/page', {
    'package.json': manifest('page', { license: 'MIT' }),
    'README.md': '# page\n\n## License\n\nCopyright (c) Page\n\nPermission is hereby granted, free of charge',
  });
  const named = folderOf('node_modules/named', {
    'package.json': manifest('named', { license: 'MIT', author: { name: 'Ada' } }),
    'README.md': '## License\n\nMIT',
  });
  const text = licencesOf(dir, [inPage, named]);
  expect(text).toContain('page 1.0.0\n\nCopyright (c) Page');
  expect(text).toContain(
    'named 1.0.0\n\nThis package has no text of its licence. Its package.json names MIT, and as author Ada.\n',
  );
  for (const license of [undefined, 'UNLICENSED', 'SEE LICENSE IN terms.txt']) {
    const bare = folderOf('node_modules/bare', { 'package.json': manifest('bare', { license }) });
    expect(() => licencesOf(dir, [bare])).toThrow('bare 1.0.0 is in a bundle, and has no licence');
  }
});

test('packages whose code was left out of a bundle are not in it [system.packages.licences]', () => {
  const inputs = {
    'packages/protocol/src/result.ts': { bytesInOutput: 9 },
    'node_modules/zod/v4/index.js': { bytesInOutput: 5 },
    'node_modules/@a/b/node_modules/@c/d/x.js': { bytesInOutput: 1 },
    'node_modules/unused/index.js': { bytesInOutput: 0 },
  };
  expect(packagesIn({ outputs: { 'a.js': { inputs } } })).toEqual([
    'node_modules/zod',
    'node_modules/@a/b/node_modules/@c/d',
  ]);
});

const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: dir, encoding: 'utf8' });

test('by the commands of docs/packages.md a signed release verifies, and no other does [system.release.signed]', () => {
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'release-key.pem');
  openssl('pkey', '-in', 'release-key.pem', '-pubout', '-out', 'countersign-release.pub');
  chmodSync(join(dir, 'release-key.pem'), 0o600);
  const key = readSigningKey(join(dir, 'release-key.pem'));
  const page = readFileSync('docs/packages.md', 'utf8');
  const run = (start: string) => {
    const command = page.split('\n').find((line) => line.startsWith(start)) ?? 'false';
    return spawnSync('sh', ['-c', command], { cwd: dir, encoding: 'utf8' });
  };
  folderOf('.', { 'countersign-0.1.0.tgz': 'the command', 'countersign-sdk-0.1.0.tgz': 'the client' });
  writeFileSync(join(dir, 'server.json'), '{}');
  const sums = sumsOf(dir, ['countersign-0.1.0.tgz', 'countersign-sdk-0.1.0.tgz', 'server.json']);
  const verified = (text: string) => {
    writeFileSync(join(dir, 'SHA256SUMS'), text);
    return run('openssl pkeyutl');
  };
  writeFileSync(join(dir, 'SHA256SUMS.sig'), signatureOf(sums, key));
  expect(verified(`${sums} `).stdout).not.toContain('Successfully');
  expect(verified(sums).stdout).toContain('Signature Verified Successfully');
  expect(run('openssl pkey ').stdout).toBe(`${fingerprintOf(key)}  -\n`);
  // Who downloads one file has no others.
  rmSync(join(dir, 'countersign-sdk-0.1.0.tgz'));
  expect(run('grep')).toMatchObject({ status: 0, stdout: 'countersign-0.1.0.tgz: OK\n' });
  writeFileSync(join(dir, 'countersign-0.1.0.tgz'), 'another');
  expect(run('grep')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('countersign-0.1.0.tgz: FAILED'),
  });
  // The signed list of another release, beside a tarball that is not in it.
  writeFileSync(join(dir, 'SHA256SUMS'), sumsOf(dir, ['server.json']));
  const ignoring = ['--check', '--ignore-missing', 'SHA256SUMS'];
  expect(spawnSync('sha256sum', ignoring, { cwd: dir }).status).toBe(0);
  expect(run('grep')).toMatchObject({ status: 1, stdout: '' });
});

test('what a signed statement says is printed by the command of docs/packages.md, of another’s nothing [system.release.attested]', () => {
  const folder = mkdtempSync(join(dir, 'attested-'));
  for (const name of ['one', 'other'])
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', `${name}.pem`], { cwd: folder });
  execFileSync('openssl', ['pkey', '-in', 'one.pem', '-pubout', '-out', 'countersign-release.pub'], {
    cwd: folder,
  });
  const keys = ['one', 'other'].map((name) => {
    chmodSync(join(folder, `${name}.pem`), 0o600);
    return readSigningKey(join(folder, `${name}.pem`));
  });
  const statement = { _type: 'https://in-toto.io/Statement/v1', subject: [{ name: 'é' }] };
  const page = readFileSync('docs/packages.md', 'utf8');
  const command = page.split('\n').find((line) => line.startsWith('node -e')) ?? 'false';
  const printed = (text: string) => {
    writeFileSync(join(folder, 'countersign-0.1.0.provenance.json'), text);
    return spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  };
  const good = printed(attestationOf(statement, keys[0]));
  expect([good.status, JSON.parse(good.stdout)]).toEqual([0, statement]);
  const envelope = JSON.parse(attestationOf(statement, keys[0])) as { payload: string };
  const changed = { ...envelope, payload: Buffer.from('{}').toString('base64') };
  for (const wrong of [attestationOf(statement, keys[1]), JSON.stringify(changed)]) {
    const { status, stdout } = printed(wrong);
    expect([status, stdout]).toEqual([1, '']);
  }
  // What the key signed as something else is no statement.
  const [type, body] = ['text/plain', Buffer.from('{}')];
  const sig = sign(null, Buffer.concat([Buffer.from(`DSSEv1 10 ${type} 2 `), body]), keys[0] as KeyObject);
  const other = {
    payloadType: type,
    payload: body.toString('base64'),
    signatures: [{ sig: sig.toString('base64') }],
  };
  const refused = printed(JSON.stringify(other));
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(JSON.parse(attestationOf(statement))).toEqual(statement);
});

/** An RSA key whose exponent is an Ed25519 key's 32 bytes, so that their encodings end alike. */
function keysThatEndAlike(): { honest: KeyObject; forged: KeyObject } {
  const honest = generateKeyPairSync('ed25519').privateKey;
  const {
    n = '',
    p = '',
    q = '',
  } = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    format: 'jwk',
  });
  const e = createPublicKey(honest).export({ format: 'jwk' }).x ?? '';
  const [one, other] = [numberOf(p) - 1n, numberOf(q) - 1n];
  const d = inverse(numberOf(e), one * other);
  // An even exponent, or one without an inverse, makes no key; one that begins with a zero is shorter.
  if (d === null || Buffer.from(e, 'base64url')[0] === 0) return keysThatEndAlike();
  const qi = inverse(numberOf(q), numberOf(p)) ?? 0n;
  const rest = { d: textOf(d), dp: textOf(d % one), dq: textOf(d % other), qi: textOf(qi) };
  const forged = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', n, e, p, q, ...rest } });
  return { honest, forged };
}

const numberOf = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
const textOf = (value: bigint) => {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
};

/** Null where there is none. */
function inverse(value: bigint, modulus: bigint): bigint | null {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a !== 0n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return b === 1n ? ((y % modulus) + modulus) % modulus : null;
}

test('a key of another kind that ends in the publisher’s 32 bytes has another fingerprint, and its statement is refused [system.release.signed]', () => {
  const { honest, forged } = keysThatEndAlike();
  const folder = mkdtempSync(join(dir, 'forged-'));
  const page = readFileSync('docs/packages.md', 'utf8').split('\n');
  const run = (start: string) => {
    const command = page.find((line) => line.startsWith(start)) ?? 'false';
    return spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  };
  const seen = [honest, forged].map((key) => {
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    writeFileSync(
      join(folder, 'countersign-release.pub'),
      createPublicKey(key).export({ format: 'pem', type: 'spki' }),
    );
    writeFileSync(join(folder, 'countersign-0.1.0.provenance.json'), attestationOf({}, key));
    return {
      end: spki.subarray(-32).toString('hex'),
      fingerprint: fingerprintOf(key),
      printed: run('openssl pkey '),
    };
  });
  // The attack: by their last 32 bytes they are one key, and the forged one signs.
  expect(seen[1]?.end).toBe(seen[0]?.end);
  const text = Buffer.from('text');
  expect(verify(null, text, createPublicKey(forged), signatureOf('text', forged))).toBe(true);
  expect(seen[1]?.fingerprint).not.toBe(seen[0]?.fingerprint);
  for (const { fingerprint, printed } of seen) expect(printed.stdout).toBe(`${fingerprint}  -\n`);
  expect(run('node -e')).toMatchObject({ status: 1, stdout: '' });
});

test('an envelope is what DSSE’s own example is, but for the key [system.release.attested]', () => {
  // secure-systems-lab/dsse, protocol.md, PAE: the length of the type, the type, the length of the body, the body.
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { payloadType, payload, signatures } = JSON.parse(attestationOf({}, privateKey)) as {
    payloadType: string;
    payload: string;
    signatures: { keyid: string; sig: string }[];
  };
  expect(payloadType).toBe('application/vnd.in-toto+json');
  const encoded = Buffer.from(`DSSEv1 28 ${payloadType} 2 {}`);
  expect(Buffer.from(payload, 'base64').toString()).toBe('{}');
  expect(signatures).toHaveLength(1);
  expect(signatures[0]?.keyid).toBe(fingerprintOf(privateKey));
  expect(verify(null, encoded, publicKey, Buffer.from(signatures[0]?.sig ?? '', 'base64'))).toBe(true);
});

test('a key that others can read, is of another kind, or is not there signs nothing [system.release.signed]', () => {
  const file = join(dir, 'other.pem');
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'other.pem');
  chmodSync(file, 0o644);
  expect(() => readSigningKey(file)).toThrow(/others on this machine can read .*: chmod 600/);
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'other.pem');
  chmodSync(file, 0o600);
  expect(() => readSigningKey(file)).toThrow('is no Ed25519 private key');
  writeFileSync(file, 'secret words');
  expect(() => readSigningKey(file)).toThrow(/^(?!.*secret).*is no Ed25519 private key/);
  expect(() => readSigningKey(join(dir, 'none.pem'))).toThrow('cannot be read (ENOENT)');
});

test('files that no commit has, or a version that the changelog does not know, are not signed [system.release.whole]', () => {
  const commit = { id: 'c0'.repeat(20), epoch: 1_790_000_000, isClean: true };
  const changelog = '## Unreleased\n\n## 0.1.0 (2026-11-27)\n\n- a\n';
  expect(whyNotSigned(commit, changelog, '0.1.0')).toBeNull();
  expect(whyNotSigned(commit, changelog, '0.2.0')).toContain('no section "## 0.2.0 (DATE)"');
  for (const other of [{ ...commit, isClean: false }, null])
    expect(whyNotSigned(other, changelog, '0.1.0')).toContain('commit them, or sign in a fresh clone');
  expect(whyNotSigned(commit, changelog.replace('\n\n', '\n\n- b\n\n'), '0.1.0')).toContain(
    'has lines under "## Unreleased": give the version that is released its section first',
  );
  expect(commitHere()?.id).toBe(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim());
});

test('a clone is of a commit at its top alone, and no setting hides a file that no commit has [system.release.whole]', () => {
  const clone = mkdtempSync(join(dir, 'clone-'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args]);
  folderOf(relative(dir, clone), { 'a.txt': 'a', 'below/b.txt': 'b' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const first = commitHere([], clone);
  expect(first?.isClean).toBe(true);
  expect(isStill(first, commitHere([], clone))).toBe(true);
  // A release that was unpacked into somebody's repository is not of its commit.
  expect(commitHere([], join(clone, 'below'))).toBeNull();
  git('config', 'status.showUntrackedFiles', 'no');
  writeFileSync(join(clone, 'below/c.txt'), 'c');
  expect(commitHere([], clone)?.isClean).toBe(false);
  expect(isStill(first, commitHere([], clone))).toBe(false);
  expect(commitHere([join(clone, 'below'), dir], clone)?.isClean).toBe(true);
  git('add', '.');
  git('commit', '--quiet', '-m', 'second');
  expect(isStill(first, commitHere([], clone))).toBe(false);
});

test('CHANGELOG.md has a section for each release, the newest first, and no other [system.release.changelog]', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  expect(whyNoChangelog(text)).toBeNull();
  const released =
    '# Changelog\n\n## Unreleased\n\n- d\n\n## 0.2.0 (2026-12-01)\n\n- b\n- c\n\n## 0.1.0 (2026-11-26)\n\n- a\n';
  expect(whyNoChangelog(released)).toBeNull();
  expect([sectionOf(released, '0.2.0'), sectionOf(released, '0.1.0'), sectionOf(released, '0.1')]).toEqual([
    '- b\n- c',
    '- a',
    null,
  ]);
  for (const wrong of ['## 2026-11-26', '## 0.1.0', '## 0.3.0 (2026-12-02)\n\n## Unreleased'])
    expect(whyNoChangelog(`${released}\n${wrong}\n`)).toMatch(/.+/);
});

test('options of a release that cannot be meant are refused before anything is built [system.release.signed]', () => {
  expect(readOptions([])).toEqual({
    help: false,
    into: 'release',
    key: null,
    name: 'local.countersign/gateway',
    base: null,
  });
  expect(readOptions(['out', '--download-base', 'https://get.example/v1'])).toMatchObject({
    into: 'out',
    base: 'https://get.example/v1/',
  });
  for (const argv of [
    ['a', 'b'],
    ['--name', 'gateway'],
    ['--download-base', 'http://get.example'],
    ['--sign'],
  ])
    expect(readOptions(argv).error).toMatch(/.+/);
});

// Of modelcontextprotocol/registry, without descriptions; what it is of stands in it.
const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/server.schema.2025-12-11.json'), 'utf8'),
) as { $id: string };
const isServerJson = new Ajv({ strict: false, validateFormats: false }).compile(schema);

test('server.json is what the registry’s schema wants, with the bundle and without [system.release.registry]', () => {
  const about = { name: 'io.github.someone/countersign', version: '0.1.0' };
  const sha256 = 'ab'.repeat(32);
  const alone = serverJson({ ...about, bundle: { url: undefined, sha256 } });
  const both = serverJson({ ...about, bundle: { url: 'https://get.example/countersign.mcpb', sha256 } });
  for (const entry of [alone, both]) expect([isServerJson(entry), isServerJson.errors]).toEqual([true, null]);
  expect(alone.$schema).toBe(schema.$id);
  expect(alone.packages).toHaveLength(1);
  expect(both.packages[1]).toMatchObject({ registryType: 'mcpb', fileSha256: sha256 });
  const variables = alone.packages[0]?.['environmentVariables'] as {
    name: string;
    isRequired: boolean;
    isSecret: boolean;
  }[];
  expect(variables.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual([
    'EVM_PRIVATE_KEY',
    'COMPLIANCE_API_KEY',
  ]);
  expect(variables.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual([
    'EVM_PRIVATE_KEY',
    'DOWNSTREAM_MCP_URLS',
    'GATEWAY_STATE_DIR',
  ]);
  // The fixture is no empty one.
  for (const wrong of [
    { ...about, name: 'noslash', description: 'x' },
    { ...alone, description: 'x'.repeat(101) },
    { ...alone, packages: [{}] },
  ])
    expect(isServerJson(wrong)).toBe(false);
});

test('what is no whole archive gets no other time [system.bundle]', () => {
  expect(() => withOneTime(Buffer.from('PK'))).toThrow('this is no ZIP archive');
  const end = Buffer.alloc(30);
  end.writeUInt32LE(0x06054b50, 8);
  expect(withOneTime(end).equals(end)).toBe(true);
  end.writeUInt16LE(1, 18);
  expect(() => withOneTime(end)).toThrow('this ZIP archive is not whole');
});
