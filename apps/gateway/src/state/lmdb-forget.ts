import type { Database } from 'lmdb';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { countedUnder } from './counted-under.ts';
import { keptForMs, namedForMs } from './forget.ts';
import { type StoredCall, uncount } from './lmdb-kept.ts';
import { isUnresolved } from './lmdb-unresolved.ts';

type Kind = 'payment' | 'call' | 'approval';

/** Lists, by the Unix ms at which it is due, what is to be forgotten. All of this inside write transactions. */
const forgetLater = (db: Database, at: number, kind: Kind, id: string): void =>
  void db.put(['forget', at, kind, id], true);

/** The dashboard has counted this payment `now`. */
export function forgetPaymentLater(db: Database, { nonce, callKey }: PaymentEntry, now: number): void {
  forgetLater(db, now + keptForMs(callKey), 'payment', nonce);
}

export const forgetApprovalLater = (db: Database, approvalId: string, now: number): void =>
  forgetLater(db, now + namedForMs, 'approval', approvalId);

/** Forgets at most `limit` of what is due; gives how many. */
export function forgetDue(db: Database, now: number, limit: number): number {
  const due = Array.from(db.getKeys({ start: ['forget', 0], end: ['forget', now], limit }));
  for (const key of due as [string, number, Kind, string][]) {
    const [, at, kind, id] = key;
    void db.remove(key);
    forget[kind](db, id, at);
  }
  return due.length;
}

const forget: Record<Kind, (db: Database, id: string, at: number) => void> = {
  payment(db, nonce, at) {
    const entry = db.get(['payment', nonce]) as PaymentEntry | undefined;
    if (entry === undefined) return;
    const { callKey, openedAt } = entry;
    const account = countedUnder(entry);
    const countedAt = at - keptForMs(callKey);
    // Listed twice because it was reported twice: forgotten before, and opened anew meanwhile.
    if (openedAt > countedAt || isUnresolved(db, nonce)) return;
    void db.remove(['payment', nonce]);
    if (callKey !== null) void db.remove(['paying', callKey]);
    if (account !== null) void db.remove(['closed', account, countedAt, nonce]);
  },
  call(db, key, at) {
    const stored = db.get(['call', key]) as StoredCall | undefined;
    // Remembered anew meanwhile, it is listed for later too.
    if (stored?.forgetAt !== at) return;
    uncount(db, key);
    void db.remove(['call', key]);
  },
  approval(db, approvalId) {
    const { question } = (db.get(['approval', approvalId]) as StoredApproval | undefined) ?? {};
    if (question !== undefined && db.get(['asking', question]) === approvalId)
      void db.remove(['asking', question]);
    void db.remove(['approval', approvalId]);
  },
};
