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
