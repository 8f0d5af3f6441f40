import { formatAmount, formatCents, parseAmount } from '@countersign/protocol/amount';
import { spelledChain } from '@countersign/protocol/dashboard/chains';
import { spelledHash, spelledToken } from '@countersign/protocol/dashboard/spelling';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { gathering } from '@countersign/service/gather';
import { firstRow, isUndone, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import { type Reporter, reporterName } from '../callers.ts';
import { consumes, dedupeKeys, keepers, permit2Key, textIn } from './same.ts';
import { type ReportedPayment, settleRepeated } from './settle.ts';
import { settleSteps, type Step } from './steps.ts';

/** The owner of a party that is an agent, where that owner or an operator says so. */
const ownerOf = (party: 'payer' | 'payee'): string =>
  `(select a.wallet_address from dashboard.agent_wallet g join dashboard.account a on a.id = g.account_id
    where g.wallet = fresh.${party} and g.signed_at is not null and g.handed_on_at is null and (fresh.reporter = 'operator' or fresh.reporter = g.account_id))`;

/**
 * Records what is reported, and charges mandates: one statement for all reports of a batch, `$1`, a JSON array in the
 * order in which they came. It leaves what the same reports would leave one by one, at the moment `$2`: each record
 * stands and its mandate is charged exactly once, or nothing of it has happened. A hold that was placed for a payment
 * becomes usage in the same step, even when it has expired or was given back, because the money has moved. For the
 * same reason a mandate that has expired or was revoked is charged too; one that never was active is not, and neither
 * is one of another payer. The sum of the day, which period budgets need, and the alerts about a budget go with it.
 *
 * Everybody takes locks in this order, so that no two batches wait for each other: keys, then mandates, then holds.
 */
const recordStatement = statement<{ n: number } & Recorded>(
  'transaction.record',
  `with report as materialized (
     select nextval('dashboard.transaction_id') as id, given.* from json_to_recordset($1::json) as given(
       n int, consumes boolean, intent_mandate_id text, reporter text, reported_by text, looked_for boolean,
       dedupe_key bytea, former_keys bytea[], hash_key bytea, kept_by text, also_by text, hold_id text, payment text,
       service_name text, service_result text, chain text, tx_hash text, amount numeric, amount_exact numeric,
       token_symbol text, payer text, payee text, payer_kyc_result smallint, payer_kyt_result smallint,
       payer_kyt_risk_level smallint, payee_kyc_result smallint, payee_kyt_result smallint,
       payee_kyt_risk_level smallint, metadata jsonb)
   ), fresh as (
     -- Of two that are the same the first counts. What stands (offset 0: else PostgreSQL joins it, and reads all of it), and what may be
     -- charged, is looked up row by row, and so from indexes.
     select distinct on (r.kept_by, r.dedupe_key, case when r.dedupe_key is null then r.n end) r.*
     from report r where not exists (
       select from dashboard.transaction_key k where k.reporter = r.kept_by and k.dedupe_key = any(r.former_keys)
         and not (k.by_nonce and r.hash_key is not null) offset 0
     ) and not exists (
       select from dashboard.transaction_key k
       where k.reporter = r.also_by and k.dedupe_key = any(r.former_keys || array[r.dedupe_key])
         and not (k.by_nonce and r.hash_key is not null and k.dedupe_key <> r.dedupe_key) offset 0
     ) and (not r.consumes or (
       select m.activated_at is not null and (r.reporter = 'operator' or m.account_id = r.reporter)
         and r.payer = coalesce(m.agent_wallet, (select a.wallet_address from dashboard.account a where a.id = m.account_id))
       from dashboard.mandate m where m.id = r.intent_mandate_id
     ))
     order by r.kept_by, r.dedupe_key, case when r.dedupe_key is null then r.n end, r.n
   ), keyed as (
     -- What is known by its nonce is found by its hash too, by whoever reports it without one.
     insert into dashboard.transaction_key (reporter, dedupe_key, transaction_id, by_nonce)
     select distinct on (kept_by, key) kept_by, key, id, by_nonce from (
       select kept_by, dedupe_key as key, id, hash_key is not null as by_nonce from fresh where dedupe_key is not null
       union all select kept_by, hash_key, id, true from fresh where hash_key <> ''
     ) keys order by kept_by, key, by_nonce desc, id
     on conflict do nothing returning transaction_id, dedupe_key
   ), recorded as (
     insert into dashboard.transaction_log
       (id, intent_mandate_id, reporter, service_name, service_result, chain, tx_hash, payer, payee, token_symbol,
        amount, amount_exact, payer_kyc_result, payer_kyt_result, payer_kyt_risk_level,
        payee_kyc_result, payee_kyt_result, payee_kyt_risk_level, metadata, reported_by, verified, payer_standing,
        payee_standing, created_at, tool_name, agent, reason, payment, payer_owner, payee_owner)
     select id, intent_mandate_id, reporter, service_name, service_result, chain, tx_hash, payer, payee, token_symbol,
       amount, amount_exact, payer_kyc_result, payer_kyt_result, payer_kyt_risk_level,
       payee_kyc_result, payee_kyt_result, payee_kyt_risk_level, metadata, reported_by, false,
       case when reported_by = 'payee' then 'claimed' else 'counted' end,
       case when reported_by = 'payer' and payee is distinct from payer then 'claimed' else 'counted' end,
       greatest($2::timestamptz, (select closed_until from dashboard.wallet_day_progress)),
       dashboard.noted(metadata, 'toolName', 128), dashboard.noted(metadata, 'agent', 128),
       coalesce(dashboard.noted(metadata, 'reason', 64), dashboard.noted(metadata, 'code', 64)), payment,
       case when reported_by <> 'payee' then ${ownerOf('payer')} end,
       case when reported_by <> 'payer' then ${ownerOf('payee')} end
     from fresh where dedupe_key is null or (id, dedupe_key) in (select transaction_id, dedupe_key from keyed) order by id
     returning id, created_at
   ), queued as (
     insert into dashboard.transfer_check (transaction_id, created_at, reporter, due)
     select f.id, recorded.created_at, f.reporter, $2 from fresh f join recorded using (id) where f.looked_for
   ), charged as (
     select f.intent_mandate_id as id, coalesce(sum(f.amount_exact), 0) as amount, count(*) as payments
     from fresh f join recorded using (id) where f.consumes group by f.intent_mandate_id
   ), locked as (
     select id from dashboard.mandate where id = any(array(select id from charged)) order by id for no key update
   ), consumed as (
     update dashboard.mandate m set
       used_amount = m.used_amount + charged.amount,
       transaction_count = m.transaction_count + charged.payments,
       last_used_at = greatest(m.last_used_at, $2),
       status = case when m.status = 'active' and m.expires_at > $2
                      and m.used_amount + charged.amount >= m.total_budget
                     then 'exhausted' else m.status end
     from charged where m.id = charged.id and m.id = any(array(select id from locked))
     returning m.id, m.account_id, m.used_amount, m.total_budget, m.deleted_at, charged.amount
   ), counted as (
     insert into dashboard.mandate_day as d (mandate_id, day, used)
     select id, ($2 at time zone 'UTC')::date, amount from consumed order by id
     on conflict (mandate_id, day) do update set used = d.used + excluded.used
   ), alerted as (
     insert into dashboard.alert (account_id, mandate_id, kind, created_at)
     select account_id, id, 'budget_' || percent, $2 from consumed, unnest(array[50, 80, 100]) percent
     where deleted_at is null and used_amount * 100 >= total_budget * percent order by id, percent
     on conflict (mandate_id, kind) do nothing returning id, mandate_id
   ), closed as (
     update dashboard.mandate_hold h set state = 'used'
     from fresh f join recorded using (id) join consumed on consumed.id = f.intent_mandate_id
     where f.consumes and h.reporter = f.reporter and h.id = f.hold_id and h.mandate_id = consumed.id
   )
   select f.n, f.id, (select coalesce(json_agg(a.id), '[]') from alerted a where a.mandate_id = f.intent_mandate_id) as alerts
   from fresh f join recorded using (id)`,
);

/** A report, who makes it, and which party of the payment that is. */
export type Reported = {
  readonly report: TransactionReport;
  readonly reporter: Reporter;
  readonly by: 'payer' | 'payee' | 'operator';
};

/** A new record, and the alerts that came of it or of others on its mandate at the same moment. */
export type Recorded = { readonly id: number; readonly alerts: readonly number[] };

/** The new record; null when nothing was recorded, for one of the reasons of `whyNotRecorded`. */
export type RecordTransaction = (reported: Reported) => Promise<Recorded | null>;

/** More in one statement gain nothing, and keep their locks for longer. */
const maxTogether = 128;

/** Records transactions: those that come while others are being written go together, into one commit. */
export const createRecorder = (
  pool: Pool,
  now: () => Date,
  isLookedFor: IsLookedFor = () => false,
  onUnsettled: OnUnsettled = () => {},
): RecordTransaction => {
  const together = async (batch: readonly Reported[], at: Date) => {
    const all = await recordTogether(pool, batch, isLookedFor, at);
    await settleAll(pool, batch, all, { at, onUnsettled });
    return all;
  };
  return gathering(async (batch: readonly Reported[]) => {
    const at = now();
    try {
      return await together(batch, at);
    } catch (error) {
      if (batch.length === 1 || !isUndone(error)) throw error;
      // One of them cannot be recorded, or others were in the way. Alone, each ends in its own way.
      return batch.map(async (one) => (await together([one], at))[0] ?? null);
    }
  }, maxTogether);
};

/** Is told why records could not be made one payment. They stand nevertheless: the upkeep settles them later. */
type OnUnsettled = (error: unknown) => void;

/** Whether the transfer of this report can be seen on the chain that we look at. */
export type IsLookedFor = (report: TransactionReport) => boolean;

async function recordTogether(
  db: Queryable,
  batch: readonly Reported[],
  isLookedFor: IsLookedFor,
  now: Date,
): Promise<readonly (Recorded | null)[]> {
  const all: (Recorded | null)[] = batch.map(() => null);
  const given = batch.map((one, n) => ({ ...toRow(one, n), looked_for: isLookedFor(one.report) }));
  for (const { n, ...recorded } of await rows(db, recordStatement, [JSON.stringify(given), now]))
    all[n] = recorded;
  return all;
}

/** Never throws: what is committed must not be recorded once more. */
async function settleAll(
  db: Queryable,
  batch: readonly Reported[],
  all: readonly (Recorded | null)[],
  { at, onUnsettled }: { readonly at: Date; readonly onUnsettled: OnUnsettled },
): Promise<void> {
  const payments = batch.flatMap(({ report }, n) => paymentOf(report, all[n] ?? null));
  await settleRepeated(db, payments).catch(onUnsettled);
  const steps = batch.flatMap((one, n) => stepOf(one, all[n] ?? null));
  await settleSteps(db, steps, at).catch(onUnsettled);
}

/** What others may have reported too: only a hash tells that. */
function paymentOf(report: TransactionReport, recorded: Recorded | null): readonly ReportedPayment[] {
  const { chain, txHash, payer = null, payee = null } = report;
  const [key] = dedupeKeys(report);
  if (recorded === null || txHash === undefined || key === undefined) return [];
  return [{ id: recorded.id, key, chain, txHash: spelledHash(chain, txHash), payer, payee }];
}

/** Other records may be of the same payment: they name the same approval or nonce. */
function stepOf({ report, reporter }: Reported, recorded: Recorded | null): readonly Step[] {
  const payment = paymentNamed(report);
  if (recorded === null || payment === null) return [];
  return [{ id: recorded.id, payment, reporter: reporterName(reporter), payer: report.payer ?? null }];
}

const maxPayment = 128;

/**
 * What all records of one payment have in common: the owner's approval or, without one, the nonce. Nonces are anybody's to
 * choose, so those of another chain or payee are of another payment.
 */
function paymentNamed({ chain, payee, metadata }: TransactionReport): string | null {
  const approvalId = textIn(metadata, 'approvalId');
  if (approvalId !== null) return shortened(approvalId);
  const nonce = textIn(metadata, 'nonce');
  return nonce === null ? null : `${payee ?? ''} ${spelledChain(chain)} ${shortened(nonce)}`;
}

const shortened = (name: string): string => Array.from(name).slice(0, maxPayment).join('');

/** One element of the statement's `$1`. What is undefined is left out, which is null there. */
function toRow({ report, reporter, by }: Reported, n: number): object {
  const amount = report.amount === undefined ? null : parseAmount(report.amount);
  return {
    n,
    consumes: consumes(report),
    intent_mandate_id: report.intentMandateId,
    reporter: reporterName(reporter),
    ...keepers(reporter, report),
    reported_by: by,
    ...keysOf(report),
    hold_id: textIn(report.metadata, 'holdId'),
    payment: paymentNamed(report),
    service_name: report.serviceName,
    service_result: report.serviceResult,
    chain: spelledChain(report.chain),
    tx_hash: report.txHash && spelledHash(report.chain, report.txHash),
    amount: amount === null ? null : formatCents(amount),
    amount_exact: amount === null ? null : formatAmount(amount),
    token_symbol: report.tokenSymbol && spelledToken(report.tokenSymbol),
    payer: report.payer,
    payee: report.payee,
    payer_kyc_result: report.payerKycResult,
    payer_kyt_result: report.payerKytResult,
    payer_kyt_risk_level: report.payerKytRiskLevel,
    payee_kyc_result: report.payeeKycResult,
    payee_kyt_result: report.payeeKytResult,
    payee_kyt_risk_level: report.payeeKytRiskLevel,
    metadata: report.metadata,
  };
}

/**
 * The key of a report, and others that make it the same as what has it. `hash_key` is null where the report is not known by a nonce,
 * and empty where it has no hash. Keys of a hash that are another nonce's make nothing the same.
 */
function keysOf(report: TransactionReport) {
  const keys = dedupeKeys(report);
  const [key = null, ...former] = keys;
  const byNonce = permit2Key(report);
  if (byNonce === null) return { dedupe_key: key, former_keys: former, hash_key: null };
  return report.txHash === undefined
    ? { dedupe_key: byNonce, former_keys: [], hash_key: noHash }
    : { dedupe_key: byNonce, former_keys: keys, hash_key: key };
}

/** Empty bytea. */
const noHash = '\\x';

const findFirst = statement<{ id: number }>(
  'transaction.first',
  `select transaction_id as id from dashboard.transaction_key
   where reporter = any($1) and dedupe_key = any($2::bytea[]) and not (by_nonce and $4 and dedupe_key <> $3)`,
);
const findMandateOf = statement(
  'transaction.mandate',
  'select from dashboard.mandate where id = $1 and ($2::text is null or account_id = $2) and deleted_at is null',
);

export type NotRecorded =
  | { readonly kind: 'repeated'; readonly id: number }
  | { readonly kind: 'no-mandate' | 'not-payable' };

/** Why nothing was recorded. */
export async function whyNotRecorded(db: Queryable, { report, reporter }: Reported): Promise<NotRecorded> {
  const { kept_by, also_by } = keepers(reporter, report);
  const { dedupe_key: key, former_keys: former, hash_key } = keysOf(report);
  const keys = key === null ? [] : [key, ...former];
  const first = await firstRow(db, findFirst, [[kept_by, also_by], keys, key, hash_key !== null]);
  if (first !== null) return { kind: 'repeated', id: first.id };
  const mandate = await firstRow(db, findMandateOf, [report.intentMandateId, reporter?.accountId]);
  return { kind: mandate === null ? 'no-mandate' : 'not-payable' };
}
