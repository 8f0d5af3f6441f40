import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Enclave } from '../enclave.ts';
import { writeToken } from './claims.ts';
import { tokenKeys } from './keys.ts';

/** An enclave with these keys, which can be away; and a clock. */
function setting() {
  const state = { keys: [randomBytes(32)], isAway: false, now: 0, asked: 0 };
  const enclave = {
    connected: () => true,
    call: async () => {
      state.asked += 1;
      if (state.isAway) throw new Error('the enclave cannot be reached');
      return { ok: true, value: { reply: {}, body: Buffer.concat(state.keys) } };
    },
  } as unknown as Enclave;
  return { state, keysOf: tokenKeys(enclave, () => new Date(state.now)) };
}

const tokenUnder = (key: Buffer | undefined): string => {
  const at = new Date('2026-11-22T10:00:00.000Z');
  const claims = {
    jti: randomUUID(),
    sub: 'ada',
    tenant: 'acme',
    scope: ['admin'],
    iat: at,
    exp: at,
  } as const;
  return writeToken(key ?? Buffer.alloc(32), 'access', claims, randomBytes(32));
};

test('a token counts under each key that the enclave names, and the newest makes them', async () => {
  const { state, keysOf } = setting();
  const [old] = state.keys;
  const young = randomBytes(32);
  state.keys = [young, ...state.keys];
  const keys = await keysOf(0);
  expect(keys.newest).toEqual(young);
  for (const key of [old, young]) expect(keys.read('access', tokenUnder(key))).not.toBeNull();
  expect(keys.read('access', tokenUnder(randomBytes(32)))).toBeNull();
  expect(keys.read('refresh', tokenUnder(young))).toBeNull();
});

test('keys hold as long as was said; a key that is revoked counts no more then, although a token of it was read', async () => {
  const { state, keysOf } = setting();
  const token = tokenUnder(state.keys[0]);
  expect((await keysOf(1000)).read('access', token)).not.toBeNull();
  state.keys = [randomBytes(32)];
  state.now = 999;
  expect((await keysOf(1000)).read('access', token)).not.toBeNull();
  expect(state.asked).toBe(1);
  state.now = 1000;
  expect((await keysOf(1000)).read('access', token)).toBeNull();
});

test('while the enclave is away the keys that are known hold, and without any it is told', async () => {
  const { state, keysOf } = setting();
  state.isAway = true;
  await expect(keysOf(0)).rejects.toThrow('the enclave cannot be reached');
  state.isAway = false;
  const keys = await keysOf(0);
  state.isAway = true;
  expect(await keysOf(0)).toBe(keys);
});
