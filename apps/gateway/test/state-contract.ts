import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaymentEntry } from '../src/ports/payment-entry.ts';
import type { StoredApproval } from '../src/rules/approval.ts';
import { claimMs } from '../src/state/forget.ts';
import { leaseMs } from '../src/state/outbox.ts';
import type { GatewayState } from '../src/state/state.ts';
import { address, amount, merchant, owner } from './samples.ts';

/** An empty store of one adapter; each `open` is one more process on it. */
export type Store = {
  readonly open: (now: () => number, newId: () => string) => Promise<GatewayState>;
  readonly remove: () => Promise<void>;
};

let store: Store;
let state: GatewayState;
let opened: GatewayState[];
let clock: number;
let ids = 0;
const open = async (): Promise<GatewayState> => {
  const next = await store.open(
    () => clock,
    () => `id${++ids}`,
  );
  opened.push(next);
  return next;
};
const reopen = async (): Promise<void> => {
  await state.close();
  opened = opened.filter((other) => other !== state);
  state = await open();
};

const entry = (nonce: string, more: Partial<PaymentEntry> = {}): PaymentEntry => entryAt(clock, nonce, more);

/** A payment of 1 that was opened at `openedAt` (Unix ms). */
export const entryAt = (openedAt: number, nonce: string, more: Partial<PaymentEntry> = {}): PaymentEntry => ({
  nonce,
  callKey: null,
  callHash: 'c1',
  mandateId: 'mdt_1',
  holdId: null,
  heldUntil: null,
  amount: '1',
  validBefore: openedAt / 1000 + 60,
  payload: { signed: nonce, z: 1, a: { text: '\u0000 ü' } },
  payer: address(owner),
  asset: address(merchant),
  openedAt,
  ifSettled: { serviceName: 'shop', serviceResult: 'pass', chain: 'base', intentMandateId: 'mdt_1' },
  ...more,
});
const within = (remaining: string, askedAt = clock, signed = '1000') => ({
  remaining: amount(remaining),
  askedAt,
  signed: amount(signed),
});
const pay = async (nonce: string, remaining: string, more: Partial<PaymentEntry> = {}, by = state) =>
  (await by.openPayment(entry(nonce, more), within(remaining), null)).kind;
const forget = async (nonce: string) => state.resolveUnused((await state.paymentBy(nonce)) ?? entry(nonce));
const reportOf = (chain: string) => ({ ...entry('n').ifSettled, chain });
const chains = async (limit: number, by = state) =>
  (await by.pending(limit)).map(({ report }) => report.chain);
const firstPending = async () => {
  const [first] = await state.pending(8);
  if (first === undefined) throw new Error('no report');
  return first;
};

const message = { approvalId: 'apr_1' } as StoredApproval['message'];

/** What holds for the gateway's state whatever keeps it. Defines the tests; each has a store of its own. */
export function testState(newStore: () => Promise<Store>): void {
  beforeEach(async () => {
    clock = 1_000_000_000_000;
    opened = [];
    store = await newStore();
    state = await open();
  });
  afterEach(async () => {
    for (const each of opened) await each.close();
    await store.remove();
  });

  testBudget();
  testSigned();
  testDays();
  testKnown();
  testOnce();
  testClaims();
  testOffers();
  testQuestions();
  testOutbox();
}

