import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openIdentity, sealIdentity } from './identity.ts';
import { createSealer } from './seal.ts';

const sealer = createSealer(randomBytes(32));
const person = { fullName: 'Ada', country: 'GB', documentType: 'passport', documentNumber: 'X 1' } as const;
const nobody = { fullName: null, country: null, documentType: null, documentNumber: null };
const { keyId, bytes } = sealIdentity(sealer, 'kyc_a', person);
const sealed = { sealed: bytes, keyId, readable: null };

test('an identity opens with its key and at its submission, and nowhere else [dashboard.personal.sealed.bound]', () => {
  expect(openIdentity(sealer, 'kyc_a', sealed)).toEqual({ ...person, personalData: 'kept' });
  const unreadable = { ...nobody, personalData: 'unreadable' };
  expect(openIdentity(sealer, 'kyc_b', sealed)).toEqual(unreadable);
  expect(openIdentity(createSealer(randomBytes(32)), 'kyc_a', sealed)).toEqual(unreadable);
  expect(openIdentity(null, 'kyc_a', sealed)).toEqual(unreadable);
  const elsewhere = sealer.seal(JSON.stringify(person), 'kyc_a');
  expect(openIdentity(sealer, 'kyc_a', { ...sealed, sealed: elsewhere.bytes })).toEqual(unreadable);
});

test('an identity that an earlier release left is read as it is, and one that was erased is nobody’s', () => {
  const earlier = { sealed: null, keyId: null, readable: person };
  expect(openIdentity(sealer, 'kyc_a', earlier)).toEqual({ ...person, personalData: 'kept' });
  expect(openIdentity(sealer, 'kyc_a', { ...earlier, readable: null })).toEqual({
    ...nobody,
    personalData: 'erased',
  });
});
