import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Service, sayWhy } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import type { Pool } from './sql.ts';

export type Hearing = {
  /** The connection's name in PostgreSQL (`application_name`). */
  readonly name: string;
  /** Called with the payload of each notification. */
  readonly onMessage: (message: string) => void;
  /** From now on every message is heard (true), or some may be missed (false). */
  readonly onChange: (hearing: boolean) => void;
};

const again = 1_000;

/**
 * Listens to a channel of PostgreSQL on a connection of its own, and comes back when that is lost. Messages that are
 * sent meanwhile are lost: `onChange` tells. `stop` waits until the connection is closed.
 */
export function hear(pool: Pool, channel: string, hearing: Hearing, log: Logger): Service {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function turns(): Promise<void> {
    while (!signal.aborted) {
      await listen(pool, channel, hearing, signal).catch((error: unknown) =>
        log.warn({ channel, why: sayWhy(error) }, 'not listening: will try again'),
      );
      await sleep(again, null, { signal, ref: false }).catch(() => null);
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

/** Resolves when it was told to stop; throws when the connection was lost or never came. */
async function listen(pool: Pool, channel: string, hearing: Hearing, signal: AbortSignal): Promise<void> {
  const client = new Client({ ...pool.options, application_name: hearing.name, keepAlive: true });
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('the connection was closed')));
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // Whoever waits for it comes only after the connection.
  ended.catch(() => null);
  client.on('notification', ({ payload = '' }) => hearing.onMessage(payload));
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    hearing.onChange(true);
    await ended;
  } finally {
    hearing.onChange(false);
    await client.end().catch(() => null);
  }
}
