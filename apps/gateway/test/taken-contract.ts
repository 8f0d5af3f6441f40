import { expect, test } from 'vitest';
import { openedStore } from './opened-store.ts';
import { amount } from './samples.ts';
import { entryAt, type Store } from './state-contract.ts';

/** What holds for payments of which less than the maximum is taken, whatever keeps the state. */
export function testTaken(newStore: () => Promise<Store>): void {
  test('of a maximum what was not taken is free once the dashboard has counted the rest, in all that was signed too [gateway.upto.taken]', async () => {
    const { clock, open } = await openedStore(newStore);
    const state = await open();
    const [most, signed] = [amount('1.5'), amount('1.5')];
    const take = async (nonce: string, of: string, askedAt = clock.now) => {
      const entry = entryAt(clock.now, nonce, { amount: of, decimals: 6 });
      return (await state.openPayment(entry, { remaining: most, signed, askedAt }, null)).kind;
    };
    expect(await take('n1', '1')).toBe('opened');
    expect(await take('n2', '1')).toBe('over-budget');
    await state.report({ ...entryAt(clock.now, 'n1').ifSettled, amount: '0.25' }, 'n1');
    expect(await take('n2', '1')).toBe('over-budget');
    const askedAt = clock.now;
    clock.now += 5_000;
    for (const stored of await state.pending(8)) await state.delivered(stored);
    // A look-up from before counts what was taken, and no more.
    expect(await take('n3', '1.250001', askedAt)).toBe('over-budget');
    expect(await take('n3', '1.25', askedAt)).toBe('opened');
    // What the owner signed is used up, whatever the dashboard says is left.
    expect(await take('n4', '0.000001')).toBe('over-budget');
    // What was counted is not given back, by a look that has come too late.
    const seen = await state.paymentBy('n1');
    if (seen === null) throw new Error('it is not there');
    await state.resolveUnused(seen);
    expect(await take('n4', '0.000001')).toBe('over-budget');
  });
}
