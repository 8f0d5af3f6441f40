import { expect, test } from 'vitest';
import { heldSecret, typesOfSealed } from './held-secret.ts';

test('the JSON of a known type is kept as that type, anything else as a key [control-plane.credential.typed]', () => {
  const login = { username: 'ada', password: 'p' };
  expect(heldSecret('username_password', JSON.stringify(login))).toEqual({
    type: 'username_password',
    data: login,
  });
  for (const [type, value] of [
    ['username_password', 'ada:p'],
    ['username_password', '{"username":"ada"}'],
    ['database_connection', 'postgres://ada:p@db/x'],
    ['of_ours', JSON.stringify(login)],
    ['api_key', 'sk-1'],
    ['api_key', 'null'],
  ] as const)
    expect(heldSecret(type, value)).toEqual({ type: 'api_key', data: { key: value } });
});

test('what is sealed is tried as its type first', () => {
  expect(typesOfSealed('oauth_token')).toEqual(['oauth_token', 'api_key']);
  expect(typesOfSealed('api_key')).toEqual(['api_key']);
  expect(typesOfSealed('of_ours')).toEqual(['api_key']);
});

test('a sealed certificate is kept as one or not at all: as a key nobody would see that its private key stands in it [control-plane.credential.certificate]', () => {
  expect(typesOfSealed('certificate')).toEqual(['certificate']);
});

const wrapped = (label: string, text = 'MIIB') =>
  `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;

test('of PEM the private key stands apart from what may be seen', () => {
  const certificate = wrapped('CERTIFICATE');
  for (const label of ['PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY']) {
    const private_key = wrapped(label);
    for (const pem of [certificate + private_key, private_key + certificate])
      expect(heldSecret('certificate', pem).data).toEqual({ certificate, private_key });
  }
  for (const pem of [certificate, wrapped('PUBLIC KEY'), `-----BEGIN PRIVATE KEY-----\n${certificate}`])
    expect(heldSecret('certificate', pem).data).toEqual({ certificate: pem });
  const parameters = wrapped('EC PARAMETERS');
  const private_key = wrapped('EC PRIVATE KEY');
  expect(heldSecret('certificate', parameters + private_key + certificate).data).toEqual({
    certificate: parameters + certificate,
    private_key,
  });
});

test('text full of beginnings without an end costs no more than to read it', () => {
  const read = (length: number) => {
    const pem = '-----BEGIN PRIVATE KEY-----'.repeat(length).slice(0, 65_536);
    const begin = process.cpuUsage().user;
    heldSecret('certificate', pem);
    return process.cpuUsage(undefined).user - begin;
  };
  read(10);
  expect(read(65_536 / 27)).toBeLessThan(20_000);
});
