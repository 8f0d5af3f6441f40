import { expect, test } from 'vitest';
import { type CredentialType, credentialTypes } from '@countersign/protocol/vault/credential';
import { certificateEndsAt, certificatePem } from '../../../test/certificate.ts';
import { certificateEnd } from './certificate.ts';
import { maxPlaintextBytes, plaintextProblem } from './plaintext.ts';

const good = {
  username_password: { username: 'ada', password: 'p' },
  api_key: { key: 'k', secret: 's' },
  oauth_token: { refresh_token: 'r' },
  certificate: { certificate: certificatePem, private_key: 'p' },
  ssh_key: { ssh_key: 'k' },
  database_connection: { host: 'h', port: 5432, database: 'd', username: 'u', password: 'p' },
  identity_credential: { credential_json: { type: [] }, did: 'did:key:z', zk_proof: 'z' },
} as const satisfies Record<CredentialType, object>;

const problem = (type: CredentialType, value: unknown) =>
  plaintextProblem(type, Buffer.from(JSON.stringify(value)));

test.each(credentialTypes)('%s is taken with its fields, and with no other', (type) => {
  expect(problem(type, good[type])).toBeNull();
  expect(problem(type, { ...good[type], more: 1 })).toEqual({ code: 'INVALID_PLAINTEXT', field: 'more' });
  const [first = ''] = Object.keys(good[type]);
  expect(problem(type, { ...good[type], [first]: undefined })).toEqual({
    code: 'INVALID_PLAINTEXT',
    field: first,
  });
  expect(problem(type, { ...good[type], [first]: 7 })).toEqual({ code: 'INVALID_PLAINTEXT', field: first });
});

test('a field is named without its value, and what is no name of a field is not told', () => {
  expect(problem('database_connection', { ...good.database_connection, port: 70_000 })).toEqual({
    code: 'INVALID_PLAINTEXT',
    field: 'port',
  });
  expect(problem('ssh_key', { 'correct horse': '' })).toEqual({
    code: 'INVALID_PLAINTEXT',
    field: 'ssh_key',
  });
  expect(problem('ssh_key', { ssh_key: 'k', 'Correct horse!': '' })).toEqual({ code: 'INVALID_PLAINTEXT' });
});

test('texts and the whole have a largest size', () => {
  expect(problem('ssh_key', { ssh_key: 'ä'.repeat(65_536) })).toBeNull();
  expect(problem('ssh_key', { ssh_key: 'ä'.repeat(65_537) })).not.toBeNull();
  expect(plaintextProblem('ssh_key', Buffer.alloc(maxPlaintextBytes + 1, ' '))).not.toBeNull();
});

test('a certificate is one in PEM, apart from its key, and its end is read [control-plane.credential.certificate]', () => {
  const endOf = (certificate: string) => certificateEnd(Buffer.from(JSON.stringify({ certificate })));
  const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  expect(endOf(certificatePem)?.toISOString()).toBe(certificateEndsAt);
  expect(endOf(`the client's\r\n${certificatePem}${certificatePem}`)?.toISOString()).toBe(certificateEndsAt);
  for (const none of [
    'c',
    key,
    certificatePem.slice(0, -60),
    certificatePem.replace('MII', 'MIX'),
    certificatePem + key,
  ]) {
    expect(endOf(none)).toBeNull();
    // Whoever asks for it to be sealed decides what that means: the control plane refuses it.
    expect(problem('certificate', { certificate: none })).toBeNull();
  }
});
