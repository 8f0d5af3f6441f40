import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { parseAddress } from '@countersign/protocol/address';
import type { Role } from '@countersign/protocol/dashboard/roles';
import { ok, type Result } from '@countersign/protocol/result';
import { createLogger } from '@countersign/service/logger';
import { readAssertion } from '@countersign/service/person-assertion';
import { expect, test, vi } from 'vitest';
import type { SessionCaller } from '../callers.ts';
import { asserter, createPasses, type No, type Pass, type Seen } from './passes.ts';

const walletAddress = parseAddress(`0x${'1'.repeat(40)}`);
if (walletAddress === null) throw new Error('no address');

const session = (roles: readonly Role[], sessionId: string): SessionCaller => ({
  sessionId,
  account: {
    id: 'account',
    walletAddress,
    publicKey: '0x',
    createdAt: new Date(0),
    closedAt: null,
  },
  person: { id: 'per_1', name: 'Olga', roles, holder: false },
});

function open() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const clock = { now: new Date('2026-11-26T12:00:00Z') };
  const left: string[] = [];
  const silence = { lasts: false };
  const answers: ((pass: Result<Pass, No>) => void)[] = [];
  const asserted: string[] = [];
  const passes = createPasses({
    assert: asserter(privateKey, randomBytes),
    entrance: {
      to: 'countersign-vault',
      enter: (assertion) => {
        asserted.push(assertion);
        return new Promise((resolve) => answers.push(resolve));
      },
      leave: async (token) => {
        left.push(token);
        return silence.lasts ? { code: 'silent', msg: 'it does not respond' } : null;
      },
      end: async () => null,
    },
    now: () => clock.now,
    log: createLogger('dashboard', 'silent'),
  });
  const give = async (token: string) => {
    await vi.waitFor(() => expect(answers).not.toEqual([]));
    answers.shift()?.(ok({ token, seconds: 900, name: 'Olga (per_1)' }));
  };
  const caller = (roles: readonly Role[], sessionId = 'ses_1'): Seen => ({
    ...session(roles, sessionId),
    seenAt: clock.now,
  });
  return { passes, caller, clock, left, silence, asserted, give, publicKey };
}

const tokenOf = (pass: Result<Pass, No>) => (pass.ok ? pass.value.token : pass.error.code);

test('all who ask for a session at a time share one exchange, which is renewed before it ends [system.one-sign-in.session]', async () => {
  const { passes, caller, clock, asserted, give, publicKey } = open();
  const asked = [1, 2, 3].map(() => passes.of(caller(['owner'])));
  await give('one');
  expect((await Promise.all(asked)).map(tokenOf)).toEqual(['one', 'one', 'one']);
  const said = await readAssertion(publicKey, 'countersign-vault', asserted[0] ?? '', clock.now);
  expect(said.ok && said.value).toMatchObject({ account: walletAddress, person: 'per_1', roles: ['owner'] });
  // Nothing that opens the session here is told elsewhere.
  expect(JSON.stringify(said)).not.toContain('ses_1');
  clock.now = new Date(clock.now.getTime() + 841_000);
  const renewed = passes.of(caller(['owner']));
  await give('two');
  expect([tokenOf(await renewed), asserted.length]).toEqual(['two', 2]);
});

test('other roles are exchanged anew, and what the old ones got is left [system.one-sign-in.ends]', async () => {
  const { passes, caller, left, give } = open();
  const owner = passes.of(caller(['owner']));
  await give('owner');
  await owner;
  const auditor = passes.of(caller(['auditor']));
  await give('auditor');
  expect(tokenOf(await auditor)).toBe('auditor');
  expect(left).toEqual(['owner']);
});

test('a session that ends while it is being exchanged leaves what it then gets [system.one-sign-in.ends]', async () => {
  const { passes, caller, left, give } = open();
  const asked = passes.of(caller(['owner']));
  passes.drop('ses_1');
  await give('late');
  await asked;
  await vi.waitFor(() => expect(left).toEqual(['late']));
  const again = passes.of(caller(['owner']));
  await give('new');
  expect(tokenOf(await again)).toBe('new');
});

test('what could not be left is left again until the part has heard, or its time is over [system.one-sign-in.ends]', async () => {
  const { passes, caller, clock, left, silence, give } = open();
  silence.lasts = true;
  for (const [session, token] of [
    ['ses_1', 'one'],
    ['ses_2', 'two'],
  ] as const) {
    const asked = passes.of(caller(['owner'], session));
    await give(token);
    await asked;
  }
  passes.drop('ses_1');
  await vi.waitFor(() => expect(left).toEqual(['one']));
  await passes.tidy();
  expect(left).toEqual(['one', 'one']);
  silence.lasts = false;
  await passes.tidy();
  await passes.tidy();
  expect(left).toEqual(['one', 'one', 'one']);
  silence.lasts = true;
  passes.drop('ses_2');
  await vi.waitFor(() => expect(left).toHaveLength(4));
  clock.now = new Date(clock.now.getTime() + 900_000);
  await passes.tidy();
  expect(left).toHaveLength(4);
});

test('a token that has run out is forgotten with its session, of which nobody told [system.one-sign-in.session]', async () => {
  const { passes, caller, clock, left, give } = open();
  const asked = passes.of(caller(['owner']));
  await give('one');
  await asked;
  clock.now = new Date(clock.now.getTime() + 899_000);
  await passes.tidy();
  clock.now = new Date(clock.now.getTime() + 1_000);
  await passes.tidy();
  passes.drop(null);
  expect(left).toEqual([]);
});
