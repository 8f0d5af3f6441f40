import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { localSigner, privateKeyOfSeed, publicKeyOf } from './keys.ts';
import { signPublic, verifyPublic } from './paseto-public.ts';

type Vector = {
  readonly name: string;
  readonly 'expect-fail': boolean;
  readonly 'public-key'?: string;
  readonly 'secret-key-seed'?: string;
  readonly token: string;
  readonly payload: string | null;
  readonly footer: string;
  readonly 'implicit-assertion': string;
};

/** Published by paseto-standard/test-vectors: v4.json, as it stands there. */
const file = fileURLToPath(new URL('../../service/test/paseto-v4.json', import.meta.url));
const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { tests: Vector[] };
const named = (keep: (vector: Vector) => boolean) =>
  tests.filter(keep).map((vector) => [vector.name, vector] as const);
const bytes = (hex = '') => Buffer.from(hex, 'hex');
const keyOf = (hex: string | undefined) => {
  const key = publicKeyOf(bytes(hex));
  if (key === null) throw new Error('the vectors have no key');
  return key;
};
const someKey = tests.find(({ name }) => name === '4-S-1')?.['public-key'];

test.each(named(({ name }) => name === '4-S-1' || name === '4-S-2'))(
  'official vector %s is made and read to the byte [control-plane.action-token.statement]',
  (_, vector) => {
    const [payload, footer] = [Buffer.from(vector.payload ?? ''), Buffer.from(vector.footer)];
    const { sign } = localSigner(privateKeyOfSeed(bytes(vector['secret-key-seed'])));
    expect(signPublic(sign, payload, footer)).toBe(vector.token);
    expect(verifyPublic(keyOf(vector['public-key']), vector.token)).toEqual({ payload, footer });
  },
);

test.each(named(({ name }) => !['4-S-1', '4-S-2'].includes(name)))(
  'official vector %s, which is none of ours, is refused [control-plane.action-token.statement]',
  (_, vector) => {
    expect(verifyPublic(keyOf(vector['public-key'] ?? someKey), vector.token)).toBeNull();
  },
);

test('what was signed is read, by the same key only, and in one spelling only', () => {
  const fixed = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fixed, fc.uint8Array({ maxLength: 200 }), fc.nat(), (seed, payload, at) => {
      const { sign, publicKey } = localSigner(privateKeyOfSeed(seed));
      const token = signPublic(sign, payload);
      expect(verifyPublic(publicKey, token)?.payload).toEqual(Buffer.from(payload));
      const place = at % token.length;
      const other = token[place] === 'A' ? 'B' : 'A';
      for (const wrong of [
        token.slice(0, place) + other + token.slice(place + 1),
        `${token}=`,
        `${token}.`,
        `${token}.e30`,
      ])
        expect(verifyPublic(publicKey, wrong)).toBeNull();
      expect(verifyPublic(keyOf(someKey), token)).toBeNull();
    }),
  );
});