function testBudget(): void {
  test('open payments of a mandate never exceed what is left of it, however many come at once, whoever takes them', async () => {
    const other = await open();
    const kinds = await Promise.all(
      Array.from({ length: 20 }, (_, i) => pay(`n${i}`, '7', {}, i % 2 === 0 ? state : other)),
    );
    expect(kinds.filter((kind) => kind === 'opened').length).toBe(7);
    expect(await pay('elsewhere', '1', { mandateId: 'mdt_2' })).toBe('opened');
  });

  test('sums of amounts are exact to the last unit', async () => {
    const tiny = '0.000000000000000001';
    expect(await pay('n1', '0.3', { amount: '0.1' })).toBe('opened');
    expect(await pay('n2', '0.3', { amount: '0.2' })).toBe('opened');
    expect(await pay('n3', '0.3', { amount: tiny })).toBe('over-budget');
    expect(await pay('n4', `0.3${tiny.slice(3)}`, { amount: tiny })).toBe('opened');
  });

  test('a payment takes budget until it is known to be unused, not just until its time is over', async () => {
    await pay('n1', '1', { callKey: 'call 1' });
    clock += 121_000;
    expect(await pay('n2', '1')).toBe('over-budget');
    await forget('n1');
    expect(await state.paymentOf('call 1')).toBeNull();
    expect(await pay('n1', '1', { payload: { signed: 'anew' } })).toBe('opened');
  });

  test('a settled payment takes budget until the dashboard has counted it, however long that takes', async () => {
    await pay('n1', '1');
    await state.report(entry('n1').ifSettled, 'n1');
    clock += 3_600_000;
    expect(await pay('n2', '1')).toBe('over-budget');
    const stored = await firstPending();
    // The look-up of what is left began before the dashboard had counted it: its answer may be too high.
    const askedAt = clock;
    clock += 5_000;
    await state.delivered(stored);
    expect((await state.openPayment(entry('n2'), within('1', askedAt), null)).kind).toBe('over-budget');
    clock += 5_000;
    expect(await pay('n2', '1')).toBe('opened');
  });

  test('what the dashboard holds is not counted twice, and counted here once its hold has run out', async () => {
    const held = { holdId: 'hld_1', heldUntil: clock + 120_000 };
    expect(await pay('n1', '1', held)).toBe('opened');
    expect(await pay('n2', '1', { ...held, holdId: 'hld_2' })).toBe('opened');
    clock += 60_000;
    const [one] = (await state.report(entry('n1').ifSettled, 'n1'), await state.pending(1));
    if (one === undefined) throw new Error('no report');
    await state.delivered(one);
    clock += 65_000;
    expect(await pay('n3', '1')).toBe('over-budget');
    await forget('n2');
    expect(await pay('n3', '1')).toBe('opened');
  });
}

function testSigned(): void {
  test('what the owner signed is kept, also when the dashboard counts nothing, and across restarts', async () => {
    const forgetful = () => within('1000', clock, '3');
    const take = async (nonce: string, amount = '1', by = state) =>
      (await by.openPayment(entry(nonce, { amount }), forgetful(), null)).kind;
    expect(await Promise.all([take('n1'), take('n2')])).toEqual(['opened', 'opened']);
    for (const nonce of ['n1', 'n2']) await state.report(entry(nonce).ifSettled, nonce);
    for (const stored of await state.pending(8)) await state.delivered(stored);
    clock += 3_600_000;
    await reopen();
    expect(await take('n3', '1.000000000000000001')).toBe('over-budget');
    expect(await take('n3')).toBe('opened');
    expect(await take('n4')).toBe('over-budget');
    // A payment that is known is sent again, and takes nothing.
    expect(await take('n3')).toBe('known');
    await forget('n3');
    expect(await take('n4')).toBe('opened');
    expect((await state.openPayment(entry('n5'), null, null)).kind).toBe('opened');
    expect(await pay('n6', '1000', { mandateId: 'mdt_2' })).toBe('opened');
  });
}

function testDays(): void {
  test('what no mandate covers counts under its day, until it is known to be unused', async () => {
    const other = await open();
    const ofDay = (day: string) => ({ mandateId: null, day });
    const kinds = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        pay(`n${i}`, '4', ofDay('2001-09-09'), i % 2 === 0 ? state : other),
      ),
    );
    expect(kinds.filter((kind) => kind === 'opened').length).toBe(4);
    expect(await pay('next day', '4', ofDay('2001-09-10'))).toBe('opened');
    await forget(`n${kinds.indexOf('opened')}`);
    expect(await pay('again', '4', ofDay('2001-09-09'))).toBe('opened');
    expect(await pay('too much', '4', ofDay('2001-09-09'))).toBe('over-budget');
  });
}

