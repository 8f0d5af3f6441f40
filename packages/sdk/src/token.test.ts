import type { RouteTable } from '@countersign/protocol/route';
import type { VaultCode } from '@countersign/protocol/vault/codes';
import type { Answer, Client } from '@countersign/service/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { givenToken, renewedTokens, withToken } from './token.ts';

const route = { method: 'GET', path: '/', summary: 'x', data: z.string() } as const;
const table = {
  open: { ...route, auth: 'none' },
  kept: { ...route, auth: 'bearer' },
} as const satisfies RouteTable;
type Said = Answer<string, VaultCode>;

const refusal = (code: VaultCode): Said => ({
  kind: 'refused',
  asked: 'GET /',
  status: 401,
  code,
  msg: 'no',
  data: {},
});
const good = (data: string): Said => ({ kind: 'ok', asked: 'GET /', data });

/** A service that takes only one token at a time, and tells which tokens it was shown. */
function service(valid: string) {
  const shown: (string | undefined)[] = [];
  const answer = async ({ token }: { token?: string | undefined }): Promise<Said> => {
    shown.push(token);
    return token === current ? good(token) : refusal('token_expired');
  };
  let current = valid;
  const client = { open: answer, kept: answer, close: async () => {} } as Client<typeof table, VaultCode>;
  return { client, shown, take: (token: string) => (current = token) };
}

const about = { auth: 'bearer', ended: 'token_expired' } as const;

test('a token that has ended is renewed once, however many calls met its end, and each call is made again [system.sdk.logs-in-again]', async () => {
  const { client, shown, take } = service('a');
  const asked: (string | null)[] = [];
  const tokens = renewedTokens<{ token: string }, VaultCode>(async (last) => {
    asked.push(last?.token ?? null);
    return { kind: 'ok', asked: 'login', data: { token: last === null ? 'a' : 'b' } };
  });
  const ours = withToken(client, table, { ...about, tokens });
  expect(await Promise.all([ours.kept({}), ours.kept({})])).toEqual([good('a'), good('a')]);
  take('b');
  expect(await Promise.all([ours.kept({}), ours.kept({}), ours.kept({})])).toEqual(Array(3).fill(good('b')));
  expect(asked).toEqual([null, 'a']);
  await ours.open({});
  expect(shown.at(-1)).toBe(undefined);
});

test('what cannot be renewed is refused as it was, and a login that fails is told in place of the call', async () => {
  const { client, shown } = service('a');
  const given = withToken(client, table, { ...about, tokens: givenToken<VaultCode>('old') });
  expect(await given.kept({})).toEqual(refusal('token_expired'));
  expect(shown).toEqual(['old']);
  const tokens = renewedTokens<{ token: string }, VaultCode>(async () => refusal('unauthorized') as never);
  expect(await withToken(client, table, { ...about, tokens }).kept({})).toEqual(refusal('unauthorized'));
  expect(shown).toEqual(['old']);
});
