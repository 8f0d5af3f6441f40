import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encrypt } from '@countersign/service/paseto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../../test/core-on-socket.ts';
import { claimsOf, minted } from '../../../test/executions.ts';
import { hkdf } from '../keys/hkdf.ts';
import { mintToken, readToken, type TokenParts } from './action-token.ts';

let core: RunningCore;
let clock = Date.parse('2026-11-22T10:00:00.000Z');
beforeAll(async () => {
  core = await startOnSocket({ now: () => clock });
});
afterAll(() => core.stop());

const read = async (token: string, tenantId = 'acme') => {
  const answer = await core.client.call('control.readToken', { tenantId, token });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply;
};

test('a token says what was asked, who minted it and what runs, for 15 minutes [control-plane.action-token.form] [control-plane.action-token.claims] [control-plane.action-token.lifetime]', async () => {
  const asked = claimsOf({ risk_tier: 'high', hitl_confirmed: true });
  const { token, claims } = await minted(core.client, asked);
  expect(token).toMatch(/^v4\.local\.[\w-]+$/);
  const program = readFileSync(fileURLToPath(new URL('../../../test/core-on-socket.ts', import.meta.url)));
  expect(claims).toEqual({
    ...asked,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iss: 'vault.example/audit',
    iat: '2026-11-22T10:00:00.000Z',
    exp: '2026-11-22T10:15:00.000Z',
    tee_mrenclave: `sim:${hash('sha256', program)}`,
  });
  expect(await read(token)).toEqual({ claims, expired: false, underWay: false });
  clock += 15 * 60_000 - 1;
  expect(await read(token)).toEqual({ claims, expired: false, underWay: false });
  clock += 1;
  expect(await read(token)).toEqual({ claims, expired: true, underWay: false });
});

test('in another tenant a token is nothing, nor is one of the vault, nor another spelling of it', async () => {
  const { token } = await minted(core.client);
  const nothing = { claims: null, expired: false, underWay: false };
  expect(await read(token, 'acme2')).toEqual(nothing);
  for (const spelling of [`${token}=`, `${token}.`, ` ${token}`, `${token}\n`, token.toUpperCase(), ''])
    expect(await read(spelling)).toEqual(nothing);
  const key = await core.client.call('tokenKey', {});
  if (!key.ok) throw new Error(key.error.code);
  const payload = Buffer.from(JSON.stringify(claimsOf()));
  const forged = encrypt(key.value.body, payload, randomBytes(32), { assertion: Buffer.from('acme') });
  expect(await read(forged)).toEqual(nothing);
});

test('two tokens for the same have nothing in common', async () => {
  const asked = claimsOf();
  const [one, two] = [await minted(core.client, asked), await minted(core.client, asked)];
  expect(one.claims.jti).not.toBe(two.claims.jti);
  expect(one.token.slice(9, 52)).not.toBe(two.token.slice(9, 52));
});

test('each tenant has a key of its own for what is kept, the same each time', async () => {
  const keyOf = async (tenantId: string) => {
    const answer = await core.client.call('control.tenantKey', { tenantId });
    return answer.ok ? answer.value.body.toString('hex') : answer.error.code;
  };
  expect(await keyOf('acme')).toMatch(/^[0-9a-f]{64}$/);
  expect(await keyOf('acme')).toBe(await keyOf('acme'));
  expect(await keyOf('acme')).not.toBe(await keyOf('other'));
});

const parts: TokenParts = {
  keys: { tokenKey: Buffer.alloc(32, 7) },
  origin: 'log.example',
  measurement: 'sim:00',
  now: () => clock,
};

test('with any character changed a token is none [control-plane.action-token.bound]', () => {
  const { token } = mintToken(parts, claimsOf());
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=');
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...letters), (at, letter) => {
      fc.pre(token[at] !== letter);
      expect(readToken(parts, 'acme', token.slice(0, at) + letter + token.slice(at + 1))).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test('under the right key, what has other claims than a token has is none', () => {
  const key = hkdf(parts.keys.tokenKey, 'countersign-control-v1/action-token');
  const { claims } = mintToken(parts, claimsOf());
  const written = (payload: object) =>
    encrypt(key, Buffer.from(JSON.stringify(payload)), randomBytes(32), { assertion: Buffer.from('acme') });
  expect(readToken(parts, 'acme', written(claims))).toEqual(claims);
  const others: object[] = [
    { ...claims, more: 1 },
    { ...claims, iss: 'other.example' },
    { ...claims, sub: { ...claims.sub, tenant: 'other' } },
    { ...claims, jti: 'x' },
    { ...claims, policy_version: 0 },
    { ...claims, params_hash: claims.params_hash.toUpperCase() },
    {},
  ];
  for (const other of others) expect(readToken(parts, 'acme', written(other))).toBeNull();
});
