import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaymentEntry } from '../src/ports/payment-entry.ts';
import { claimMs } from '../src/state/forget.ts';
import type { GatewayState } from '../src/state/state.ts';
import { entryAt, type Store } from './state-contract.ts';

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
const entry = (nonce: string, more: Partial<PaymentEntry> = {}): PaymentEntry => entryAt(clock, nonce, more);

/** What holds for payments without a key, whatever keeps the state. Defines the tests; each has a store of its own. */
export function testUnnamed(newStore: () => Promise<Store>): void {
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

  testAskers();
  testLife();
}

function testAskers(): void {
  test('a payment without a key is found by who asked for it, while nobody knows its outcome', async () => {
    const asker = { identity: 'a'.repeat(64), process: 'p', traceId: 't' };
    const payload = { text: '\u0000' };
    const opened = (nonce: string, more: object) => state.openPayment(entry(nonce, more), null, null);
    await opened('n1', { callKey: null, asker, payload, openedAt: clock });
    await opened('n2', { callKey: null, asker, payload, openedAt: clock + 1 });
    await opened('n3', { callKey: null, asker: { ...asker, identity: 'b'.repeat(64) }, payload: { asker } });
    await opened('n4', { callKey: null, payload });
    const other = await open();
    const found = async (after: number) =>
      (await other.unresolvedOf(asker.identity, after)).map(({ nonce }) => nonce);
    expect(await state.paymentBy('n4')).toMatchObject({ nonce: 'n4', payload });
    expect(await state.paymentBy('n5')).toBeNull();
    expect([await found(clock - 1), await found(clock)]).toEqual([['n1', 'n2'], ['n2']]);
    await state.report(entry('n1').ifSettled, 'n1');
    await state.resolveUnused({ nonce: 'n2', openedAt: clock + 1 });
    expect(await found(0)).toEqual([]);
  });

  test('a payment without a key is passed on by who looks after it, once; told, it is nobody’s', async () => {
    const other = await open();
    const asker = { identity: 'a'.repeat(64), process: 'dead', traceId: 't' };
    const opened = entry('n1', { asker });
    await state.openPayment(opened, null, null);
    const found = async (by = other) => (await by.unresolvedOf(asker.identity, 0)).map((each) => each.asker);
    const [seen] = await other.unresolvedOf(asker.identity, 0);
    if (seen === undefined) throw new Error('not found');
    const [one, two] = await Promise.all([
      state.passOn(opened, { ...asker, process: 'one' }),
      other.passOn(seen, { ...asker, process: 'two' }),
    ]);
    expect([one, two].filter((each) => each === null).length).toBe(1);
    const taken = one ?? two;
    if (taken === null) throw new Error('nobody has it');
    expect(taken).toEqual({ ...opened, asker: taken.asker });
    expect(await found()).toEqual([taken.asker]);
    // It has slept meanwhile: what it opened may have been sent by whoever took it over.
    expect(await state.withdraw(opened, null, null)).toBe(false);
    expect(await state.passOn(opened, null)).toBeNull();

    const { asker: _, ...told } = opened;
    expect(await other.passOn(taken, null)).toEqual(told);
    expect([await found(), await state.paymentBy('n1')]).toEqual([[], told]);
    expect((await state.unresolved()).map(({ nonce }) => nonce)).toEqual(['n1']);
    expect(await other.passOn(taken, asker)).toBeNull();
  });
}

function testLife(): void {
  test('who has claimed a key is seen by all until it lets go or falls silent', async () => {
    const other = await open();
    expect(await other.isClaimed('key')).toBe(false);
    await state.claim('key', '');
    expect([await state.isClaimed('key'), await other.isClaimed('key')]).toEqual([true, true]);
    clock += claimMs;
    expect(await other.isClaimed('key')).toBe(false);
    await state.claim('key', '');
    expect(await other.isClaimed('key')).toBe(true);
    await state.release('key');
    expect(await other.isClaimed('key')).toBe(false);
  });
}
