import type { Address } from '@countersign/protocol/address';
import type { Timers } from '@countersign/service/timers';
import type { Span } from '@countersign/service/trace';
import { within } from '../within.ts';

/** A look-up about one wallet. Never rejects. */
export type Lookup<T> = (wallet: Address, span: Span) => Promise<T>;

/** Nobody waits longer than this, in milliseconds, for somebody else's look-up. */
export const patienceMs = 250;

/**
 * Asks once for all who wait for the same. Nobody gets an answer that is older than their own question: who comes while
 * the wallet is being looked up shares the next look-up, which begins when that one has ended, or takes too long.
 */
export function grouped<T>(ask: Lookup<T>, timers: Timers): Lookup<T> {
  const running = new Map<Address, Promise<T>>();
  const waiting = new Map<Address, Promise<T>>();

  const begin: Lookup<T> = (wallet, span) => {
    const asked = ask(wallet, span);
    running.set(wallet, asked);
    const ended = (): void => {
      if (running.get(wallet) === asked) running.delete(wallet);
    };
    void asked.then(ended);
    return asked;
  };
  const beginAfter = async (current: Promise<T>, wallet: Address, span: Span): Promise<T> => {
    await within(current, patienceMs, timers);
    waiting.delete(wallet);
    return begin(wallet, span);
  };
  return (wallet, span) => {
    const next = waiting.get(wallet);
    if (next !== undefined) return next;
    const current = running.get(wallet);
    if (current === undefined) return begin(wallet, span);
    const shared = beginAfter(current, wallet, span);
    waiting.set(wallet, shared);
    return shared;
  };
}
