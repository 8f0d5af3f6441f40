import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { addAmounts, type Amount, parseAmount } from '@countersign/protocol/amount';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { open, type RootDatabase } from 'lmdb';
import type { PaymentEntry, StatePort } from '../ports.ts';
import type { StoredApproval } from '../rules/approval.ts';
import type { OutboxStore, StoredReport } from './outbox.ts';

/** What a mandate's open payment takes of its budget, until the dashboard has counted it or it can settle no more. */
type Reservation = {
  readonly amount: string;
  /** Unix seconds. */
  readonly validBefore: number;
  readonly settled: boolean;
  /** Unix ms at which the dashboard had counted it; null while it has not. */
  readonly closedAt: number | null;
};

type StoredCall = { readonly callHash: string; readonly envelope: GatewayEnvelope };

/** Blocks of a chain and our clock may differ by this much. */
const clockSkewMs = 60_000;

/**
 * The gateway's durable memory in LMDB. Several gateway processes on one machine share it: each step is one
 * transaction, and what it resolves with is on disk. `now` is Unix milliseconds.
 */
export function openLmdbState(dir: string, now: () => number, newId: () => string): LmdbState {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const db = open({ path: join(dir, 'state.mdb') });
  const listeners: (() => void)[] = [];
  const durably = async (write: () => void): Promise<void> => {
    await db.transaction(write);
    await db.flushed;
  };
  return {
    async openPayment(entry, budget, approvalId) {
      let outcome: Awaited<ReturnType<StatePort['openPayment']>> = { kind: 'opened' };
      await durably(() => {
        outcome = openPayment(db, { entry, budget, approvalId, now: now() });
      });
      return outcome;
    },
    keepApproval: (approval) =>
      durably(() => void db.put(['approval', approval.message.approvalId], approval)),
    findApproval: async (approvalId) =>
      (db.get(['approval', approvalId]) as StoredApproval | undefined) ?? null,
    async report(report, nonce) {
      const id = `${String(now()).padStart(15, '0')}-${newId()}`;
      await durably(() => {
        void db.put(['report', id], { id, report, nonce } satisfies StoredReport);
        if (nonce !== null) updateReservation(db, report, nonce, { settled: true });
      });
      for (const listener of listeners) listener();
    },
    async recall(key, callHash) {
      const stored = db.get(['call', key]) as StoredCall | undefined;
      if (stored === undefined) return 'new';
      return stored.callHash === callHash ? stored.envelope : 'conflict';
    },
    remember: (key, callHash, envelope) =>
      durably(() => void db.put(['call', key], { callHash, envelope } satisfies StoredCall)),
    pending: (limit) =>
      [...db.getRange({ start: ['report', ''], end: ['report', '\uffff'], limit })].map(
        (e) => e.value as StoredReport,
      ),
    delivered: ({ id, report, nonce }) =>
      durably(() => {
        void db.remove(['report', id]);
        if (nonce !== null) updateReservation(db, report, nonce, { closedAt: now() });
      }),
    park: (stored, why) =>
      durably(() => {
        void db.remove(['report', stored.id]);
        void db.put(['parked', stored.id], { ...stored, why });
      }),
    onReport: (listener) => void listeners.push(listener),
    close: async () => {
      await db.flushed;
      await db.close();
    },
  };
}

export type LmdbState = StatePort & OutboxStore & { readonly close: () => Promise<void> };

type Opening = {
  readonly entry: PaymentEntry;
  readonly budget: { readonly remaining: Amount; readonly askedAt: number } | null;
  readonly approvalId: string | null;
  readonly now: number;
};

/** Runs inside a write transaction: between the check and the entry nobody else gets in. */
function openPayment(db: RootDatabase, opening: Opening): Awaited<ReturnType<StatePort['openPayment']>> {
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
  // What the dashboard holds, it counts itself.
  if (entry.mandateId === null || entry.holdId !== null) return;
  const { amount, validBefore } = entry;
  void db.put(['open', entry.mandateId, entry.nonce], {
    amount,
    validBefore,
    settled: false,
    closedAt: null,
  } satisfies Reservation);
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
    if (isOver(reservation, now)) void db.remove(key);
    else if (takesBudget(reservation, budget.askedAt, now))
      sum = addAmounts(sum, amountOf(reservation.amount));
  }
  return sum <= budget.remaining;
}

/** A payment counted while `remaining` was being asked for may be missing in the answer: it still takes budget. */
function takesBudget({ settled, closedAt, validBefore }: Reservation, askedAt: number, now: number): boolean {
  if (closedAt !== null) return closedAt >= askedAt;
  return settled || validBefore * 1000 + clockSkewMs > now;
}

/** No look-up can be older than this: time-outs end them long before. */
const longestLookupMs = 3_600_000;

const isOver = ({ settled, closedAt, validBefore }: Reservation, now: number): boolean =>
  closedAt !== null ? closedAt + longestLookupMs < now : !settled && validBefore * 1000 + clockSkewMs <= now;

function updateReservation(
  db: RootDatabase,
  report: TransactionReport,
  nonce: string,
  change: Partial<Reservation>,
): void {
  const key = ['open', report.intentMandateId ?? '', nonce];
  const reservation = db.get(key) as Reservation | undefined;
  if (reservation !== undefined) void db.put(key, { ...reservation, ...change });
}

const amountOf = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error('the journal holds an amount that is none');
  return amount;
};
