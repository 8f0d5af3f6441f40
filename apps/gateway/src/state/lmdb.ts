import type { Database } from 'lmdb';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';
import type { Durably, Environment } from './environment.ts';
import { namedForMs } from './forget.ts';
import { forgetApprovalLater, forgetCallLater, forgetDue, type StoredCall } from './lmdb-forget.ts';
import { closePayment, forgetPayment, openPayment, paymentOf } from './lmdb-journal.ts';
import { lmdbOutbox } from './lmdb-outbox.ts';
import type { GatewayState } from './state.ts';

/**
 * The durable memory of one wallet's gateways in LMDB. Several processes on one machine share it: each step is one
 * transaction, and what it resolves with is on disk. `now` is Unix milliseconds.
 */
export function openLmdbState(
  { database, durably }: Environment,
  wallet: string,
  now: () => number,
  newId: () => string,
): GatewayState {
  const db = database(wallet);
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
    close: release,
  };
}

const payments = (
  db: Database,
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
  db: Database,
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
  db: Database,
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
