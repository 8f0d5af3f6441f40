import { type Queryable, rows, statement } from '@countersign/service/sql';

/** Names and reasons of what never allowed a payment: nothing asks for them. */
const [unname, unwrite, unprove, uncheck, unfile] = [
  statement(
    'payee.unname',
    `update dashboard.payee_version set legal_name = '', domain = '', links = '{}', registry_numbers = '{}'
     where payee_id = any($1::text[])`,
  ),
  statement(
    'payee.unwrite',
    `update dashboard.compliance_history h set reason = null, detail = h.detail - array['legalName', 'domain']
     where h.payee_id = any($1::text[]) and h.deed in ('admit-payee', 'change-payee')`,
  ),
  statement('payee.unprove', 'delete from dashboard.payee_proof where payee_id = any($1::text[])'),
  statement('payee.uncheck', 'delete from dashboard.business_check where payee_id = any($1::text[])'),
  statement(
    'payee.unfile',
    `update dashboard.payee_file set name = '', key_id = null, sealed = null, erased_at = $2
     where payee_id = any($1::text[]) and erased_at is null`,
  ),
];

/**
 * Forgets who records were about that never counted and are withdrawn: names, domains, registry numbers, links, files, and
 * what was asked about them. That they were, their addresses, who wrote them and when stay.
 */
async function forget(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  for (const each of [unname, unwrite, unprove, uncheck]) await rows(db, each, [ids]);
  await rows(db, unfile, [ids, now]);
}

const neverCounted = `p.admitted is null and p.withdrawn_at is not null
  and exists (select from dashboard.payee_version v where v.payee_id = p.id and v.legal_name <> '')`;

const ofAccount = statement<{ id: string }>(
  'payee.never-counted-of',
  `select p.id from dashboard.payee p where ${neverCounted}
     and p.id in (select payee_id from dashboard.business_submission where account_id = $1)`,
);

/** Forgets the records that were made of what an account has handed in, and never counted. */
export async function forgetRecordsOf(db: Queryable, accountId: string, now: Date): Promise<void> {
  const ids = (await rows(db, ofAccount, [accountId])).map(({ id }) => id);
  await forget(db, ids, now);
}

const over = statement<{ id: string }>(
  'payee.never-counted-over',
  `select p.id from dashboard.payee p where ${neverCounted}
     and p.withdrawn_at <= $2::timestamptz - $1::int * interval '1 day' limit 500 for update of p skip locked`,
);

/** The same of all records that were withdrawn so many days ago, whoever wrote them. Tells of how many. */
export async function forgetOldRecords(db: Queryable, days: number, now: Date): Promise<number> {
  const ids = (await rows(db, over, [days, now])).map(({ id }) => id);
  await forget(db, ids, now);
  return ids.length;
}
