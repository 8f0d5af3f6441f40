import type { Database } from 'lmdb';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { StatePort } from '../ports/state.ts';
import type { StoredApproval } from '../rules/approval.ts';
import type { Durably, Environment } from './environment.ts';
import { forgetRunning, isElsewhere, lmdbCalls } from './lmdb-calls.ts';
import { forgetApprovalLater, forgetDue } from './lmdb-forget.ts';
import {
  closePayment,
  forgetPayment,
  isOpenAs,
  openPayment,
  passOn,
  payment,
  paymentOf,
  resolvePayment,
  unresolvedOf,
  unresolvedPayments,
  withdrawPayment,
} from './lmdb-journal.ts';
import { makeRoom } from './lmdb-kept.ts';
import { lmdbOutbox } from './lmdb-outbox.ts';
import type { GatewayState } from './state.ts';

/**
 * The durable memory of one wallet's gateways in LMDB. Several processes on one machine share it: each step is one
 * transaction, and what it resolves with is on disk. `now` is Unix milliseconds.
 */
export function openLmdbState(
  environment: Environment,
  wallet: string,
  now: () => number,
  newId: () => string,
): GatewayState {
  const { durably } = environment;
  const db = environment.database(wallet);
  const self = newId();
  const { release, ...outbox } = lmdbOutbox(db, durably, now, newId, {
    reported: (nonce) => resolvePayment(db, nonce),
    delivered: (nonce, amount) => closePayment(db, nonce, amount, now()),
  });
  return {
    ...payments(db, durably, now, self),
    ...approvals(db, durably, now),
    ...lmdbCalls(db, environment, now, self),
    ...outbox,
    async reportUnresolved(report, seen) {
      await durably(() => {
        if (isOpenAs(db, seen)) outbox.reportWithin.write({ report, nonce: seen.nonce });
      });
      outbox.reportWithin.tell();
    },
    async forgetOld(limit, maxKeptBytes) {
      let forgotten = 0;
      await durably(() => {
        forgetRunning(db, now(), limit);
        makeRoom(db, limit, maxKeptBytes);
        forgotten = forgetDue(db, now(), limit);
      });
      return forgotten;
    },
    close: release,
  };
}

type PaymentSteps =
  | 'paymentOf'
  | 'paymentBy'
  | 'openPayment'
  | 'findKnown'
  | 'unresolved'
  | 'unresolvedOf'
  | 'passOn'
  | 'resolveUnused'
  | 'withdraw';

const payments = (
  db: Database,
  durably: Durably,
  now: () => number,
  self: string,
): Pick<StatePort, PaymentSteps> => ({
  paymentOf: async (callKey) => paymentOf(db, callKey) ?? null,
  paymentBy: async (nonce) => payment(db, nonce) ?? null,
  async openPayment(entry, budget, approvalId) {
    let outcome: Awaited<ReturnType<StatePort['openPayment']>> = { kind: 'opened' };
    await durably(() => {
      outcome = openPayment(db, { entry, budget, approvalId, now: now() });
    });
    return outcome;
  },
  async findKnown({ callKey, nonce }) {
    let known: PaymentEntry | null = null;
    // The process that opened it may have died before it was on disk, and what is sent must outlive this machine, too.
    await durably(() => {
      known = paymentOf(db, callKey) ?? payment(db, nonce) ?? null;
      if (known !== null) void db.put(['payment', known.nonce], known);
    });
    return known;
  },
  unresolved: async () => unresolvedPayments(db),
  async unresolvedOf(identity, openedAfter) {
    // Another process may have opened it a moment ago.
    db.resetReadTxn();
    return unresolvedOf(db, identity, openedAfter);
  },
  async passOn(entry, asker) {
    let passed: PaymentEntry | null = null;
    await durably(() => {
      passed = passOn(db, entry, asker);
    });
    return passed;
  },
  resolveUnused: (seen) => durably(() => forgetPayment(db, seen)),
  async withdraw(entry, approvalId, key) {
    let isDone = false;
    await durably(() => {
      const isOurs = isOpenAs(db, entry) && payment(db, entry.nonce)?.asker?.process === entry.asker?.process;
      isDone = isOurs && (key === null || !isElsewhere(db, key, self));
      if (isDone) withdrawPayment(db, entry, approvalId);
    });
    return isDone;
  },
});

const approvals = (
  db: Database,
  durably: Durably,
  now: () => number,
): Pick<StatePort, 'keepApproval' | 'endQuestion' | 'findApproval'> => ({
  async keepApproval(approval) {
    let standing = approval;
    await durably(() => {
      standing = keepApproval(db, approval, now());
    });
    return standing;
  },
  endQuestion: (approvalId) =>
    durably(() => {
      const { question } = (db.get(['approval', approvalId]) as StoredApproval | undefined) ?? {};
      if (question !== undefined && db.get(['asking', question]) === approvalId)
        void db.remove(['asking', question]);
    }),
  findApproval: async (approvalId) =>
    (db.get(['approval', approvalId]) as StoredApproval | undefined) ?? null,
});

/** Inside a write transaction: of two that ask at once, the second finds the first. */
function keepApproval(db: Database, approval: StoredApproval, now: number): StoredApproval {
  const { message, question } = approval;
  const { approvalId } = message;
  if (question !== undefined) {
    const earlier = db.get(['approval', String(db.get(['asking', question]))]) as StoredApproval | undefined;
    if (earlier?.usedAt === null && Date.parse(earlier.message.expiresAt) > now) return earlier;
    void db.put(['asking', question], approvalId);
  }
  void db.put(['approval', approvalId], approval);
  forgetApprovalLater(db, approvalId, now);
  return approval;
}
