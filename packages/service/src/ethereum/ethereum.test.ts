import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { hashMessage as viemHashMessage, hashTypedData, keccak256 as viemKeccak } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { keccak256 } from './keccak.ts';
import { hashMessage } from './message.ts';
import { loadNative, loadWasm, secp256k1 } from './secp256k1.ts';
import { addressOfPrivateKey, addressOfPublicKey, recoverSigner, signHash } from './signature.ts';
import { typedDataHasher } from './typed-data.ts';

const hex = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`;
const bytes = (text: string): Buffer => Buffer.from(text.replace(/^0x/, ''), 'hex');
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyKey = fc.bigInt({ min: 1n, max: order - 1n }).map((n) => bytes(n.toString(16).padStart(64, '0')));

describe('keccak256', () => {
  test.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ])('hashes the published vector %j', (text, digest) => {
    expect(hex(keccak256(text))).toBe(`0x${digest}`);
  });

  test('agrees with viem on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (data) => hex(keccak256(data)) === viemKeccak(data)),
    );
  });
});

describe.each([
  ['native', loadNative],
  ['wasm', loadWasm],
] as const)('secp256k1, %s', (_name, load) => {
  test('signs the published RFC 6979 vector', async () => {
    const curve = await load();
    const hash = createHash('sha256').update('Satoshi Nakamoto').digest();
    const { compact } = curve.sign(hash, bytes('01'.padStart(64, '0')));
    expect(hex(compact)).toBe(
      '0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
    );
  });

  test('signs like viem and recovers what it signed, always low-s', async () => {
    const curve = await load();
    await fc.assert(
      fc.asyncProperty(anyHash, anyKey, async (hash, key) => {
        const { compact, recovery } = curve.sign(hash, key);
        const signature = `${hex(compact)}${recovery === 0 ? '1b' : '1c'}`;
        expect(signature).toBe(await privateKeyToAccount(hex(key)).sign({ hash: hex(hash) }));
        expect(BigInt(hex(compact.subarray(32))) <= order / 2n).toBe(true);
        expect(curve.recover(hash, compact, recovery)).toEqual(curve.publicKey(key));
      }),
      { numRuns: 25 },
    );
  });

  test('gives null for what is no signature', async () => {
    const curve = await load();
    expect(curve.recover(Buffer.alloc(32, 1), Buffer.alloc(64), 0)).toBeNull();
    expect(curve.recover(Buffer.alloc(32, 1), Buffer.alloc(64, 0xff), 1)).toBeNull();
  });
});

test('the implementation in use is compiled, never the slow JavaScript fallback', () => {
  expect(['native', 'wasm']).toContain(secp256k1.name);
});

describe('signatures', () => {
  const key = bytes('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318');
  const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';

  test('signs and recovers the published personal_sign vector', () => {
    const hash = hashMessage('Some data');
    expect(hex(hash)).toBe('0x1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655');
    const signature =
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c';
    expect(signHash(hash, key)).toBe(signature);
    expect(recoverSigner(hash, signature)?.address).toBe(address);
  });

  test('a public key gives the address of its wallet', () => {
    const signer = recoverSigner(hashMessage('hello'), signHash(hashMessage('hello'), key));
    expect(signer?.publicKey).toMatch(/^0x04[0-9a-f]{128}$/);
    expect(addressOfPublicKey(signer?.publicKey ?? '')).toBe(address);
    expect(addressOfPrivateKey(key)).toBe(address);
  });

  test('the high-s twin, v of 0 or 1, the 64-byte form and trailing bytes are refused', () => {
    const hash = hashMessage('one signature, one text');
    const good = signHash(hash, key);
    const twinS = (order - BigInt(`0x${good.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const twin = `${good.slice(0, 66)}${twinS}${good.endsWith('1b') ? '1c' : '1b'}`;
    const v01 = `${good.slice(0, 130)}${good.endsWith('1b') ? '00' : '01'}`;
    for (const bad of [twin, v01, good.slice(0, 130), `${good}00`, good.slice(2), '0x', '']) {
      expect(recoverSigner(hash, bad)).toBeNull();
    }
    expect(recoverSigner(hash, good)?.address).toBe(address);
  });

  test('hashMessage agrees with viem, also beyond ASCII', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => hex(hashMessage(text)) === viemHashMessage(text),
      ),
    );
  });
});

describe('typed data', () => {
  const fields = [
    { name: 'id', type: 'string' },
    { name: 'who', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
    { name: 'names', type: 'string[]' },
  ] as const;
  const hash = typedDataHasher('Thing', fields);
  const anyBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hex);

  test('agrees with viem on any message, with and without a contract', () => {
    const message = fc.record({
      id: fc.string({ unit: 'grapheme' }),
      who: anyBytes(20),
      value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      nonce: anyBytes(32),
      names: fc.array(fc.string({ unit: 'grapheme' })),
    });
    const domain = fc.record(
      {
        name: fc.string(),
        version: fc.string(),
        chainId: fc.integer({ min: 1 }),
        verifyingContract: anyBytes(20),
      },
      { requiredKeys: ['name', 'version', 'chainId'] },
    );
    fc.assert(
      fc.property(domain, message, (domain, message) => {
        const expected = hashTypedData({ domain, types: { Thing: fields }, primaryType: 'Thing', message });
        expect(hex(hash(domain, message))).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });
});
