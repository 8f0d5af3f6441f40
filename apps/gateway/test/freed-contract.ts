import { expect, test } from 'vitest';
import { openedStore } from './opened-store.ts';
import { amount } from './samples.ts';
import { entryAt, type Store } from './state-contract.ts';

async function useStore(newStore: () => Promise<Store>) {
  const { clock, open } = await openedStore(newStore);
  const state = await open();
  const entry = (nonce: string) => entryAt(clock.now, nonce);
  const pay = async (nonce: string, remaining: string) => {
    const budget = { remaining: amount(remaining), askedAt: clock.now, signed: amount('1000') };
    return (await state.openPayment(entry(nonce), budget, null)).kind;
  };
  return { clock, open, state, entry, pay };
}

/** What holds for looks at payments in doubt that overlap or come late, whatever keeps the state. */
export function testFreed(newStore: () => Promise<Store>): void {
  test('what is known to have settled is never forgotten as unused, nor what was opened anew since it was looked at [gateway.state.freed-once]', async () => {
    const { clock, state, entry, pay } = await useStore(newStore);
    await pay('n1', '2');
    const seen = entry('n1');
    await state.report(entry('n1').ifSettled, 'n1');
    await state.resolveUnused(seen);
    expect(await state.paymentBy('n1')).toEqual(seen);
    expect(await pay('n2', '1')).toBe('over-budget');

    await pay('n3', '2');
    const first = entry('n3');
    await state.resolveUnused(first);
    clock.now += 1_000;
    await pay('n3', '2');
    // Another look at the first one has come to its end only now.
    await state.resolveUnused(first);
    expect(await state.withdraw(first, null, null)).toBe(false);
    await state.reportUnresolved(first.ifSettled, first);
    expect(await state.unresolved()).toEqual([entry('n3')]);
    expect(await pay('n4', '2')).toBe('over-budget');
  });

  test('a payment whose outcome nobody knows is reported once, by however many that find it at once [gateway.state.freed-once]', async () => {
    const { open, state, entry, pay } = await useStore(newStore);
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
