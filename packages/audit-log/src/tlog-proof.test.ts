import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as reference from '../test/reference-tree.ts';
import { readCheckpoint } from './checkpoint.ts';
import { localSigner } from './keys.ts';
import { noteKey } from './signed-note.ts';
import { checkTlogProof, readTlogProof, tlogProofText } from './tlog-proof.ts';
import { leafHash } from './tree-hash.ts';

/** A log that somebody else runs: made from the specifications' text alone, with a witness and no line of ours. */
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const witness = generateKeyPairSync('ed25519').privateKey;
const entries = Array.from({ length: 11 }, (_, i) => Buffer.from(`release ${i}`));
const [origin, index] = ['releases.example/log', 6];
const body = `${origin}\n${entries.length}\n${reference.mth(entries).toString('base64')}\n`;
const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const keyId = createHash('sha256')
  .update(Buffer.concat([Buffer.from(`${origin}\n\x01`), raw]))
  .digest()
  .subarray(0, 4);
const signature = Buffer.concat([keyId, sign(null, Buffer.from(body), privateKey)]).toString('base64');
const cosignature = Buffer.concat([Buffer.alloc(12, 7), sign(null, Buffer.from(body), witness)]).toString(
  'base64',
);
const foreign = [
  'c2sp.org/tlog-proof@v1',
  `extra ${Buffer.from('any bytes').toString('base64')}`,
  `index ${index}`,
  ...reference.path(index, entries).map((hash) => hash.toString('base64')),
  '',
  `${body}\n— ${origin} ${signature}\n— witness.example/w1 ${cosignature}\n`,
].join('\n');

const keys = [noteKey(origin, publicKey)];
const check = (text: string, entry = entries[index] ?? Buffer.alloc(0)) => {
  const proof = readTlogProof(text);
  return proof === null ? null : checkTlogProof(proof, leafHash(entry), keys);
};

describe('a proof of a log that is not ours', () => {
  test('holds, whoever cosigned [vault.audit.store.interoperates]', () => {
    expect(check(foreign)).toMatchObject({ ok: true, value: { origin, size: 11 } });
    expect(readTlogProof(foreign)?.extra?.toString()).toBe('any bytes');
  });

  test('holds without extra data', () => {
    expect(check(foreign.replace(/extra .*\n/, ''))?.ok).toBe(true);
  });

  test('does not hold for another entry, place, path or tree', () => {
    const refused = (error: string) => ({ ok: false, error });
    expect(check(foreign, entries[5])).toEqual(refused('not-included'));
    expect(check(foreign.replace('index 6', 'index 7'))).toEqual(refused('not-included'));
    expect(check(foreign.replace(/(index 6\n)(.*)\n(.*)\n/, '$1$3\n$2\n'))).toEqual(refused('not-included'));
    expect(check(foreign.replace('\n11\n', '\n12\n'))).toEqual(refused('bad-signature'));
    expect(check(foreign.replace(`— ${origin}`, '— other.example'))).toEqual(refused('no-known-key'));
  });

  test('is written as it was read', () => {
    const read = readTlogProof(foreign);
    expect(read === null ? null : tlogProofText(read)).toBe(foreign);
  });

  test.each([
    ['another title', foreign.replace('@v1', '@v2')],
    ['an index with a leading zero', foreign.replace('index 6', 'index 06')],
    ['a negative index', foreign.replace('index 6', 'index -6')],
    ['no index', foreign.replace('index 6\n', '')],
    ['a hash that is too short', foreign.replace(/(index 6\n).*\n/, '$1AAAA\n')],
    ['extra data that is no base64', foreign.replace(/extra .*\n/, 'extra ?\n')],
    ['no checkpoint', foreign.split('\n\n')[0] ?? ''],
    ['nothing at all', ''],
  ])('%s is no proof', (_what, text) => {
    expect(check(text)?.ok ?? false).toBe(false);
  });
});

describe('a checkpoint', () => {
  const root = Buffer.alloc(32, 1).toString('base64');

  test('may have lines of extensions', () => {
    expect(readCheckpoint(`log.example\n7\n${root}\nmore\n`)).toMatchObject({
      origin: 'log.example',
      size: 7,
    });
  });

  test.each([
    ['no origin', `\n7\n${root}\n`],
    ['a size with a leading zero', `a\n07\n${root}\n`],
    ['a size beyond exact numbers', `a\n9007199254740993\n${root}\n`],
    ['a root of 31 bytes', `a\n7\n${Buffer.alloc(31).toString('base64')}\n`],
    ['an empty extension', `a\n7\n${root}\n\nmore\n`],
    ['no last newline', `a\n7\n${root}`],
  ])('with %s is none', (_what, text) => {
    expect(readCheckpoint(text)).toBeNull();
  });
});

test('a checkpoint that only another log’s key signed proves nothing about this one', () => {
  const signer = localSigner(privateKey);
  const other = [noteKey('other.example', signer.publicKey)];
  const id = Buffer.from(other[0]?.keyId ?? '', 'hex');
  const line = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString('base64');
  const proof = readTlogProof(
    foreign.replace(/— releases.*\n/, `— other.example ${line}\n`).replace(/— witness.*\n/, ''),
  );
  expect(proof && checkTlogProof(proof, leafHash(entries[index] ?? ''), other)).toEqual({
    ok: false,
    error: 'no-checkpoint',
  });
});
