import { createHash } from 'node:crypto';
import { formatAmount, formatCents, parseAmount } from '@countersign/protocol/amount';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { type Reporter, reporterName } from '../callers.ts';

/**
 * Insert, dedupe and consumption in one statement: either the record stands and its mandate is charged exactly
 * once, or nothing has happened. The hold that was placed for this payment becomes usage in the same step, even when
 * it has expired or was given back, because the money has moved. For the same reason a mandate that has expired or was
 * revoked is charged too; one that never was active is not, and neither is one of another payer.
 */
const recordStatement = statement<{ id: number }>(
  'transaction.record',
  `with payable as (
     select m.id from dashboard.mandate m join dashboard.account a on a.id = m.account_id
     where $1::boolean and m.id = $2 and m.activated_at is not null and a.wallet_address = $10
       and ($3::text is null or m.account_id = $3)
   ), recorded as (
     insert into dashboard.transaction_log
       (intent_mandate_id, reporter, dedupe_key, service_name, service_result, chain, tx_hash, payer, payee, token_symbol,
        amount, amount_exact, payer_kyc_result, payer_kyt_result, payer_kyt_risk_level,
        payee_kyc_result, payee_kyt_result, payee_kyt_risk_level, metadata, created_at)
     select $2, $4, $5::bytea, $6, $7, $8, $9, $10, $11, $12, $13::numeric, $14::numeric,
            $15::smallint, $16::smallint, $17::smallint, $18::smallint, $19::smallint, $20::smallint, $21::jsonb, $22::timestamptz
     where not $1 or exists (select from payable)
     on conflict (reporter, dedupe_key) do nothing
     returning id
   ), consumed as (
     update dashboard.mandate m set
       used_amount = m.used_amount + coalesce($14::numeric, 0),
       transaction_count = m.transaction_count + 1,
       last_used_at = greatest(m.last_used_at, $22),
       status = case when m.status = 'active' and m.expires_at > $22
                      and m.used_amount + coalesce($14::numeric, 0) >= m.total_budget
                     then 'exhausted' else m.status end
     from payable, recorded where m.id = payable.id returning m.id
   ), closed as (
     update dashboard.mandate_hold h set state = 'used' from consumed
     where h.reporter = $4 and h.id = $23 and h.mandate_id = consumed.id
   )
   select id from recorded`,
);

/** The id of the new record; null when nothing was recorded, for one of the reasons of `whyNotRecorded`. */
export async function recordTransaction(
  db: Queryable,
  report: TransactionReport,
  reporter: Reporter,
  now: Date,
): Promise<number | null> {
  const amount = report.amount === undefined ? null : parseAmount(report.amount);
  const recorded = await firstRow(db, recordStatement, [
    consumes(report),
    report.intentMandateId,
    reporter?.accountId,
    reporterName(reporter),
    dedupeKey(report),
    report.serviceName,
    report.serviceResult,
    report.chain,
    report.txHash,
    report.payer,
    report.payee,
    report.tokenSymbol,
    amount === null ? null : formatCents(amount),
    amount === null ? null : formatAmount(amount),
    report.payerKycResult,
    report.payerKytResult,
    report.payerKytRiskLevel,
    report.payeeKycResult,
    report.payeeKytResult,
    report.payeeKytRiskLevel,
    report.metadata === undefined ? null : JSON.stringify(report.metadata),
    now,
    textIn(report.metadata, 'holdId'),
  ]);
  return recorded?.id ?? null;
}

/** Only passing transactions consume budget; rejected or errored ones never deduct. */
const consumes = (report: TransactionReport): boolean =>
  report.serviceResult === 'pass' && report.intentMandateId !== undefined;

const findFirst = statement<{ id: number }>(
  'transaction.first',
  'select id from dashboard.transaction_log where reporter = $1 and dedupe_key = $2',
);
const findMandateOf = statement(
  'transaction.mandate',
  'select from dashboard.mandate where id = $1 and ($2::text is null or account_id = $2) and deleted_at is null',
);

export type NotRecorded =
  | { readonly kind: 'repeated'; readonly id: number }
  | { readonly kind: 'no-mandate' | 'not-payable' };

/** Why `recordTransaction` recorded nothing. */
export async function whyNotRecorded(
  db: Queryable,
  report: TransactionReport,
  reporter: Reporter,
): Promise<NotRecorded> {
  const first = await firstRow(db, findFirst, [reporterName(reporter), dedupeKey(report)]);
  if (first !== null) return { kind: 'repeated', id: first.id };
  const mandate = await firstRow(db, findMandateOf, [report.intentMandateId, reporter?.accountId]);
  return { kind: mandate === null ? 'no-mandate' : 'not-payable' };
}

/** The same from one reporter is the same transaction: chain and hash or, without a hash, the trace. */
function dedupeKey({ chain, txHash, metadata }: TransactionReport): Buffer | null {
  const traceId = textIn(metadata, 'traceId');
  if (txHash !== undefined)
    return digest(['hash', chain, /^0x[0-9a-f]+$/i.test(txHash) ? txHash.toLowerCase() : txHash]);
  return traceId === null ? null : digest(['trace', traceId]);
}

/** Metadata is free-form; what is no text, or an empty one, names nothing. */
function textIn(metadata: TransactionReport['metadata'], name: string): string | null {
  const value = metadata?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

const digest = (parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();
