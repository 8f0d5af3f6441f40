import { ReadableStream } from 'node:stream/web';
import type { TransactionRecord, TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Streamed } from '@countersign/service/http';
import type { Pool } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { isOperator, type Operators, operatorsOnly } from '../compliance/operators.ts';
import { refusal, type Refusal } from '../refusal.ts';
import { type DashboardHandlers, type KeyCaller, reporterOf } from '../callers.ts';
import type { Notice, Tell } from '../events/notice.ts';
import { csvOf } from './csv.ts';
import { type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { readPage, type TransactionRow } from './page.ts';
import { type Asked, recordLook, selectionOf } from './everybody.ts';
import { createRecorder, type IsLookedFor, type Recorded, type Reported, whyNotRecorded } from './record.ts';
import type { Selection } from './selection.ts';
import { findAnyTransaction, findTransaction } from './store.ts';
import { countTransactions } from './total.ts';

type TransactionParts = {
  readonly pool: Pool;
  readonly operators: Operators;
  readonly now: () => Date;
  readonly tell: Tell;
  readonly isLookedFor: IsLookedFor;
};

/** Report a transaction, and read one's own. */
export function transactionHandlers({
  pool,
  operators,
  now,
  tell,
  isLookedFor,
}: TransactionParts): Pick<DashboardHandlers, 'reportTransaction' | 'listTransactions' | 'getTransaction'> {
  const record = createRecorder(pool, now, isLookedFor);
  async function find(id: number, scope: 'all' | undefined, account: Account) {
    if (scope === 'all') {
      await recordLook(pool, account, { transactionId: id }, now());
      return findAnyTransaction(pool, id);
    }
    const found = await findTransaction(pool, account.walletAddress, id);
    if (found === null) return null;
    const { counts: _, ...whole } = found;
    return whole;
  }
  return {
    async reportTransaction({ body: given, caller }) {
      const body = withParties(caller, given);
      const by = sideOf(caller, body);
      if (by === null) {
        return refusal('UNAUTHORIZED_OPERATION', 'payer or payee must be the wallet of the API key');
      }
      const reported = { report: body, reporter: reporterOf(caller), by };
      const recorded = await record(reported);
      if (recorded !== null) {
        for (const notice of noticesOf(body, recorded)) tell(notice);
        return ok({ id: recorded.id });
      }

      const why = await whyNotRecorded(pool, reported);
      switch (why.kind) {
        case 'repeated':
          return refusal('REPEATED_SUBMIT', 'this transaction is recorded already', { id: why.id });
        case 'no-mandate':
          return refusal('MANDATE_NOT_FOUND', 'mandate not found');
        case 'not-payable':
          return refusal('UNAUTHORIZED_OPERATION', 'the mandate never was active, or is of another payer');
      }
    },

    async listTransactions({ query, caller: { account } }) {
      const selection = selectionOf(query, account, operators);
      const place = placeOf(query);
      if (!selection.ok) return selection;
      if (!place.ok) return place;
      if (query.scope === 'all') await recordLook(pool, account, query, now());
      return place.value === 'whole'
        ? download(pool, selection.value, now())
        : list(pool, selection.value, place.value);
    },

    async getTransaction({ params, query, caller: { account } }) {
      const id = Number(/^\d{1,15}$/.exec(params['id'] ?? '')?.[0] ?? Number.NaN);
      if (query.scope === 'all' && !isOperator(operators, account)) return operatorsOnly();
      const found = Number.isNaN(id) ? null : await find(id, query.scope, account);
      if (found === null) return refusal('BUSINESS_NOT_FOUND', 'transaction not found');
      return ok({ transaction: { ...found, createdAt: found.createdAt.toISOString() } });
    },
  };
}

/** A mandate is charged for its payer alone, so a wallet is enough to find whom it concerns. */
function noticesOf({ payer, payee, intentMandateId }: TransactionReport, { id, alerts }: Recorded): Notice[] {
  const parties = [payer, payee].filter((party) => party !== undefined);
  const payers = payer === undefined ? [] : [payer];
  const charged = intentMandateId === undefined ? [] : [intentMandateId];
  return [
    { kind: 'transaction', id, to: parties },
    ...charged.map((mandateId): Notice => ({ kind: 'mandate', id: mandateId, to: payers })),
    ...alerts.map((alertId): Notice => ({ kind: 'alert', id: alertId, to: payers })),
  ];
}

/** A report that names nobody is of the reporter's own payment: it stands in that log. */
const withParties = (caller: KeyCaller, report: TransactionReport): TransactionReport =>
  caller.kind === 'account' && report.payer === undefined && report.payee === undefined
    ? { ...report, payer: caller.account.walletAddress }
    : report;

/** As whom the caller reports; null for a payment between strangers. */
function sideOf(caller: KeyCaller, { payer, payee }: TransactionReport): Reported['by'] | null {
  if (caller.kind === 'operator') return 'operator';
  const { walletAddress } = caller.account;
  if (walletAddress === payer) return 'payer';
  return walletAddress === payee ? 'payee' : null;
}

type ListPlace = { readonly page: number; readonly limit: number; readonly after: Cursor | null };

/** Where a list begins: at a page, or after the last record of another answer; or all of it, as CSV. */
function placeOf({ page, limit, cursor, format }: Asked): Result<ListPlace | 'whole', Refusal> {
  const invalid = (msg: string) => fail<Refusal>({ code: 'INVALID_PARAM', msg });
  if (format === 'csv')
    return page === undefined && limit === undefined && cursor === undefined
      ? ok('whole')
      : invalid('format: csv holds every record, and takes no page, limit or cursor');
  if (cursor === undefined) return ok({ page: page ?? 1, limit: limit ?? 20, after: null });
  const after = parseCursor(cursor);
  if (after === null) return invalid('cursor: must be the nextCursor of an answer');
  return (page ?? 1) === 1
    ? ok({ page: 1, limit: limit ?? 20, after })
    : invalid('page: does not go with cursor');
}

async function list(pool: Pool, selection: Selection, { page, limit, after }: ListPlace) {
  const [found, total] = await Promise.all([
    // One more than is shown tells whether more follow.
    readPage(pool, selection, { after, offset: (page - 1) * limit, limit: limit + 1 }),
    countTransactions(pool, selection),
  ]);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  const answer = { data: shown.map(showTransaction), total, page, limit };
  return ok(last === undefined ? answer : { ...answer, nextCursor: formatCursor(last) });
}

/** The first piece is read before anything is answered, so that what fails at once still fails with an envelope. */
async function download(pool: Pool, selection: Selection, now: Date): Promise<Streamed> {
  const pieces = csvOf(pool, selection);
  const first = await pieces.next();
  const stream = ReadableStream.from(
    (async function* () {
      if (first.done !== true) yield first.value;
      yield* pieces;
    })(),
  );
  const name = `transactions-${now.toISOString().slice(0, 10)}.csv`;
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  };
  return { ok: true, stream, headers };
}

/** The record on the wire. */
export const showTransaction = (row: TransactionRow): TransactionRecord => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
