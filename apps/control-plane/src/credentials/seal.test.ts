import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail } from '@countersign/protocol/result';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { expect, test } from 'vitest';
import type { Enclave } from '../enclave.ts';
import { keptAsOther, nextSecretOf, sealAs, secretOf } from './seal.ts';

const next = (kind: string, value: string, keptAs: CredentialType) => {
  const secret = nextSecretOf({ kind, keptAs }, { value });
  if (secret === null) throw new Error('there is one');
  return secret;
};
const typesAs = (...about: Parameters<typeof next>) => next(...about).types;

test('a new value is kept as what the one before was kept as, or not at all [control-plane.credential.put-value]', () => {
  const login = JSON.stringify({ username: 'ann', password: 'new' });
  expect(typesAs('username_password', login, 'username_password')).toEqual(['username_password']);
  expect(typesAs('username_password', 'newpw', 'username_password')).toEqual([]);
  expect(typesAs('username_password', 'ann:newpw', 'api_key')).toEqual(['api_key']);
  expect(typesAs('oauth_token', '{"refresh_token":"r"}', 'api_key')).toEqual([]);
  const sealed_value = 'eA==';
  expect(secretOf('username_password', { sealed_value })?.types).toEqual(['username_password', 'api_key']);
  for (const keptAs of ['username_password', 'api_key'] as const)
    expect(nextSecretOf({ kind: 'username_password', keptAs }, { sealed_value })?.types).toEqual([keptAs]);
  expect(keptAsOther('username_password').error.msg).toContain('JSON with username, password');
});

test('a certificate that an earlier build kept as a key is followed by one, as it stands [control-plane.credential.put-value]', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
  const key = next('certificate', pem, 'api_key');
  expect(key.types).toEqual(['api_key']);
  expect(JSON.parse(key.bytes.toString())).toEqual({ key: pem });
  expect(typesAs('certificate', pem, 'certificate')).toEqual(['certificate']);
  expect(typesAs('certificate', JSON.stringify({ certificate: pem }), 'api_key')).toEqual([]);
  expect(next('username_password', '{"key":"k"}', 'api_key').bytes.toString()).toBe(
    JSON.stringify({ key: '{"key":"k"}' }),
  );
});

test('of several refusals the first that names a field is told', async () => {
  const about = { id: 'c', tenantId: 't', namespace: 'n', label: 'l', kind: 'ssh_key' };
  const refusedWith = async (...said: EnclaveRefusal[]) => {
    const call = () => Promise.resolve(fail(said.shift() ?? { code: 'CANNOT_UNSEAL' }));
    const secret = { types: ['ssh_key', 'api_key'] as const, sealed: true, bytes: Buffer.alloc(0) };
    return sealAs({ call: call as Enclave['call'] }, about, secret, 1);
  };
  const [plain, key, more] = [undefined, 'ssh_key', 'more'].map((field) => ({
    code: 'INVALID_PLAINTEXT' as const,
    ...(field !== undefined && { field }),
  })) as [EnclaveRefusal, EnclaveRefusal, EnclaveRefusal];
  expect(await refusedWith(key, more)).toEqual(fail(key));
  expect(await refusedWith(key, plain)).toEqual(fail(key));
  expect(await refusedWith(plain, more)).toEqual(fail(more));
  expect(await refusedWith({ code: 'CANNOT_UNSEAL' })).toEqual(fail({ code: 'CANNOT_UNSEAL' }));
});
