import { ReadableStream } from 'node:stream/web';
import type { TransactionRecord, TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Streamed } from '@countersign/service/http';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { agentsAmong } from '../agents/store.ts';
import { isOperatorsEye, type Operators, operatorsOnly } from '../compliance/operators.ts';
import { ofAnotherAgent, refusal, type Refusal } from '../refusal.ts';
import {
  type DashboardHandlers,
  isOfAnotherAgent,
  type KeyCaller,
  reporterOf,
  type SessionCaller,
} from '../callers.ts';
import type { Notice, Tell } from '../events/notice.ts';
import { asFile, csvOf } from './csv.ts';
import { type Cursor, formatCursor, parseCursor } from './cursor.ts';
import { readPage, type TransactionRow } from './page.ts';
import { type Asked, recordLook, selectionOf } from './everybody.ts';
import type { OpenReview } from '../payees/open-review.ts';
import { createRecorder, type IsLookedFor, type Recorded, type Reported, whyNotRecorded } from './record.ts';
import type { Selection } from './selection.ts';
import { stepsOf } from './steps.ts';
import { findAnyTransaction, findTransaction } from './store.ts';
import { countTransactions } from './total.ts';

type TransactionParts = {
  readonly pool: Pool;
  readonly operators: Operators;
  readonly now: () => Date;
  readonly tell: Tell;
  readonly isLookedFor: IsLookedFor;
  readonly openReview: OpenReview;
  readonly log: Logger;
};

/** Report a transaction, and read one's own. */
export function transactionHandlers({
  pool,
  operators,
  now,
  tell,
  isLookedFor,
  openReview,
  log,
}: TransactionParts): Pick<DashboardHandlers, 'reportTransaction' | 'listTransactions' | 'getTransaction'> {
  const record = createRecorder(pool, now, isLookedFor, (error) =>
    log.error({ why: sayWhy(error) }, 'records could not be made one payment; the upkeep tries again'),
  );
  return {
    async reportTransaction({ body: given, caller }) {
      const body = withParties(caller, given);
      if (isOfAnother(caller, body)) return fail(ofAnotherAgent);
      const by = await sideOf(pool, caller, body);
      if (by === null) return ofStrangers;
      const reported = { report: body, reporter: reporterOf(caller), by };
      const recorded = await record(reported);
      if (recorded !== null) {
        for (const notice of noticesOf(body, recorded)) tell(notice);
        await openReview(reported).catch(unopened(log));
        return ok({ id: recorded.id });
      }

      const why = await whyNotRecorded(pool, reported);
      switch (why.kind) {
        case 'repeated':
          return refusal('REPEATED_SUBMIT', 'this transaction has already been recorded', { id: why.id });
        case 'no-mandate':
          return refusal('MANDATE_NOT_FOUND', 'mandate not found');
        case 'not-payable':
          return refusal(
            'UNAUTHORIZED_OPERATION',
            'the mandate was never active, or belongs to another payer',
          );
      }
    },

    async listTransactions({ query, caller }) {
      const selection = selectionOf(query, caller, operators);
      const place = placeOf(query);
      if (!selection.ok) return selection;
      if (!place.ok) return place;
      if (query.scope === 'all') await recordLook(pool, caller, query, now());
      return place.value === 'whole'
        ? download(pool, selection.value, now())
        : list(pool, selection.value, place.value);
    },

    async getTransaction({ params, query, caller }) {
      const id = readId(params['id']);
      if (query.scope === 'all' && !isOperatorsEye(operators, caller)) return operatorsOnly();
      const found = id === null ? null : await findShown(pool, id, query.scope, caller, now());
      if (found === null) return refusal('BUSINESS_NOT_FOUND', 'transaction not found');
      return ok({ transaction: { ...found, createdAt: found.createdAt.toISOString() } });
    },
  };
}

const readId = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** The record stands: the next refusal opens the review. */
const unopened = (log: Logger) => (error: unknown) =>
  log.error({ why: sayWhy(error) }, 'a review of a payee could not be opened');

/** A record with what the account is shown of it; null where it is not theirs to see. */
async function findShown(pool: Pool, id: number, scope: 'all' | undefined, caller: SessionCaller, now: Date) {
  if (scope === 'all') {
    await recordLook(pool, caller, { transactionId: id }, now);
    const any = await findAnyTransaction(pool, id);
    return any === null ? null : { ...any, steps: await stepsOf(pool, id) };
  }
  const found = await findTransaction(pool, caller.account.walletAddress, id);
  if (found === null) return null;
  const { counts: _, own: __, ...whole } = found;
  // The other party is not told how it came to the payment.
  return { ...whole, steps: found.own ? await stepsOf(pool, id) : null };
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
    ? { ...report, payer: caller.agentWallet ?? caller.account.walletAddress }
    : report;

/** Whether the key is another agent's: that one may also not charge a mandate for what it was merely paid. */
const isOfAnother = (caller: KeyCaller, { payer, payee, intentMandateId }: TransactionReport): boolean =>
  isOfAnotherAgent(caller, payer ?? null) &&
  (intentMandateId !== undefined || isOfAnotherAgent(caller, payee ?? null));

const ofStrangers = refusal(
  'UNAUTHORIZED_OPERATION',
  'payer or payee must be the wallet of the API key, or an agent of its account',
);

/** As whom the caller reports; null for a payment between strangers. */
async function sideOf(
  pool: Pool,
  caller: KeyCaller,
  { payer, payee }: TransactionReport,
): Promise<Reported['by'] | null> {
  if (caller.kind === 'operator') return 'operator';
  const { id, walletAddress } = caller.account;
  // Also after an agent was revoked: money may have moved before. Before it was signed the wallet may be anybody's.
  if (caller.agentWallet !== null) {
    const isAgent = (await agentsAmong(pool, id, [caller.agentWallet])).has(caller.agentWallet);
    return isAgent ? (caller.agentWallet === payer ? 'payer' : 'payee') : null;
  }
  if (walletAddress === payer) return 'payer';
  const parties = [payer, payee].filter((party) => party !== undefined);
  const agents = await agentsAmong(pool, id, parties);
  if (payer !== undefined && agents.has(payer)) return 'payer';
  return walletAddress === payee || (payee !== undefined && agents.has(payee)) ? 'payee' : null;
}

type ListPlace = { readonly page: number; readonly limit: number; readonly after: Cursor | null };

/** Where a list begins: at a page, or after the last record of another answer; or all of it, as CSV. */
function placeOf({ page, limit, cursor, format }: Asked): Result<ListPlace | 'whole', Refusal> {
  const invalid = (msg: string) => fail<Refusal>({ code: 'INVALID_PARAM', msg });
  if (format === 'csv')
    return page === undefined && limit === undefined && cursor === undefined
      ? ok('whole')
      : invalid('format: csv returns every record and cannot be used with page, limit or cursor');
  if (cursor === undefined) return ok({ page: page ?? 1, limit: limit ?? 20, after: null });
  const after = parseCursor(cursor);
  if (after === null) return invalid('cursor: must be the nextCursor of an earlier answer');
  return (page ?? 1) === 1
    ? ok({ page: 1, limit: limit ?? 20, after })
    : invalid('page: cannot be used with cursor');
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
  return { ok: true, stream, headers: asFile('transactions', now) };
}

/** The record on the wire. */
export const showTransaction = (row: TransactionRow): TransactionRecord => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
