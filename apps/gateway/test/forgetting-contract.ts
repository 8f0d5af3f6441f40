import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredApproval } from '../src/rules/approval.ts';
import { keptForMs, namedForMs, unnamedForMs } from '../src/state/forget.ts';
import { openedStore } from './opened-store.ts';
import { amount } from './samples.ts';
import { entryAt, type Store } from './state-contract.ts';

/** No answer of a test makes room for another one. */
const enough = 1_000_000;

/** A store in use, with a clock that a test moves by hand. */
async function useStore(newStore: () => Promise<Store>) {
  const { clock, open } = await openedStore(newStore);
  const [state, other] = [await open(), await open()];
  const report = (nonce: string) => state.report(entryAt(clock.now, nonce).ifSettled, nonce);
  const pay = async (nonce: string, callKey: string | null = null, remaining = '1000') => {
    const budget = { remaining: amount(remaining), askedAt: clock.now, signed: amount('1000000') };
    return (await state.openPayment(entryAt(clock.now, nonce, { callKey }), budget, null)).kind;
  };
  const deliverAll = async () => {
    for (const stored of await state.pending(100)) await state.delivered(stored);
  };
  return {
    state,
    /** Another process on the same store. */
    other,
    now: () => clock.now,
    report,
    pay,
    deliverAll,
    pass: (ms: number) => void (clock.now += ms),
    /** A payment from its beginning until the dashboard has counted it. */
    settle: async (nonce: string, callKey: string | null = null) => {
      await pay(nonce, callKey);
      await report(nonce);
      await deliverAll();
    },
    /** Lets time pass, and forgets what is due then. */
    wait: async (ms: number) => {
      clock.now += ms;
      while ((await state.forgetOld(2, enough)) > 0);
    },
  };
}

/** What holds for forgetting, whatever keeps the state. Defines the tests; each has a store of its own. */
export function testForgetting(newStore: () => Promise<Store>): void {
  testPayments(newStore);
  testAnswers(newStore);
  testOrders(newStore);
}

function testPayments(newStore: () => Promise<Store>): void {
  test('a counted payment is forgotten a day later, one with a key 30 days later, and its key pays again only then', async () => {
    const { state, pay, settle, wait } = await useStore(newStore);
    await settle('n1');
    await settle('n2', 'call 2');
    await wait(unnamedForMs - 1);
    expect([await pay('n1'), await pay('n2')]).toEqual(['known', 'known']);
    await wait(2);
    expect([await pay('n1'), await pay('n2')]).toEqual(['opened', 'known']);
    await wait(namedForMs - unnamedForMs - 2);
    expect(await pay('n3', 'call 2')).toBe('known');
    await wait(2);
    expect(await state.paymentOf('call 2')).toBeNull();
    expect(await pay('n3', 'call 2')).toBe('opened');
  });

  test('a payment whose outcome is open, or whose report has not arrived, is never forgotten', async () => {
    const { state, pay, report, wait } = await useStore(newStore);
    for (const nonce of ['open', 'refused', 'waiting']) await pay(nonce, nonce);
    await report('refused');
    for (const stored of await state.pending(8)) await state.park(stored, '400');
    await report('waiting');
    await wait(100 * namedForMs);
    for (const nonce of ['open', 'refused', 'waiting'])
      expect(await state.paymentOf(nonce)).toMatchObject({ nonce });
    expect(await state.pending(8)).toMatchObject([{ nonce: 'waiting' }]);
    // They go on taking budget.
    expect(await pay('n1', null, '3.5')).toBe('over-budget');
  });

  test('a report that arrived twice forgets its payment once, not the next one of the same call', async () => {
    const { state, pay, report, wait } = await useStore(newStore);
    await pay('n1', 'call 1');
    await report('n1');
    const waiting = await state.pending(8);
    for (const stored of waiting) await state.delivered(stored);
    await wait(5_000);
    for (const stored of waiting) await state.delivered(stored);
    await wait(namedForMs - 1);
    const kinds = [await pay('n1', 'call 1')];
    for (let n = 0; n < 2; n += 1) {
      await wait(5_000);
      kinds.push(await pay('n1', 'call 1'));
    }
    // Which of the two arrivals counts is the store's own business.
    expect(kinds.filter((kind) => kind === 'opened')).toHaveLength(1);
  });
}

