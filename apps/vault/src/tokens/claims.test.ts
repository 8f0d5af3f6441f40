import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessTokenReader, type Claims, readToken, writeToken } from './claims.ts';

const key = randomBytes(32);
const claims: Claims = {
  jti: '4f1c6f3e-3c56-4a39-9d2b-0d8a3f6a7b11',
  sub: 'ada',
  tenant: 'default',
  scope: ['credential:read', 'audit:read'],
  iat: new Date('2026-01-01T00:00:00Z'),
  exp: new Date('2026-01-01T01:00:00Z'),
};
const token = writeToken(key, 'access', claims, randomBytes(32));

test('a token is read the second time as the first, and nothing near it is read at all', () => {
  const read = accessTokenReader(key);
  expect([read(token), read(token)]).toEqual([claims, claims]);
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  for (const other of [token.slice(0, -1), token.slice(0, -1) + last, `${token}A`, '', 'v4.local.'])
    expect([read(other), read(other)]).toEqual([null, null]);
});

test('a refresh token is no access token, known or not', () => {
  const read = accessTokenReader(key);
  const refresh = writeToken(key, 'refresh', claims, randomBytes(32));
  expect([read(refresh), readToken(key, 'refresh', refresh), read(refresh)]).toEqual([null, claims, null]);
});

test('a token with a scope that nobody knows is none', () => {
  const unknown = { ...claims, scope: ['credential:steal'] } as unknown as Claims;
  expect(readToken(key, 'access', writeToken(key, 'access', unknown, randomBytes(32)))).toBeNull();
});
