import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, sayWhy } from './lifecycle.ts';
import type { Logger } from './logger.ts';

/**
 * Does `work` now and then again, `everyMs` after it has ended. A failure is logged under `name`, and the next turn
 * comes all the same. `stop` waits for what is under way.
 */
export function repeat(log: Logger, name: string, everyMs: number, work: () => Promise<void>): Service {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function turns(): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.warn({ task: name, why: sayWhy(error) }, 'will try again'));
      await sleep(everyMs, null, { signal, ref: false }).catch(() => null);
    }
  }
  const done = turns();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
