import { addAmounts, type Amount, parseAmount } from '@countersign/protocol/amount';
import type { RootDatabase } from 'lmdb';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';

/** What a payment takes of a mandate's budget, until it is known unused or the dashboard has counted it. */
type Reservation = {
  readonly amount: string;
  /** Unix ms at which the dashboard had counted it, 0 when it will never be used; null while neither is known. */
  readonly closedAt: number | null;
};

type Opening = {
  readonly entry: PaymentEntry;
  readonly budget: { readonly remaining: Amount; readonly askedAt: number } | null;
  readonly approvalId: string | null;
  readonly now: number;
};

/** Opens a payment inside a write transaction: between the check and the entry nobody else gets in. */
export function openPayment(
  db: RootDatabase,
  opening: Opening,
): Awaited<ReturnType<StatePort['openPayment']>> {
  const { entry, budget, approvalId, now } = opening;
  const known = db.get(['payment', entry.nonce]) as PaymentEntry | undefined;
  // Once it can settle no more, the same nonce may be signed again: the token takes it once in any case.
  if (known !== undefined && known.validBefore * 1000 > now) return { kind: 'known', entry: known };
  if (approvalId !== null) {
    const approval = db.get(['approval', approvalId]) as StoredApproval | undefined;
    if (approval === undefined || approval.usedAt !== null) return { kind: 'approval-used' };
    void db.put(['approval', approvalId], { ...approval, usedAt: now } satisfies StoredApproval);
  }
  if (budget !== null && !fits(db, entry, budget, now)) return { kind: 'over-budget' };
  writePayment(db, entry);
  return { kind: 'opened' };
}

function writePayment(db: RootDatabase, entry: PaymentEntry): void {
  void db.put(['payment', entry.nonce], entry);
  void db.put(['unresolved', entry.nonce], entry.nonce);
  // What the dashboard holds, it counts itself.
  if (entry.mandateId === null || entry.holdId !== null) return;
  const reservation: Reservation = { amount: entry.amount, closedAt: null };
  void db.put(['open', entry.mandateId, entry.nonce], reservation);
}

/** Whether the mandate's open payments and this one stay within what the dashboard said was left. */
function fits(
  db: RootDatabase,
  entry: PaymentEntry,
  budget: { remaining: Amount; askedAt: number },
  now: number,
): boolean {
  const mandateId = entry.mandateId ?? '';
  let sum = amountOf(entry.amount);
  for (const { key, value } of db.getRange({
    start: ['open', mandateId, ''],
    end: ['open', mandateId, '\uffff'],
  })) {
    const reservation = value as Reservation;
    // The same payment signed anew takes its own place.
    if ((key as string[])[2] === entry.nonce) continue;
    if (isForgotten(reservation, now)) void db.remove(key);
    else if (takesBudget(reservation, budget.askedAt)) sum = addAmounts(sum, amountOf(reservation.amount));
  }
  return sum <= budget.remaining;
}

/** A payment counted while `remaining` was being asked for may be missing in the answer: it still takes budget. */
const takesBudget = ({ closedAt }: Reservation, askedAt: number): boolean =>
  closedAt === null || closedAt >= askedAt;

/** No look-up can be older than this: time-outs end them long before. */
const longestLookupMs = 3_600_000;

const isForgotten = ({ closedAt }: Reservation, now: number): boolean =>
  closedAt !== null && closedAt + longestLookupMs < now;

/** Inside a write transaction; does nothing where the dashboard holds the budget. */
export function closeReservation(
  db: RootDatabase,
  mandateId: string | undefined,
  nonce: string,
  closedAt: number,
): void {
  const key = ['open', mandateId ?? '', nonce];
  const reservation = db.get(key) as Reservation | undefined;
  if (reservation !== undefined) void db.put(key, { ...reservation, closedAt });
}

const amountOf = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error('the journal holds an amount that is none');
  return amount;
};
