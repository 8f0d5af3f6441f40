import { setTimeout as sleep } from 'node:timers/promises';
import { sayWhy } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import type { Pool } from './sql.ts';

/** Work that one process at a time does. `stop` ends the work first, then lets another process have it. */
export type Leadership = { readonly stop: () => Promise<void> };

const retryMs = 2_000;

/**
 * Does `work` while this process holds an advisory lock of PostgreSQL, and waits for it otherwise. `work` gives the
 * function that ends it, which is called when the connection with the lock is lost, too.
 */
export function lead(
  pool: Pool,
  lock: number,
  log: Logger,
  work: () => Promise<() => Promise<void>>,
): Leadership {
  const stopping = new AbortController();
  const ended = leadUntilStopped(pool, lock, work, stopping.signal, log);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function leadUntilStopped(
  pool: Pool,
  lock: number,
  work: () => Promise<() => Promise<void>>,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await leadOnce(pool, lock, work, signal);
    } catch (error) {
      log.warn({ why: sayWhy(error) }, 'could not take over work that one process does');
    }
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
}

/** Tries for the lock; with it, works until the connection is lost or the signal comes. */
async function leadOnce(
  pool: Pool,
  lock: number,
  work: () => Promise<() => Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  const client = await pool.connect();
  const lost = new Promise<void>((resolve) => client.once('error', () => resolve()));
  const told = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [lock]);
    if ((rows[0] as { mine: boolean }).mine) {
      const starting = work();
      // Work that cannot begin must not keep the process from stopping.
      const end = await Promise.race([starting, told, lost]);
      if (typeof end === 'function') {
        await Promise.race([lost, told]);
        await end();
      } else void starting.then((late) => late()).catch(() => {});
    }
  } finally {
    // Closed instead of given back: that frees the lock, however this ended.
    client.release(true);
  }
}
