import { expect, test } from 'vitest';
import { type CredentialType, credentialTypes } from '@countersign/protocol/vault/credential';
import { maxPlaintextBytes, plaintextProblem } from './plaintext.ts';

const good = {
  username_password: { username: 'ada', password: 'p' },
  api_key: { key: 'k', secret: 's' },
  oauth_token: { refresh_token: 'r' },
  certificate: { certificate: 'c', private_key: 'p' },
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
