import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { open, type RootDatabase } from 'lmdb';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { closeReservation, forgetPayment, openPayment, paymentOf } from './lmdb-journal.ts';
import { lmdbOutbox } from './lmdb-outbox.ts';
import type { GatewayState } from './state.ts';

type StoredCall = { readonly callHash: string; readonly envelope: GatewayEnvelope };

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
    delivered: (nonce) => closeReservation(db, nonce, now()),
  });
  return {
    ...payments(db, durably, now),
    ...approvals(db, durably),
    ...calls(db, durably),
    ...outbox,
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
