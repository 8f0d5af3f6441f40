import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayState } from '../src/state/state.ts';
import { amount } from './samples.ts';
import { entryAt, type Store } from './state-contract.ts';

/** What holds for looks at payments in doubt that overlap or come late, whatever keeps the state. */
export function testFreed(newStore: () => Promise<Store>): void {
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
  const entry = (nonce: string) => entryAt(clock, nonce);
  const pay = async (nonce: string, remaining: string) => {
    const budget = { remaining: amount(remaining), askedAt: clock, signed: amount('1000') };
    return (await state.openPayment(entry(nonce), budget, null)).kind;
  };

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

  test('what is known to have settled is never forgotten as unused, nor what was opened anew since it was looked at [gateway.state.freed-once]', async () => {
    await pay('n1', '2');
    const seen = entry('n1');
    await state.report(entry('n1').ifSettled, 'n1');
    await state.resolveUnused(seen);
    expect(await state.paymentBy('n1')).toEqual(seen);
    expect(await pay('n2', '1')).toBe('over-budget');

    await pay('n3', '2');
    const first = entry('n3');
    await state.resolveUnused(first);
    clock += 1_000;
    await pay('n3', '2');
    // Another look at the first one has come to its end only now.
    await state.resolveUnused(first);
    expect(await state.withdraw(first, null, null)).toBe(false);
    await state.reportUnresolved(first.ifSettled, first);
    expect(await state.unresolved()).toEqual([entry('n3')]);
    expect(await pay('n4', '2')).toBe('over-budget');
  });

  test('a payment whose outcome nobody knows is reported once, by however many that find it at once [gateway.state.freed-once]', async () => {
    const other = await open();
    await pay('n1', '2');
    const seen = entry('n1');
    await Promise.all([state, other, state].map((by) => by.reportUnresolved(seen.ifSettled, seen)));
    await other.resolveUnused(seen);
    const reports = [...(await state.pending(8)), ...(await other.pending(8))];
    expect(reports.map(({ nonce }) => nonce)).toEqual(['n1']);
    expect(await state.unresolved()).toEqual([]);
  });
}
