import { type CredentialType, plaintextData } from '@countersign/protocol/vault/credential';
import { expect, test } from 'vitest';
import { credentialFields, readSecret } from './fields.ts';

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const w3c = {
  '@context': [],
  type: [],
  issuer: 'did:x:1',
  issuanceDate: '2026-01-01',
  credentialSubject: {},
  proof: {},
};

const typed: Readonly<Record<CredentialType, Record<string, string>>> = {
  username_password: { username: ' ada ', password: ' blanks count ' },
  api_key: { key: 'k', secret: 's' },
  oauth_token: { refresh_token: 'r' },
  certificate: { certificate: pem, private_key: pem },
  ssh_key: { ssh_key: 'lines\nof it\n' },
  database_connection: { host: 'db', port: '5432', database: 'd', username: 'u', password: 'p' },
  identity_credential: {
    credential_json: JSON.stringify(w3c),
    did: 'did:x:1',
    zk_proof: 'z',
    credential_type: 'kyc',
  },
};

const types = Object.keys(typed) as CredentialType[];

test.each(types)(
  'what the form of %s gives is what the vault takes, with and without what may be left out',
  (type) => {
    const needed = credentialFields[type].filter(({ optional }) => optional !== true).map(({ name }) => name);
    const least = Object.fromEntries(needed.map((name) => [name, typed[type][name] ?? '']));
    for (const each of [typed[type], least]) {
      const read = readSecret(type, each);
      expect(read.ok && plaintextData[type].safeParse(read.value).success).toBe(true);
      expect(read.ok && Object.keys(read.value)).toEqual(Object.keys(each));
    }
    const nothing = readSecret(type, {});
    expect(nothing.ok ? [] : Object.keys(nothing.error)).toEqual(needed);
  },
);

test.each(types)('the form of %s has every field of the type', (type) => {
  expect(credentialFields[type].map(({ name }) => name)).toEqual(Object.keys(plaintextData[type].shape));
});

test('a secret is taken to the letter, a name without the blanks around it', () => {
  expect(readSecret('username_password', typed.username_password)).toEqual({
    ok: true,
    value: { username: 'ada', password: ' blanks count ' },
  });
});

test.each([
  ['database_connection', { port: '0' }, 'port'],
  ['database_connection', { port: '5432.5' }, 'port'],
  ['certificate', { certificate: 'MIIB' }, 'certificate'],
  ['identity_credential', { credential_json: '{' }, 'credential_json'],
  ['identity_credential', { credential_json: '[]' }, 'credential_json'],
  ['identity_credential', { credential_json: '{"type":[]}' }, 'credential_json'],
] as const)('%s with %j is told beside its field', (type, change, name) => {
  const read = readSecret(type, { ...typed[type], ...change });
  expect(read.ok ? [] : Object.keys(read.error)).toEqual([name]);
});
