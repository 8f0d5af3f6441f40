import {
  addAmounts,
  type Amount,
  formatAmount,
  parseAmount,
  smallerAmount,
  subtractAmounts,
} from '@countersign/protocol/amount';
import type { Database, Key } from 'lmdb';
import type { Asker, PaymentEntry, SeenPayment } from '../ports/payment-entry.ts';
import type { StatePort } from '../ports/state.ts';
import type { Budget } from '../rules/budget.ts';
import type { StoredApproval } from '../rules/approval.ts';
import { countedUnder } from './counted-under.ts';
import { forgetPaymentLater } from './lmdb-forget.ts';
import { isUnresolved, listUnresolved, unlistUnresolved, unresolvedLists } from './lmdb-unresolved.ts';

/**
 * What a payment takes of the budget of a mandate or a day, as decimal text. Under `open`, and the Unix ms from which it counts,
 * until the payment is known unused or the dashboard has counted it; then under `closed`, by the Unix ms at which that
 * was known, for look-ups that began before.
 */
const openKey = (account: string, { heldUntil, nonce }: PaymentEntry) => [
  'open',
  account,
  heldUntil ?? 0,
  nonce,
];

type Opening = {
  readonly entry: PaymentEntry;
  readonly budget: Budget | null;
  readonly approvalId: string | null;
  readonly now: number;
};

/** Opens a payment inside a write transaction: between the check and the entry nobody else gets in. */
export function openPayment(db: Database, opening: Opening): Awaited<ReturnType<StatePort['openPayment']>> {
  const { entry, budget, approvalId, now } = opening;
  const known = paymentOf(db, entry.callKey) ?? payment(db, entry.nonce);
  if (known !== undefined) return { kind: 'known', entry: known };
  const approval =
    approvalId === null ? null : (db.get(['approval', approvalId]) as StoredApproval | undefined);
  if (approval === undefined || (approval !== null && approval.usedAt !== null))
    return { kind: 'approval-used' };
  if (budget !== null && !fits(db, entry, budget, now)) return { kind: 'over-budget' };
  if (approval !== null)
    void db.put(['approval', approval.message.approvalId], {
      ...approval,
      usedAt: now,
    } satisfies StoredApproval);
  writePayment(db, entry);
  return { kind: 'opened' };
}

/** The payment of a logical call, unless it was found unused. */
export function paymentOf(db: Database, callKey: string | null): PaymentEntry | undefined {
  const nonce = callKey === null ? undefined : (db.get(['paying', callKey]) as string | undefined);
  return nonce === undefined ? undefined : payment(db, nonce);
}

export const payment = (db: Database, nonce: string): PaymentEntry | undefined =>
  db.get(['payment', nonce]) as PaymentEntry | undefined;

function writePayment(db: Database, entry: PaymentEntry): void {
  const { nonce, callKey, asker, amount } = entry;
  void db.put(['payment', nonce], entry);
  listUnresolved(db, entry);
  if (asker !== undefined) void db.put(askedKey(asker, entry), nonce);
  if (callKey !== null) void db.put(['paying', callKey], nonce);
  const account = countedUnder(entry);
  if (account === null) return;
  void db.put(openKey(account, entry), amount);
  void db.put(['spent', account], formatAmount(addAmounts(spentOf(db, account), amountOf(amount))));
}

/** Finds payments without a key by who asked for them and when, while nobody knows their outcome. */
const askedKey = ({ identity }: Asker, { openedAt, nonce }: PaymentEntry) => [
  'unresolved-of',
  identity,
  openedAt,
  nonce,
];

/** Whether nobody knows the outcome of this very payment. */
export const isOpenAs = (db: Database, { nonce, openedAt }: SeenPayment): boolean =>
  unresolvedPayment(db, nonce)?.openedAt === openedAt;

/** Its outcome is known. Inside a write transaction. */
export function resolvePayment(db: Database, nonce: string): void {
  unlistUnresolved(db, nonce);
  const entry = payment(db, nonce);
  if (entry?.asker !== undefined) void db.remove(askedKey(entry.asker, entry));
}

/** Gives an unresolved payment another asker, or none, if it still has that of `seen`. Inside a write transaction. */
export function passOn(db: Database, seen: PaymentEntry, asker: Asker | null): PaymentEntry | null {
  const entry = unresolvedPayment(db, seen.nonce);
  if (entry?.asker === undefined || entry.asker.process !== seen.asker?.process) return null;
  const { asker: before, ...rest } = entry;
  const passed: PaymentEntry = asker === null ? rest : { ...entry, asker };
  void db.put(['payment', entry.nonce], passed);
  if (asker === null) void db.remove(askedKey(before, entry));
  return passed;
}

/** An older process on the same directory resolves a payment, and knows nothing of who asked for it. */
const unresolvedPayment = (db: Database, nonce: string): PaymentEntry | undefined =>
  isUnresolved(db, nonce) ? payment(db, nonce) : undefined;

