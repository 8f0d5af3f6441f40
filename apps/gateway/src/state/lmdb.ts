import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { namedForMs } from './forget.ts';
import { forgetApprovalLater, forgetCallLater, forgetDue, type StoredCall } from './lmdb-forget.ts';
import { closePayment, forgetPayment, openPayment, paymentOf } from './lmdb-journal.ts';
import { lmdbOutbox } from './lmdb-outbox.ts';
import type { GatewayState } from './state.ts';

/** Resolves when the transaction is on disk. */
export type Durably = (write: () => void) => Promise<void>;

/**
 * The gateway's durable memory in LMDB. Several gateway processes of one wallet on one machine share it: each step is
 * one transaction, and what it resolves with is on disk. `now` is Unix milliseconds.
 */
export function openLmdbState(dir: string, now: () => number, newId: () => string): GatewayState {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const db = open({ path: join(dir, 'state.mdb') });
  const durably: Durably = async (write) => {
    await db.transaction(write);
    await db.flushed;
  };
  const { release, ...outbox } = lmdbOutbox(db, durably, now, newId, {
    reported: (nonce) => void db.remove(['unresolved', nonce]),
    delivered: (nonce) => closePayment(db, nonce, now()),
  });
  return {
    ...payments(db, durably, now),
    ...approvals(db, durably, now),
    ...calls(db, durably, now),
    ...outbox,
    async forgetOld(limit) {
      let forgotten = 0;
      await durably(() => {
        forgotten = forgetDue(db, now(), limit);
      });
      return forgotten;
    },
    close: async () => {
      await release();
      await db.close();
    },
  };
}

const payments = (
  db: RootDatabase,
  durably: Durably,
  now: () => number,
): Pick<StatePort, 'paymentOf' | 'openPayment' | 'unresolved' | 'resolveUnused'> => ({
  paymentOf: async (callKey) => paymentOf(db, callKey) ?? null,
  async openPayment(entry, budget, approvalId) {
    let outcome: Awaited<ReturnType<StatePort['openPayment']>> = { kind: 'opened' };
    await durably(() => {
      outcome = openPayment(db, { entry, budget, approvalId, now: now() });
    });
    return outcome;
  },
  unresolved: async () =>
    [...db.getRange({ start: ['unresolved', ''], end: ['unresolved', '\uffff'] })]
      .map(({ value }) => db.get(['payment', value as string]) as PaymentEntry)
      .sort((a, b) => a.openedAt - b.openedAt),
  resolveUnused: (nonce) => durably(() => forgetPayment(db, nonce)),
});

const approvals = (
  db: RootDatabase,
  durably: Durably,
  now: () => number,
): Pick<StatePort, 'keepApproval' | 'findApproval'> => ({
  keepApproval: (approval) =>
    durably(() => {
      const { approvalId } = approval.message;
      void db.put(['approval', approvalId], approval);
      forgetApprovalLater(db, approvalId, now());
    }),
  findApproval: async (approvalId) =>
    (db.get(['approval', approvalId]) as StoredApproval | undefined) ?? null,
});

const calls = (
  db: RootDatabase,
  durably: Durably,
  now: () => number,
): Pick<StatePort, 'recall' | 'remember'> => ({
  async recall(key, callHash) {
    const stored = db.get(['call', key]) as StoredCall | undefined;
    if (stored === undefined) return 'new';
    return stored.callHash === callHash ? stored.envelope : 'conflict';
  },
  remember: (key, callHash, envelope) =>
    durably(() => {
      const stored: StoredCall = { callHash, envelope, forgetAt: now() + namedForMs };
      void db.put(['call', key], stored);
      forgetCallLater(db, key, stored);
    }),
});
