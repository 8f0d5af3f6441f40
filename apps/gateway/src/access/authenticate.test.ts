import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { authenticator } from './authenticate.ts';

const request = (headers: IncomingHttpHeaders) => ({ headers }) as IncomingMessage;
const bearer = (token: string) => request({ authorization: `Bearer ${token}` });

test('a token names its agent; anything else names nobody [gateway.auth.bearer-required]', () => {
  const check = authenticator(new Map([['secret', 'alice']]), null);
  expect(check(bearer('secret'))).toEqual({ name: 'alice', scopes: 'all' });
  expect(check(request({ authorization: 'bearer secret' }))).toEqual({ name: 'alice', scopes: 'all' });
  for (const authorization of [undefined, '', 'secret', 'Bearer ', 'Bearer secret x', 'Basic secret'])
    expect(check(request({ ...(authorization !== undefined && { authorization }) }))).toBe('none');
  expect(check(bearer('secre'))).toBe('unknown');
  expect(authenticator(new Map(), null)(request({}))).toEqual({ name: null, scopes: 'all' });
});

test('with OAuth a token is always needed, and only what can be an access token is asked about [gateway.oauth.token]', () => {
  const asked: string[] = [];
  const judge = (hash: string) => {
    asked.push(hash);
    return 'unknown' as const;
  };
  const check = authenticator(new Map(), judge);
  expect(check(request({}))).toBe('none');
  expect(
    ['x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}.`].map((token) => check(bearer(token))),
  ).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  expect(asked).toEqual([]);
  expect(check(bearer('a'.repeat(43)))).toBe('unknown');
  expect(asked).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});