function testQuestions(): void {
  test('of one question one approval stands, whoever asks: until it is used, over, or answered', async () => {
    const lasting = new Date(clock + 60_000).toISOString();
    const asking = (approvalId: string, question = 'q1'): StoredApproval => ({
      message: { approvalId, expiresAt: lasting } as StoredApproval['message'],
      chainId: 84532,
      agent: null,
      usedAt: null,
      question,
      reason: 'PER_TX_LIMIT_EXCEEDED',
    });
    const keep = async (approvalId: string, question?: string, by = state) =>
      (await by.keepApproval(asking(approvalId, question))).message.approvalId;
    const other = await open();
    const kept = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id, i) => keep(id, 'q0', i % 2 === 0 ? state : other)),
    );
    expect(new Set(kept).size).toBe(1);
    expect(await keep('a1')).toBe('a1');
    expect(await other.keepApproval(asking('a2'))).toEqual(asking('a1'));
    expect(await keep('b1', 'q2')).toBe('b1');

    await state.endQuestion('a1');
    expect(await keep('a3')).toBe('a3');
    // Of a question that has gone on since.
    await state.endQuestion('a1');
    await state.endQuestion('unknown');
    expect(await keep('a4')).toBe('a3');
    await state.openPayment(entry('n1'), null, 'a3');
    expect(await keep('a5')).toBe('a5');
    expect((await state.findApproval('a1'))?.usedAt).toBeNull();
    clock += 60_000;
    expect(await keep('b2', 'q2')).toBe('b2');
  });
}

function testKnown(): void {
  test('what is known of a payment is found by its call or its nonce, whoever has let it go meanwhile, and nothing is written', async () => {
    const other = await open();
    const first = entry('n1', { callKey: 'call 1' });
    await state.openPayment(first, null, null);
    expect(await other.findKnown({ ...first, callKey: null })).toEqual(first);
    expect(await other.findKnown(entry('n2', { callKey: 'call 1' }))).toEqual(first);
    await forget('n1');
    expect(await other.findKnown(first)).toBeNull();
    expect(await other.unresolved()).toEqual([]);
  });
}

function testOnce(): void {
  test('what was opened is known again, to the letter, also after a restart: never a second payload', async () => {
    await pay('n1', '7');
    const first = JSON.stringify(entry('n1').payload);
    await reopen();
    const again = await state.openPayment(entry('n1', { payload: { signed: 'anew' } }), within('7'), null);
    expect(again.kind === 'known' && JSON.stringify(again.entry.payload)).toBe(first);
  });

  test('a logical call has one payment, whatever terms it comes with', async () => {
    expect(await state.paymentOf('call 1')).toBeNull();
    const others = await Promise.all(
      ['n1', 'n2', 'n3'].map((nonce) => pay(nonce, '9', { callKey: 'call 1' })),
    );
    expect(others.toSorted()).toEqual(['known', 'known', 'opened']);
    const sold = await state.paymentOf('call 1');
    await state.report(entry('n1').ifSettled, sold?.nonce ?? '');
    clock += 3_600_000;
    expect(await pay('n4', '9', { callKey: 'call 1' })).toBe('known');
    expect(await pay('n5', '9', { callKey: 'call 2' })).toBe('opened');
  });

  test('a payment is unresolved until it is reported or found unused', async () => {
    for (const nonce of ['n1', 'n2', 'n3']) {
      await pay(nonce, '9');
      clock += 1;
    }
    expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['n1', 'n2', 'n3']);
    await state.report(entry('n1').ifSettled, 'n1');
    await forget('n2');
    expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['n3']);
  });

  test('an approval is used up by the payment it opens, once, and by no payment that is refused', async () => {
    await state.keepApproval({ message, chainId: 84532, agent: null, usedAt: null });
    const refused = await state.openPayment(entry('a', { amount: '2' }), within('1'), 'apr_1');
    expect(refused.kind).toBe('over-budget');
    const other = await open();
    const kinds = await Promise.all(
      [state, other, state].map(async (by, i) => (await by.openPayment(entry(`n${i}`), null, 'apr_1')).kind),
    );
    expect(kinds.toSorted()).toEqual(['approval-used', 'approval-used', 'opened']);
    expect(await state.findApproval('apr_1')).toEqual({
      message,
      chainId: 84532,
      agent: null,
      usedAt: clock,
    });
    expect((await state.openPayment(entry('d'), null, 'apr_unknown')).kind).toBe('approval-used');
    expect(await state.findApproval('\u0000 what an agent may send')).toBeNull();
  });

  test('an answer is remembered for its key and call, across restarts; another call with the key is a conflict', async () => {
    const envelope = { code: 'SUCCESS', detail: { text: '\u0000' } } as unknown as GatewayEnvelope;
    const key = `${'ü'.repeat(120)}\u0000`;
    expect(await state.recall(key, 'hash 1')).toBe('new');
    await state.remember(key, 'hash 1', envelope, 1000);
    await reopen();
    expect(await state.recall(key, 'hash 1')).toEqual(envelope);
    expect(await state.recall(key, 'hash 2')).toBe('conflict');
  });
}