function testAnswers(newStore: () => Promise<Store>): void {
  test('an answer is kept for 30 days after it was last remembered, an approval for 30 days', async () => {
    const { state, now, wait } = await useStore(newStore);
    const answer = { code: 'SUCCESS' } as unknown as GatewayEnvelope;
    const message = { approvalId: 'apr_1' } as StoredApproval['message'];
    await state.keepApproval({ message, chainId: 84532, agent: null, usedAt: null });
    for (const key of ['once', 'twice']) await state.remember(key, 'hash', answer, namedForMs);
    await wait(1000);
    await state.remember('twice', 'hash', answer, namedForMs);
    await wait(namedForMs - 1001);
    expect(await state.recall('once', 'hash')).toEqual(answer);
    expect(await state.findApproval('apr_1')).not.toBeNull();
    await wait(2);
    expect(await state.recall('once', 'hash')).toBe('new');
    expect(await state.recall('twice', 'hash')).toEqual(answer);
    expect(await state.findApproval('apr_1')).toBeNull();
    expect((await state.openPayment(entryAt(now(), 'n1'), null, 'apr_1')).kind).toBe('approval-used');
    await wait(1000);
    expect(await state.recall('twice', 'hash')).toBe('new');
  });

  test('all kept answers together have a bound: the content of the oldest goes, and that they were paid for stays [gateway.paying.kept.bounded]', async () => {
    const { state, pass } = await useStore(newStore);
    const large = (n: number) =>
      ({
        code: 'SUCCESS',
        message: `Paid ${n}.`,
        detail: { paymentMade: true, downstreamContent: [`${n} `.repeat(100)] },
      }) as unknown as GatewayEnvelope;
    for (let n = 10; n < 25; n += 1) {
      await state.remember(`key ${n}`, 'hash', large(n), namedForMs);
      pass(1);
    }
    await state.forgetOld(100, 5000);
    const contents = [];
    for (let n = 10; n < 25; n += 1) {
      const answer = await state.recall(`key ${n}`, 'hash');
      if (typeof answer === 'string') throw new Error(`${n} is forgotten`);
      expect(answer.message).toContain(`Paid ${n}.`);
      contents.push(answer.detail.downstreamContent !== null);
    }
    expect([contents[0], contents.at(-1)]).toEqual([false, true]);
    expect(contents.lastIndexOf(false)).toBeLessThan(contents.indexOf(true));
    expect(contents.filter((isThere) => isThere).length).toBeLessThan(5000 / 300);
  });

  test('so many are forgotten at a time and no more, also when several processes do so at once', async () => {
    const { state, other, pay, pass, settle, wait } = await useStore(newStore);
    for (let n = 0; n < 12; n += 1) await settle(`n${n}`);
    expect(await state.forgetOld(5, enough)).toBe(0);
    pass(unnamedForMs + 1);
    const forgotten = await Promise.all([state, other, state, other].map((by) => by.forgetOld(2, enough)));
    expect(Math.max(...forgotten)).toBe(2);
    await wait(0);
    expect(await pay('n11')).toBe('opened');
  });
}

const paymentNumber = fc.nat(3);
const someSteps = fc.array(
  fc.oneof(
    fc.record({ pay: paymentNumber }),
    fc.record({ report: paymentNumber }),
    fc.record({ deliver: fc.constant(true) }),
    fc.record({ waitDays: fc.nat(40) }),
  ),
  { maxLength: 15 },
);

/** What should have become of a payment; `countedAt` is null until its report has arrived. */
type Fate = { reported: boolean; countedAt: number | null };
type Desk = Awaited<ReturnType<typeof useStore>>;

/** Pays, and tells whether the store knew the payment exactly when it should have. */
async function payAsExpected(desk: Desk, fates: Map<string, Fate>, nonce: string): Promise<boolean> {
  const callKey = /[02]$/.test(nonce) ? null : nonce;
  const fate = fates.get(nonce);
  const age = desk.now() - (fate?.countedAt ?? desk.now());
  const known = fate !== undefined && age < keptForMs(callKey);
  if (!known) fates.set(nonce, { reported: false, countedAt: null });
  return (await desk.pay(nonce, callKey)) === (known ? 'known' : 'opened');
}

async function reportOnce(desk: Desk, fate: Fate | undefined, nonce: string): Promise<void> {
  if (fate === undefined || fate.reported) return;
  fate.reported = true;
  await desk.report(nonce);
}

async function deliver(desk: Desk, fates: Map<string, Fate>): Promise<void> {
  await desk.deliverAll();
  for (const fate of fates.values()) if (fate.reported) fate.countedAt ??= desk.now();
}

function testOrders(newStore: () => Promise<Store>): void {
  test('in whatever order things happen, a payment is known until it was counted for long enough', async () => {
    const desk = await useStore(newStore);
    let run = 0;
    const asExpected = fc.asyncProperty(someSteps, async (steps) => {
      run += 1;
      const nonceOf = (n: number) => `${run}-${n}`;
      const fates = new Map<string, Fate>();
      for (const step of steps) {
        if ('pay' in step && !(await payAsExpected(desk, fates, nonceOf(step.pay)))) return false;
        if ('report' in step) await reportOnce(desk, fates.get(nonceOf(step.report)), nonceOf(step.report));
        if ('deliver' in step) await deliver(desk, fates);
        if ('waitDays' in step) await desk.wait(step.waitDays * unnamedForMs + 1);
      }
      return true;
    });
    await fc.assert(asExpected, { numRuns: 30 });
  });
}
