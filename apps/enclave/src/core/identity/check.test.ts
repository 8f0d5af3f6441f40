import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { rawPublicKey } from '@countersign/audit-log/keys';
import { expect, test } from 'vitest';
import { checkIdentity } from './check.ts';

/** "eddsa-jcs-2022" of the test vectors of W3C vc-di-eddsa, as published. */
const published = {
  '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
  id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33',
  type: ['VerifiableCredential', 'AlumniCredential'],
  name: 'Alumni Credential',
  description: 'A minimum viable example of an Alumni Credential.',
  issuer: 'https://vc.example/issuers/5678',
  validFrom: '2023-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:abcdefgh', alumniOf: 'The School of Examples' },
  proof: {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: '2023-02-24T23:36:38Z',
    verificationMethod:
      'did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2#z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2',
    proofPurpose: 'assertionMethod',
    '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/examples/v2'],
    proofValue: 'z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX',
  },
};
const now = Date.parse('2026-11-21T00:00:00Z');

test('the published vector is not false; its issuer, an address on the web, nobody here can ask', () => {
  expect(checkIdentity(published, now)).toEqual({ shape: 'complete', dates: 'current', proof: 'unchecked' });
  const changed = { ...published, credentialSubject: { id: 'did:example:me', alumniOf: 'x' } };
  expect(checkIdentity(changed, now).proof).toBe('false');
});

test('a document whose types would take seconds to hash is told as unchecked [vault.enclave.bounded-work]', () => {
  const nested = (levels: number): object =>
    Object.fromEntries([
      ...Array.from({ length: 200 }, (_, i) => [`member${levels}x${i}`, 1]),
      ...(levels === 0 ? [] : [[`below${levels}`, nested(levels - 1)]]),
    ]);
  const proof = {
    type: 'EthereumEip712Signature2021',
    verificationMethod: `did:ethr:0x${'1'.repeat(40)}`,
    proofValue: `0x${'11'.repeat(65)}`,
    eip712: { domain: { name: 'x' } },
  };
  expect(checkIdentity({ ...nested(3), proof }, now).proof).toBe('false');
  expect(checkIdentity({ ...nested(50), proof }, now).proof).toBe('unchecked');
});

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function base58(bytes: Uint8Array): string {
  let text = '';
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n)
    text = (alphabet[Number(rest % 58n)] ?? '') + text;
  // A zero byte at the front changes no number, and is a digit of its own. One signature of 256 has one.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `z${'1'.repeat(zeros)}${text}`;
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const name = base58(Buffer.concat([Buffer.from([0xed, 0x01]), rawPublicKey(publicKey)]));
const did = `did:key:${name}`;

const credential = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['VerifiableCredential'],
  issuer: did,
  issuanceDate: '2026-01-01T00:00:00Z',
  expirationDate: '2027-01-01T00:00:00Z',
  credentialSubject: { id: 'did:example:ada', age: 37 },
};

function signed(document: object, about: object = {}) {
  const options = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: `${did}#${name}`,
    proofPurpose: 'assertionMethod',
    ...about,
  };
  const data = [options, document].map((part) => hash('sha256', canonicalText(part), 'buffer'));
  const proofValue = base58(sign(null, Buffer.concat(data), privateKey));
  return { ...document, proof: { ...options, proofValue } };
}

test('a credential that its issuer signed is valid, and false with anything changed [vault.credential.identity.eddsa]', () => {
  const good = signed(credential);
  expect(checkIdentity(good, now)).toEqual({ shape: 'complete', dates: 'current', proof: 'valid' });
  const { proof } = good;
  for (const changed of [
    { ...good, issuanceDate: '2026-01-02T00:00:00Z' },
    { ...good, credentialSubject: { ...credential.credentialSubject, admin: true } },
    { ...good, proof: { ...proof, created: '2026-01-01T00:00:00Z' } },
    { ...good, proof: { ...proof, proofValue: undefined } },
    { ...good, proof: { ...proof, proofValue: `${proof.proofValue}1` } },
    signed({ ...credential, issuer: 'did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2' }),
    signed(credential, { proofPurpose: 'authentication' }),
  ])
    expect(checkIdentity(changed, now).proof).toBe('false');
});

test('a signature may begin with a zero byte [vault.credential.identity.eddsa]', () => {
  const some = Array.from({ length: 5000 }, (_, age) =>
    signed({ ...credential, credentialSubject: { age } }),
  );
  const found = some.filter(({ proof }) => proof.proofValue.startsWith('z1'));
  expect(found.length).toBeGreaterThan(0);
  for (const document of found) expect(checkIdentity(document, now).proof).toBe('valid');
});

test('other suites and other methods are told as unchecked [vault.credential.identity.unchecked]', () => {
  for (const proof of [
    { type: 'BbsBlsSignature2020', proofValue: 'x' },
    { type: 'DataIntegrityProof', cryptosuite: 'eddsa-rdfc-2022', proofValue: 'x' },
    signed(credential, { verificationMethod: 'did:web:example.com#key' }).proof,
    { type: 'EthereumEip712Signature2021', verificationMethod: 'did:web:x', proofValue: '0x' },
    'x',
  ])
    expect(checkIdentity({ ...credential, proof }, now).proof).toBe('unchecked');
});

test('shape and dates are told as they are at the time [vault.credential.identity.shape]', () => {
  const about = (document: object, at = now) => {
    const { shape, dates } = checkIdentity({ ...document, proof: {} }, at);
    return `${shape} ${dates}`;
  };
  expect(about(credential)).toBe('complete current');
  expect(about(credential, Date.parse('2027-01-01T00:00:00Z'))).toBe('complete expired');
  expect(about(credential, Date.parse('2025-12-31T23:59:59Z'))).toBe('complete not-yet');
  expect(about({ ...credential, issuanceDate: 'soon' })).toBe('complete unreadable');
  expect(about({ ...credential, issuer: undefined })).toBe('incomplete current');
  expect(about({ ...credential, type: 'Person' })).toBe('incomplete current');
  expect(about({})).toBe('incomplete unreadable');
  for (const member of ['@context', 'type', 'issuer', 'issuanceDate', 'credentialSubject'] as const)
    expect(about({ ...credential, [member]: undefined })).toContain('incomplete');
});
