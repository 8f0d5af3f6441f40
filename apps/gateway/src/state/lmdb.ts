import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { open, type RootDatabase } from 'lmdb';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { closeReservation, openPayment } from './lmdb-journal.ts';
import type { OutboxStore, StoredReport } from './outbox.ts';

export type LmdbState = StatePort & OutboxStore & { readonly close: () => Promise<void> };

type StoredCall = { readonly callHash: string; readonly envelope: GatewayEnvelope };

/** Resolves when the transaction is on disk. */
type Durably = (write: () => void) => Promise<void>;

/**
 * The gateway's durable memory in LMDB. Several gateway processes on one machine share it: each step is one
 * transaction, and what it resolves with is on disk. `now` is Unix milliseconds.
 */
export function openLmdbState(dir: string, now: () => number, newId: () => string): LmdbState {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const db = open({ path: join(dir, 'state.mdb') });
  const durably: Durably = async (write) => {
    await db.transaction(write);
    await db.flushed;
  };
  const listeners: (() => void)[] = [];
  return {
    ...payments(db, durably, now),
    ...approvals(db, durably),
    ...calls(db, durably),
    ...outbox(db, durably, now),
    async report(report, nonce) {
      const id = `${String(now()).padStart(15, '0')}-${newId()}`;
      await durably(() => {
        void db.put(['report', id], { id, report, nonce } satisfies StoredReport);
        if (nonce !== null) void db.remove(['unresolved', nonce]);
      });
      for (const listener of listeners) listener();
    },
    onReport: (listener) => void listeners.push(listener),
    close: async () => {
      await db.flushed;
      await db.close();
    },
  };
}

const payments = (
  db: RootDatabase,
  durably: Durably,
  now: () => number,
): Pick<StatePort, 'openPayment' | 'unresolved' | 'resolveUnused'> => ({
  async openPayment(entry, budget, approvalId) {
    let outcome: Awaited<ReturnType<StatePort['openPayment']>> = { kind: 'opened' };
    await durably(() => {
      outcome = openPayment(db, { entry, budget, approvalId, now: now() });
    });
    return outcome;
  },
  unresolved: async () =>
    valuesBelow(db, 'unresolved')
      .map((nonce) => db.get(['payment', nonce as string]) as PaymentEntry)
      .sort((a, b) => a.openedAt - b.openedAt),
  resolveUnused: (nonce) =>
    durably(() => {
      const entry = db.get(['payment', nonce]) as PaymentEntry | undefined;
      closeReservation(db, entry?.mandateId ?? undefined, nonce, 0);
      void db.remove(['unresolved', nonce]);
    }),
});

const approvals = (db: RootDatabase, durably: Durably): Pick<StatePort, 'keepApproval' | 'findApproval'> => ({
  keepApproval: (approval) => durably(() => void db.put(['approval', approval.message.approvalId], approval)),
  findApproval: async (approvalId) =>
    (db.get(['approval', approvalId]) as StoredApproval | undefined) ?? null,
});

const calls = (db: RootDatabase, durably: Durably): Pick<StatePort, 'recall' | 'remember'> => ({
  async recall(key, callHash) {
    const stored = db.get(['call', key]) as StoredCall | undefined;
    if (stored === undefined) return 'new';
    return stored.callHash === callHash ? stored.envelope : 'conflict';
  },
  remember: (key, callHash, envelope) =>
    durably(() => void db.put(['call', key], { callHash, envelope } satisfies StoredCall)),
});

const outbox = (
  db: RootDatabase,
  durably: Durably,
  now: () => number,
): Pick<OutboxStore, 'pending' | 'delivered' | 'park'> => ({
  pending: (limit) => valuesBelow(db, 'report', limit) as StoredReport[],
  delivered: ({ id, report, nonce }) =>
    durably(() => {
      void db.remove(['report', id]);
      if (nonce !== null) closeReservation(db, report.intentMandateId, nonce, now());
    }),
  park: (stored, why) =>
    durably(() => {
      void db.remove(['report', stored.id]);
      void db.put(['parked', stored.id], { ...stored, why });
    }),
});

/** Values of the keys that begin with `kind`, in key order. */
function valuesBelow(db: RootDatabase, kind: string, limit?: number): unknown[] {
  const range = db.getRange({
    start: [kind, ''],
    end: [kind, '\uffff'],
    ...(limit !== undefined && { limit }),
  });
  return [...range].map(({ value }) => value as unknown);
}
