import { onTestFinished } from 'vitest';
import type { GatewayState } from '../src/state/state.ts';
import type { Store } from './state-contract.ts';

/** A store of this test alone, with a clock that the test moves by hand (Unix ms); each `open` is one more process on it. */
export async function openedStore(newStore: () => Promise<Store>) {
  const clock = { now: 1_000_000_000_000 };
  let ids = 0;
  const store = await newStore();
  const opened: GatewayState[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((state) => state.close()));
    await store.remove();
  });
  const open = async (): Promise<GatewayState> => {
    const state = await store.open(
      () => clock.now,
      () => `id${++ids}`,
    );
    opened.push(state);
    return state;
  };
  return { clock, open };
}
