import type { Address } from '@countersign/protocol/address';
import { type Queryable, rows, statement } from '@countersign/service/sql';
import { forget } from '../compliance/first-word.ts';
import { lockPayees, withdrawRecord } from '../payees/store.ts';

const empty = `set key_id = null, sealed = null, domain_said = '[]', domain_checked_at = null, reason = null, erased_at = $2,
  state = case when state = 'waiting' then 'rejected' else state end, decided_at = coalesce(decided_at, $2)`;

const emptyAll = statement<{ id: string }>(
  'business.erase-all',
  `update dashboard.business_submission ${empty} where account_id = $1 and erased_at is null returning id`,
);
const deleteFiles = statement(
  'business.erase-files',
  'delete from dashboard.business_file where submission_id = any($1::text[])',
);
const records = statement<{ id: string }>(
  'business.records',
  `select distinct p.id from dashboard.business_submission s join dashboard.payee p on p.id = s.payee_id
   where s.account_id = $1 and p.withdrawn_at is null`,
);

/**
 * Deletes what an account has handed in as a business, and withdraws the record that was made of it, so that nobody is paid
 * by it any more; the record stays with the payments that it allowed. Tells how many submissions it emptied.
 */
export async function eraseBusinesses(
  db: Queryable,
  { accountId, wallet }: { readonly accountId: string; readonly wallet: Address },
  now: Date,
): Promise<number> {
  await lockPayees(db);
  const ids = (await rows(db, emptyAll, [accountId, now])).map(({ id }) => id);
  await rows(db, deleteFiles, [ids]);
  for (const { id } of await rows(db, records, [accountId])) {
    await withdrawRecord(db, { id, by: wallet, reason: 'its owner had its data erased' }, now);
    await forget(db, 'admit-payee', id);
  }
  return ids.length;
}

const emptyEarlier = statement<{ id: string }>(
  'business.erase-earlier',
  `update dashboard.business_submission ${empty}
   where account_id = $1 and id <> $3 and state = 'admitted' and erased_at is null returning id`,
);

/** Deletes what was handed in before for the record that this submission renews. */
export async function eraseRenewed(
  db: Queryable,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  const ids = (await rows(db, emptyEarlier, [accountId, now, id])).map((earlier) => earlier.id);
  await rows(db, deleteFiles, [ids]);
}

const emptyOver = statement<{ id: string }>(
  'business.erase-over',
  `update dashboard.business_submission ${empty} where id in (
     select s.id from dashboard.business_submission s left join dashboard.payee p on p.id = s.payee_id
     where s.erased_at is null and s.state <> 'waiting'
       and coalesce(p.withdrawn_at, case when s.state = 'rejected' then s.decided_at end) <= $2::timestamptz - $1::int * interval '1 day'
     limit 500 for update of s skip locked) returning id`,
);

/** Deletes submissions that were rejected, or whose record was withdrawn, so many days ago. Tells of how many. */
export async function eraseOldBusinesses(db: Queryable, days: number, now: Date): Promise<number> {
  const ids = (await rows(db, emptyOver, [days, now])).map(({ id }) => id);
  await rows(db, deleteFiles, [ids]);
  return ids.length;
}