/** Payments of unknown outcome, oldest first. */
export const unresolvedPayments = (db: Database): readonly PaymentEntry[] =>
  unresolvedLists
    .flatMap((list) => listed(db, [list, ''], [list, '\uffff']))
    .toSorted((a, b) => a.openedAt - b.openedAt);

/** Those of them that an identity asked for without a key, opened after this Unix ms. */
export const unresolvedOf = (db: Database, identity: string, openedAfter: number): readonly PaymentEntry[] =>
  listed(
    db,
    ['unresolved-of', identity, openedAfter + 1],
    ['unresolved-of', identity, Number.MAX_SAFE_INTEGER],
  );

const listed = (db: Database, start: Key, end: Key): PaymentEntry[] =>
  Array.from(db.getRange({ start, end })).flatMap(
    ({ value }) => unresolvedPayment(db, value as string) ?? [],
  );

/**
 * Forgets a payment that can settle no more, inside a write transaction. What is known to have settled stays: all that was taken of
 * it stays spent.
 */
export function forgetPayment(db: Database, seen: SeenPayment): void {
  const { nonce } = seen;
  const entry = payment(db, nonce);
  if (entry === undefined || !isOpenAs(db, seen)) return;
  resolvePayment(db, nonce);
  void db.remove(['payment', nonce]);
  if (entry.callKey !== null) void db.remove(['paying', entry.callKey]);
  const account = countedUnder(entry);
  if (account === null) return;
  void db.remove(openKey(account, entry));
  giveBack(db, account, amountOf(entry.amount));
}

/** Gives an amount that was opened and not spent back to its account. */
function giveBack(db: Database, account: string, unspent: Amount): void {
  const left = subtractAmounts(spentOf(db, account), unspent);
  void db.put(['spent', account], formatAmount(left));
}

/** Forgets a payment that never left, and gives back the approval that it used up. Inside a write transaction. */
export function withdrawPayment(db: Database, seen: SeenPayment, approvalId: string | null): void {
  if (!isOpenAs(db, seen)) return;
  forgetPayment(db, seen);
  const key = ['approval', approvalId ?? ''];
  const approval = db.get(key) as StoredApproval | undefined;
  if (approval !== undefined) void db.put(key, { ...approval, usedAt: null } satisfies StoredApproval);
}

/** All that has left under an account and is not known to be unused: kept for as long as a mandate may be. */
const spentOf = (db: Database, account: string): Amount =>
  amountOf((db.get(['spent', account]) as string | undefined) ?? '0');

/**
 * Returns whether the account's open payments and this one stay within what the dashboard said was left, and
 * all within what was signed.
 */
function fits(db: Database, entry: PaymentEntry, budget: Budget, now: number): boolean {
  const account = countedUnder(entry) ?? '';
  forgetClosed(db, account, now);
  // What the dashboard holds is in its answer already; once the hold has run out it may be missing there.
  const open = db.getRange({ start: ['open', account, 0], end: ['open', account, now + 1] });
  const closedMeanwhile = db.getRange({
    start: ['closed', account, budget.askedAt],
    end: ['closed', account, Number.MAX_SAFE_INTEGER],
  });
  const amount = amountOf(entry.amount);
  if (addAmounts(spentOf(db, account), amount) > budget.signed) return false;
  let sum = amount;
  for (const range of [open, closedMeanwhile]) {
    for (const { value } of range) sum = addAmounts(sum, amountOf(value as string));
  }
  return sum <= budget.remaining;
}

/** No look-up can be older than this: time-outs end them long before. */
const maxLookupMs = 3_600_000;
const forgottenAtOnce = 32;

/** A few at a time, so that no payment waits for the memory of thousands. */
function forgetClosed(db: Database, account: string, now: number): void {
  const old = db.getKeys({
    start: ['closed', account, 0],
    end: ['closed', account, now - maxLookupMs],
    limit: forgottenAtOnce,
  });
  // Read to the end first: a range must not change while it is walked.
  for (const key of Array.from(old)) void db.remove(key);
}

/** The dashboard has counted this payment, with so much of it as was taken. Inside a write transaction. */
export function closePayment(db: Database, nonce: string, taken: string | undefined, now: number): void {
  const entry = payment(db, nonce);
  if (entry === undefined) return;
  forgetPaymentLater(db, entry, now);
  const account = countedUnder(entry);
  if (account === null) return;
  const key = openKey(account, entry);
  if (!db.doesExist(key)) return;
  void db.remove(key);
  const { heldUntil, amount } = entry;
  const counted = formatAmount(smallerAmount(amountOf(amount), amountOf(taken ?? amount)));
  if (counted !== amount) giveBack(db, account, subtractAmounts(amountOf(amount), amountOf(counted)));
  // A hold becomes usage in one step: no answer of the dashboard is without both.
  const wasHeld = heldUntil !== null && heldUntil > now;
  if (!wasHeld) void db.put(['closed', account, now, nonce], counted);
}

const amountOf = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error('the journal holds an amount that is none');
  return amount;
};
