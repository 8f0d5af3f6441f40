import type { Database } from 'lmdb';
import type { Reported } from '../receipts/receipt.ts';
import type { Durably } from './environment.ts';
import { leaseMs, type OutboxStore, type StoredReport } from './outbox.ts';
import type { Reporting } from './state.ts';

/** `holder` is the process that sends it, alone until `heldUntil` (Unix ms). */
type Waiting = StoredReport & { readonly holder: string; readonly heldUntil: number };

const nobody = '';

/** Further changes in the transaction that advances the report of a settled payment. */
type Effects = {
  readonly reported: (nonce: string) => void;
  readonly delivered: (nonce: string, amount: string | undefined) => void;
};

type LmdbOutbox = OutboxStore &
  Reporting & {
    readonly reportWithin: NonNullable<Reporting['reportWithin']>;
    readonly release: () => Promise<void>;
  };

/** The outbox in LMDB. Keys begin with the time, so that the oldest report comes first. */
export function lmdbOutbox(
  db: Database,
  durably: Durably,
  now: () => number,
  newId: () => string,
  effects: Effects,
): LmdbOutbox {
  const self = newId();
  const listeners: (() => void)[] = [];
  const ours = ({ holder }: Waiting): boolean => holder === self;
  const free = (waiting: Waiting): boolean => ours(waiting) || waiting.heldUntil <= now();
  const lease = (waiting: Waiting, heldUntil: number): void =>
    void db.put(['report', waiting.id], { ...waiting, holder: self, heldUntil } satisfies Waiting);
  const write = ({ report, nonce }: Reported): void => {
    const id = `${String(now()).padStart(15, '0')}-${newId()}`;
    const waiting: Waiting = { id, report, nonce, holder: self, heldUntil: now() + leaseMs };
    void db.put(['report', id], waiting);
    if (nonce !== null) effects.reported(nonce);
  };
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    async report(report, nonce) {
      await durably(() => write({ report, nonce }));
      tell();
    },
    reportWithin: { write, tell },
    onReport: (listener) => void listeners.push(listener),
    async pending(limit) {
      const found = reports(db, free, limit);
      // Mostly all of them are ours, fresh from a call: then nothing has to be written.
      if (found.every((waiting) => ours(waiting) && waiting.heldUntil > now())) return found;
      let taken: Waiting[] = [];
      await db.transaction(() => {
        taken = reports(db, free, limit);
        for (const waiting of taken) lease(waiting, now() + leaseMs);
      });
      return taken;
    },
    delivered: ({ id, nonce, report }) =>
      durably(() => {
        void db.remove(['report', id]);
        if (nonce !== null) effects.delivered(nonce, report.amount);
      }),
    postpone: ({ id, report, nonce }, forMs) =>
      durably(() => {
        const waiting: Waiting = { id, report, nonce, holder: nobody, heldUntil: now() + forMs };
        void db.put(['report', id], waiting);
      }),
    park: ({ id, report, nonce }, why) =>
      durably(() => {
        void db.remove(['report', id]);
        void db.put(['parked', id], { id, report, nonce, why });
      }),
    release: () =>
      durably(() => {
        for (const waiting of reports(db, ours)) lease(waiting, 0);
      }),
  };
}

/** Reports in key order, so many at most. */
function reports(db: Database, wanted: (waiting: Waiting) => boolean, limit = Infinity): Waiting[] {
  const found: Waiting[] = [];
  for (const { value } of db.getRange({ start: ['report', ''], end: ['report', '\uffff'] })) {
    if (found.length >= limit) break;
    if (wanted(value as Waiting)) found.push(value as Waiting);
  }
  return found;
}
