import { expect, test } from 'vitest';
import { newSigner } from '../test/sample-records.ts';
import { publicKeyOf, rawPublicKey } from './keys.ts';

test('a public key is 32 bytes, no more and no fewer [vault.audit.cli.change-found]', () => {
  const { publicKey } = newSigner();
  const bytes = rawPublicKey(publicKey);
  expect(publicKeyOf(bytes)?.equals(publicKey)).toBe(true);
  expect(publicKeyOf(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeNull();
  expect(publicKeyOf(bytes.subarray(1))).toBeNull();
});
