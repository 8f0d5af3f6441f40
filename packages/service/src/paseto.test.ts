import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decrypt, encrypt } from './paseto.ts';

type Vector = {
  readonly name: string;
  readonly 'expect-fail': boolean;
  readonly key?: string;
  readonly nonce?: string;
  readonly token: string;
  readonly payload: string | null;
  readonly footer: string;
  readonly 'implicit-assertion': string;
};

/** Published by paseto-standard/test-vectors: v4.json, as it stands there. */
const vectors = JSON.parse(
  readFileSync(fileURLToPath(new URL('../test/paseto-v4.json', import.meta.url)), 'utf8'),
) as { tests: Vector[] };
const named = (keep: (vector: Vector) => boolean) =>
  vectors.tests.filter(keep).map((vector) => [vector.name, vector] as const);

const bytes = (hex = '') => Buffer.from(hex, 'hex');
const boundOf = (vector: Vector) => ({
  footer: Buffer.from(vector.footer),
  assertion: Buffer.from(vector['implicit-assertion']),
});

test.each(named(({ name }) => name.startsWith('4-E')))(
  'official vector %s is made and read to the byte [vault.token.vectors]',
  (_, vector) => {
    const bound = boundOf(vector);
    const payload = Buffer.from(vector.payload ?? '');
    expect(encrypt(bytes(vector.key), payload, bytes(vector.nonce), bound)).toBe(vector.token);
    expect(decrypt(bytes(vector.key), vector.token, bound.assertion)).toEqual({
      payload,
      footer: bound.footer,
    });
  },
);

const someKey = bytes('707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f');

test.each(named((vector) => vector['expect-fail'] || vector.token.startsWith('v4.public.')))(
  'official vector %s is refused [vault.token.vectors]',
  (_, vector) => {
    const key = vector.key === undefined ? someKey : bytes(vector.key);
    expect(decrypt(key, vector.token, boundOf(vector).assertion)).toBeNull();
  },
);

test('every vector of the file was looked at [vault.token.vectors]', () => {
  expect(vectors.tests.map(({ name }) => name.slice(0, 3))).toEqual([
    ...Array(9).fill('4-E'),
    ...Array(3).fill('4-S'),
    ...Array(5).fill('4-F'),
  ]);
});

test('what was made is read, under the same key and assertion only, and in one spelling only', () => {
  const piece = fc.uint8Array({ maxLength: 200 });
  const fixed = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  fc.assert(
    fc.property(
      fixed(32),
      fixed(32),
      piece,
      piece,
      piece,
      fc.nat(),
      (key, nonce, payload, footer, assertion, at) => {
        const token = encrypt(key, payload, nonce, { footer, assertion });
        expect(decrypt(key, token, assertion)).toEqual({
          payload: Buffer.from(payload),
          footer: Buffer.from(footer),
        });
        expect(decrypt(key, token, Buffer.concat([assertion, Buffer.from([0])]))).toBeNull();
        const place = at % token.length;
        const other = token[place] === 'A' ? 'B' : 'A';
        expect(decrypt(key, token.slice(0, place) + other + token.slice(place + 1), assertion)).toBeNull();
        expect(decrypt(key, `${token}=`, assertion)).toBeNull();
        expect(decrypt(key, `${token}.`, assertion)).toBeNull();
      },
    ),
  );
});