const sold = { code: 'SUCCESS', detail: { downstreamContent: ['\u0000'] } } as unknown as GatewayEnvelope;

function testClaims(): void {
  test('a key is run by one process at a time, until that is done with it or has fallen silent', async () => {
    const other = await open();
    const key = `${'ü'.repeat(120)}\u0000`;
    const at = (by: GatewayState, callHash = 'hash 1') => by.claim(key, callHash).then(({ kind }) => kind);
    expect(await at(state)).toBe('mine');
    expect([await at(state), await at(other), await at(other, 'hash 2')]).toEqual([
      'mine',
      'running',
      'conflict',
    ]);
    clock += claimMs - 1000;
    await state.renew([key]);
    clock += claimMs - 1000;
    expect(await at(other)).toBe('running');
    clock += claimMs;
    expect(await at(other)).toBe('mine');
    // Too late: it is the other one's now.
    await state.release(key);
    await state.renew([key]);
    expect(await at(state)).toBe('running');
    await other.release(key);
    expect(await at(state, 'hash 2')).toBe('mine');
  });

  test('who waits for a key gets its answer as soon as its process is done', async () => {
    const other = await open();
    await state.claim('key', 'hash');
    await state.remember('key', 'hash', sold, 1000);
    expect((await other.claim('key', 'hash')).kind).toBe('running');
    await state.release('key');
    expect(await other.claim('key', 'hash')).toEqual({ kind: 'answered', answer: sold });
    expect(await other.claim('key', 'hash 2')).toEqual({ kind: 'conflict' });
  });
}

