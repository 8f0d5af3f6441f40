import { parseAddress } from '@countersign/protocol/address';
import type { TokenAnswer } from '@countersign/protocol/dashboard/oauth';
import { expect, test } from 'vitest';
import { type TokenParts, tokenJudge } from './tokens.ts';

const wallet = parseAddress('0x00000000000000000000000000000000000000aa');
const other = parseAddress('0x00000000000000000000000000000000000000bb');
if (wallet === null || other === null) throw new Error('not an address');

const good = {
  active: true,
  iss: 'https://dashboard.example',
  aud: 'https://gateway.example/mcp',
  exp: 1_000,
  scopes: ['services:read'],
  agentWallet: wallet,
  connectionId: 'con_1',
} as const satisfies TokenAnswer;
const none = { active: false } as const satisfies TokenAnswer;
const caller = { name: 'oauth:con_1', scopes: ['services:read'] };

/** A judge with clocks that the test moves, and a dashboard that says what the test says. */
function judging(first: TokenAnswer | null = good) {
  const state: { answer: TokenAnswer | null; asked: number; seconds: number; slowness: number } = {
    answer: first,
    asked: 0,
    seconds: 0,
    /** So many seconds an answer takes. */
    slowness: 0,
  };
  const parts: TokenParts = {
    ask: (hashes) => {
      state.asked += 1;
      const { answer } = state;
      state.seconds += state.slowness;
      return Promise.resolve(answer && hashes.map((hash) => (hash.startsWith('guess') ? none : answer)));
    },
    pause: (ms) => {
      state.seconds += ms / 1000;
      return Promise.resolve();
    },
    resource: good.aud,
    issuer: good.iss,
    wallet: good.agentWallet,
    now: () => state.seconds * 1000,
    elapsed: () => state.seconds * 1000,
  };
  return { state, judge: tokenJudge(parts) };
}

test('a known token costs no question for three seconds, and no promise [gateway.oauth.token]', async () => {
  const { state, judge } = judging();
  expect(await judge('t')).toEqual(caller);
  state.seconds = 2.9;
  expect(judge('t')).toEqual(caller);
  expect(state.asked).toBe(1);
});

test('calls that come together wait for one answer', async () => {
  const { state, judge } = judging();
  expect(await Promise.all([judge('t'), judge('t'), judge('t')])).toEqual([caller, caller, caller]);
  expect(state.asked).toBe(1);
});

test('a token that was revoked is refused 4.5 seconds later at the latest, used or not [gateway.oauth.token]', async () => {
  const used = judging();
  await used.judge('t');
  used.state.answer = { active: false };
  used.state.seconds = 3.5;
  // Asked anew behind this call; the next one has the answer.
  expect(used.judge('t')).toEqual(caller);
  await new Promise((done) => setImmediate(done));
  expect(await used.judge('t')).toBe('unknown');

  const idle = judging();
  await idle.judge('t');
  idle.state.answer = { active: false };
  idle.state.seconds = 4.5;
  expect(await idle.judge('t')).toBe('unknown');
});

test('without an answer nothing is concluded, and an old answer is not used on [gateway.oauth.token]', async () => {
  const { state, judge } = judging(null);
  expect(await judge('t')).toBe('unavailable');
  state.answer = good;
  expect(await judge('t')).toEqual(caller);
  state.answer = null;
  state.seconds = 5;
  expect(await judge('t')).toBe('unavailable');
});

test('an answer about another issuer, gateway or agent is none [gateway.oauth.agent]', async () => {
  for (const change of [
    { iss: 'https://evil.example' },
    { aud: 'https://gateway.example/mcp/' },
    { aud: 'https://other.example/mcp' },
    { agentWallet: other },
  ])
    expect(await judging({ ...good, ...change }).judge('t')).toBe('unknown');
  expect(await judging({ active: false }).judge('t')).toBe('unknown');
});

test('a token is used to a minute after its expiry, for clocks that differ, and no longer [gateway.oauth.token]', async () => {
  const { state, judge } = judging();
  state.seconds = good.exp + 59;
  expect(await judge('t')).toEqual(caller);
  state.seconds = good.exp + 60;
  expect(await judge('t')).toBe('unknown');
});

test('whoever guesses keeps no genuine token out, new or known, and costs four questions a second [gateway.oauth.token]', async () => {
  const { state, judge } = judging();
  expect(await judge('known')).toEqual(caller);
  const guesses = Array.from({ length: 2_000 }, async (_, n) => judge(`guess-${n}`));
  expect(await judge('new')).toEqual(caller);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set(['unknown']));
  // 1 for the known one, 8 for 2,001 others: 300 at once.
  expect(state.asked).toBeLessThanOrEqual(1 + 8);
  expect(state.seconds).toBeGreaterThanOrEqual((state.asked - 2) / 4);
  state.seconds = 4.4;
  expect(judge('known')).toEqual(caller);
});

test('one guess after the other costs four questions a second too, and a known token waits for none', async () => {
  const { state, judge } = judging();
  await judge('known');
  for (let n = 0; n < 40; n += 1) expect(await judge(`guess-${n}`)).toBe('unknown');
  expect(state.seconds).toBeCloseTo(40 / 4);
  const [asked, seconds] = [state.asked, state.seconds];
  expect(await judge('known')).toEqual(caller);
  expect([state.asked, state.seconds]).toEqual([asked + 1, seconds]);
});

test('more guesses than can wait are answered at once, that nobody can tell', async () => {
  const { judge } = judging();
  const first = Array.from({ length: 3_000 }, async (_, n) => judge(`guess-${n}`));
  expect(judge('guess-more')).toBe('unavailable');
  await Promise.all(first);
  expect(await judge('new')).toEqual(caller);
});

test('an answer that came too late is none, and is not kept [gateway.oauth.token]', async () => {
  const { state, judge } = judging();
  state.slowness = 4.6;
  expect(await judge('t')).toBe('unavailable');
  state.slowness = 0;
  expect(await judge('t')).toEqual(caller);
  expect(state.asked).toBe(2);
});
