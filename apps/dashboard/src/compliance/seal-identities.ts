import type { KycSubmission } from '@countersign/protocol/dashboard/compliance';
import type { Logger } from '@countersign/service/logger';
import {
  firstRow,
  inTransaction,
  type Pool,
  type Queryable,
  rows,
  statement,
} from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { sealIdentity } from './identity.ts';
import type { Sealer } from './seal.ts';

/**
 * Seals the identities that earlier releases left readable, and those that one of them still writes while both share the
 * tables: a batch at a time, each in a transaction, by one process at a time. Whoever is ended midway leaves every row
 * either readable or sealed. Then the file of the table is written anew, so that it keeps none of the old rows.
 */
export async function sealIdentities(pool: Pool, sealer: Sealer, log: Logger): Promise<void> {
  let sealed = 0;
  for (;;) {
    const count = await inTransaction(pool, (db) => sealBatch(db, sealer));
    if (count === null) return;
    sealed += count;
    if (count < batchSize) break;
  }
  if (sealed > 0) log.info({ sealed }, 'identities of earlier releases were sealed');
  if ((await firstRow(pool, due, []))?.ids) await rewrite(pool, log);
}

const anyReadable = statement<{ readable: boolean }>(
  'kyc.any-readable',
  'select exists (select from dashboard.kyc_submission where full_name is not null) as readable',
);

const anySubmissions = statement<{ there: boolean }>(
  'kyc.any-submissions',
  `select to_regclass('dashboard.kyc_submission') is not null as there`,
);

/**
 * Returns whether an earlier release left an identity that is not sealed yet; false before there are tables.
 */
export const anyReadableIdentity = async (db: Queryable): Promise<boolean> =>
  ((await firstRow(db, anySubmissions, []))?.there ?? false) &&
  ((await firstRow(db, anyReadable, []))?.readable ?? false);

/** Notes, beside a statement that empties these submissions, that the file is to be written anew where one lies open. */
export const rewriteDue = (which: string): string =>
  `due as (insert into dashboard.kyc_rewrite_due (noted_at) select now() where exists (
     select from dashboard.kyc_submission where ${which} and full_name is not null))`;

const batchSize = 200;

const enter = statement<{ entered: boolean }>(
  'kyc.enter-sealing',
  'select pg_try_advisory_xact_lock(4021005) as entered',
);
/** The table as earlier releases left it. */
const readableTable = sqlTable('dashboard.kyc_submission', 'k', [
  'id',
  'fullName',
  'country',
  'documentType',
  'documentNumber',
]);
const readable = statement<KycSubmission & { readonly id: string }>(
  'kyc.readable',
  `select ${readableTable.list('id', 'fullName', 'country', 'documentType', 'documentNumber')}
   from ${readableTable.from} where k.full_name is not null order by k.seq limit ${batchSize} for update skip locked`,
);
const keep = statement(
  'kyc.keep-sealed',
  `with given as (select * from unnest($1::text[], $2::text[], $3::bytea[]) as given (submission_id, key_id, sealed)),
   kept as (
     insert into dashboard.kyc_identity (submission_id, key_id, sealed) select * from given
     on conflict (submission_id) do update set key_id = excluded.key_id, sealed = excluded.sealed),
   due as (insert into dashboard.kyc_rewrite_due default values)
   update dashboard.kyc_submission set full_name = null, country = null, document_type = null, document_number = null
   where id in (select submission_id from given)`,
);

/** Encrypts one batch and returns its size; null while another process does so. */
async function sealBatch(db: Queryable, sealer: Sealer): Promise<number | null> {
  if (!(await firstRow(db, enter, []))?.entered) return null;
  const found = await rows(db, readable, []);
  if (found.length === 0) return 0;
  const sealed = found.map((identity) => sealIdentity(sealer, identity.id, identity));
  await rows(db, keep, [
    found.map(({ id }) => id),
    sealed.map(({ keyId }) => keyId),
    sealed.map(({ bytes }) => bytes),
  ]);
  return found.length;
}

type Due = { readonly ids: readonly string[] | null; readonly over: boolean };

// Each row was noted by the transaction that emptied the submissions, so its `xmin` is that transaction. A transaction
// that began before (another process's, a backup's, a replica's) may still look at what was readable, and PostgreSQL
// carries over whatever somebody may look at. That includes the rewrite's own snapshot, which reaches back to the oldest
// transaction that writes anywhere on the server, in other databases too.
const due = statement<Due>(
  'kyc.rewrite-due',
  `with held (by) as (
     select unnest(array[backend_xmin, backend_xid]) from pg_stat_activity
     where pid <> pg_backend_pid()
       and (datid is null or datid = (select oid from pg_database where datname = current_database()))
     union all select transaction from pg_prepared_xacts where database = current_database()
     union all select xmin from pg_replication_slots
     union all select pg_snapshot_xmin(pg_current_snapshot())::xid)
   select array_agg(id) as ids, min(age(xmin)) > (select coalesce(max(age(by)), 0) from held) as over
   from dashboard.kyc_rewrite_due`,
);

/**
 * On a connection of its own, which it closes: what it sets there is for nobody else. What becomes due meanwhile, by a
 * deletion, waits for the next time.
 */
async function rewrite(pool: Pool, log: Logger): Promise<void> {
  const client = await pool.connect();
  try {
    // Everybody who reads a submission waits for it, and it rather comes back than wait for somebody.
    await client.query("set lock_timeout = '2s'");
    await client.query('set statement_timeout = 0');
    const { rows: entered } = await client.query('select pg_try_advisory_lock(4021005) as entered');
    if (!(entered as readonly { entered: boolean }[])[0]?.entered) return;
    const { ids, over } = (await firstRow(client, due, [])) ?? { ids: null, over: false };
    if (ids === null) return;
    if (!over) {
      log.info('the file that kept readable identities is written anew once older transactions have ended');
      return;
    }
    await client.query('vacuum (full, analyze) dashboard.kyc_submission');
    await client.query('delete from dashboard.kyc_rewrite_due where id = any($1::bigint[])', [ids]);
  } finally {
    client.release(true);
  }
}
