import { inTransaction, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import { rewriteDue } from '../compliance/seal-identities.ts';

const maxAtOnce = 500;

const over = statement<{ id: string }>(
  'personal.over',
  `select id from dashboard.kyc_submission
   where status = 'rejected' and erased_at is null and decided_at <= $1::timestamptz - $2::int * interval '1 day'
   order by decided_at limit ${maxAtOnce} for update skip locked`,
);

const note = statement(
  'personal.note-over',
  `with ${rewriteDue('id = any($1::text[])')}
   update dashboard.kyc_submission set erased_at = $2, erased_for = 'retention', reason = null,
     full_name = null, country = null, document_type = null, document_number = null
   where id = any($1::text[])`,
);

// A statement of its own, after the lock: what another process has sealed until then is seen.
const remove = statement(
  'personal.remove-over',
  'delete from dashboard.kyc_identity where submission_id = any($1::text[])',
);

const forgetReasons = statement(
  'personal.forget-reasons',
  `update dashboard.compliance_history h set reason = null
   from dashboard.kyc_submission k join dashboard.account a on a.id = k.account_id
   where k.id = any($1::text[]) and h.wallet = a.wallet_address and h.review_id = k.id and h.reason is not null`,
);

/**
 * Deletes what is kept of the person in submissions that were rejected, or whose approval was withdrawn, so many days
 * ago; that they were stays. Any number of processes may do it at once, and whoever was away makes up for it. Tells of
 * how many.
 */
export async function forgetRejected(pool: Pool, days: number, now: Date): Promise<number> {
  for (let all = 0; ; ) {
    const count = await inTransaction(pool, (db) => forgetSome(db, days, now));
    all += count;
    if (count < maxAtOnce) return all;
  }
}

async function forgetSome(db: Queryable, days: number, now: Date): Promise<number> {
  const ids = (await rows(db, over, [now, days])).map(({ id }) => id);
  await forgetAll(db, ids, now);
  return ids.length;
}

const renewed = statement<{ id: string }>(
  'personal.renewed',
  `select id from dashboard.kyc_submission
   where account_id = $1 and id <> $2 and status = 'approved' and erased_at is null for update`,
);

/** Deletes what is kept of the person in approved submissions that this one renews; that they were approved stays. */
export async function forgetRenewed(
  db: Queryable,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  await forgetAll(
    db,
    (await rows(db, renewed, [accountId, id])).map((earlier) => earlier.id),
    now,
  );
}

async function forgetAll(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await rows(db, note, [ids, now]);
  await rows(db, remove, [ids]);
  await rows(db, forgetReasons, [ids]);
}