function testOffers(): void {
  test('an offered answer goes to one who asks for the same, the oldest first, across restarts, and not for ever', async () => {
    const other = await open();
    // Longer than a loaded machine takes to measure the clock of its database.
    const forMs = 60_000;
    const kept = { callHash: 'hash', envelope: sold, keptForMs: 10 * forMs, isRunning: false };
    await state.offer('identity', 'one', forMs, kept);
    clock += 1;
    await state.offer('identity', 'two', forMs, { ...kept, isRunning: true });
    await state.offer('another', 'three', forMs, kept);
    await reopen();
    expect([await other.adopt('identity'), await state.adopt('identity')]).toEqual(['one', 'two']);
    expect([await state.adopt('identity'), await other.adopt('nobody')]).toEqual([null, null]);
    expect(await other.claim('one', 'hash')).toEqual({ kind: 'answered', answer: sold });
    expect((await other.claim('two', 'hash')).kind).toBe('running');
    clock += claimMs;
    expect(await other.claim('two', 'hash')).toEqual({ kind: 'answered', answer: sold });
    clock += forMs;
    await other.offer('identity', 'one', forMs, null);
    expect(await state.adopt('identity')).toBe('one');
    expect(await state.adopt('another')).toBeNull();
  });

  test('an answer that is offered once more goes to one all the same', async () => {
    const kept = { callHash: 'hash', envelope: sold, keptForMs: 5000, isRunning: false };
    await state.offer('identity', 'one', 1000, kept);
    clock += 1;
    await (await open()).offer('identity', 'one', 1000, kept);
    expect([await state.adopt('identity'), await state.adopt('identity')]).toEqual(['one', null]);
  });

  test('a payment that never left is withdrawn with its approval, unless another process has taken its call over', async () => {
    await state.keepApproval({ message, chainId: 84532, agent: null, usedAt: null });
    const entryOf = (nonce: string) => entry(nonce, { callKey: nonce });
    const open1 = (nonce: string) => state.openPayment(entryOf(nonce), null, 'apr_1');
    expect((await open1('n1')).kind).toBe('opened');
    expect(await state.withdraw(entryOf('n1'), 'apr_1', null)).toBe(true);
    expect(await state.findApproval('apr_1')).toMatchObject({ usedAt: null });
    expect(await state.paymentOf('n1')).toBeNull();
    expect((await open1('n2')).kind).toBe('opened');
    const other = await open();
    await other.claim('key', 'hash');
    expect(await state.withdraw(entryOf('n2'), 'apr_1', 'key')).toBe(false);
    expect(await state.paymentOf('n2')).toMatchObject({ nonce: 'n2' });
    expect(await other.withdraw(entryOf('n2'), 'apr_1', 'key')).toBe(true);
    expect(await other.paymentOf('n2')).toBeNull();
  });
}

function testOutbox(): void {
  test('reports wait in order until they are delivered, and a refused one is set aside', async () => {
    for (const chain of ['one', 'two', 'three']) {
      await state.report(reportOf(chain), null);
      clock += 1;
    }
    expect(await chains(8)).toEqual(['one', 'two', 'three']);
    const [first, second] = await state.pending(2);
    if (first === undefined || second === undefined) throw new Error('no reports');
    await state.delivered(first);
    await state.park(second, '400');
    await reopen();
    expect(await chains(8)).toEqual(['three']);
  });

  test('a postponed report lets those behind it pass, and is anybody’s once its time has come', async () => {
    const other = await open();
    await state.report(reportOf('one'), null);
    clock += 1;
    await state.report(reportOf('two'), null);
    for (const first of await state.pending(1)) await state.postpone(first, 10 * leaseMs);
    expect([await chains(1), await chains(8, other)]).toEqual([['two'], []]);
    await reopen();
    expect(await chains(8)).toEqual(['two']);
    clock += 10 * leaseMs;
    await expect.poll(async () => (await chains(8, other)).toSorted()).toEqual(['one', 'two']);
  });

  test('a report is one process’s to send, and another’s as soon as that one stops or falls silent', async () => {
    const other = await open();
    await state.report(reportOf('one'), null);
    await other.report(reportOf('two'), null);
    expect([await chains(8), await chains(8, other)]).toEqual([['one'], ['two']]);
    clock += 2 * leaseMs;
    // The other has fallen silent. What one process writes another may see a moment later.
    await expect.poll(async () => (await chains(8)).toSorted()).toEqual(['one', 'two']);
    expect(await chains(8, other)).toEqual([]);
    await reopen();
    await expect.poll(async () => (await chains(8, other)).toSorted()).toEqual(['one', 'two']);
  });

  test('a new report is told at once', async () => {
    let told = 0;
    state.onReport(() => {
      told += 1;
    });
    await state.report(reportOf('one'), null);
    expect(told).toBe(1);
  });
}
