import { hear } from '@countersign/service/hear';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { type Pool, type Queryable, rows, statement } from '@countersign/service/sql';

/**
 * Signals between processes of the control plane. A signal may be lost, so every listener must poll as well.
 */
export type Signals = Service & {
  /** Sends a signal when the transaction commits. */
  readonly tell: (db: Queryable, signal: string) => Promise<void>;
  /** Calls `heard` with each signal, from whichever process; null: some may have been missed. */
  readonly on: (heard: (signal: string | null) => void) => void;
};

const channel = 'control_plane';
const notify = statement('signals.tell', `select pg_notify('${channel}', $1)`);

/** Hears on one connection of its own. */
export function openSignals(pool: Pool, log: Logger): Signals {
  const all: ((signal: string | null) => void)[] = [];
  const tellAll = (signal: string | null) => {
    for (const heard of all) heard(signal);
  };
  const hearing = { name: 'control plane signals', onMessage: tellAll, onChange: () => tellAll(null) };
  const { stop } = hear(pool, channel, hearing, log);
  return {
    tell: async (db, signal) => {
      await rows(db, notify, [signal]);
    },
    on: (heard) => {
      all.push(heard);
    },
    stop,
  };
}
