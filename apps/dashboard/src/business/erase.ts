import type { Address } from '@countersign/protocol/address';
import { type Queryable, rows, statement } from '@countersign/service/sql';
import { forget } from '../compliance/first-word.ts';
import { putOnRecord } from '../compliance/history.ts';
import { dropChecks } from '../kyb/store.ts';
import { forgetRecordsOf } from '../payees/forget.ts';
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
/** Deletes what belongs to submissions that were emptied. */
async function deleteWithin(db: Queryable, ids: readonly string[]): Promise<void> {
  await rows(db, deleteFiles, [ids]);
  await dropChecks(db, ids);
}

const records = statement<{ id: string }>(
  'business.records',
  `select distinct p.id from dashboard.business_submission s join dashboard.payee p on p.id = s.payee_id
   where s.account_id = $1 and p.withdrawn_at is null`,
);

const reason = 'its owner had its data erased';

/**
 * Deletes what an account has handed in as a business, and withdraws the record that was made of it, so that nobody is paid
 * by it any more; the record stays with the payments that it allowed. Tells how many submissions it emptied.
 */
export async function eraseBusinesses(
  db: Queryable,
  { accountId, wallet }: { readonly accountId: string; readonly wallet: Address },
  askedBy: 'person' | 'operator',
  now: Date,
): Promise<number> {
  await lockPayees(db);
  const ids = (await rows(db, emptyAll, [accountId, now])).map(({ id }) => id);
  await deleteWithin(db, ids);
  for (const { id } of await rows(db, records, [accountId])) {
    await withdrawRecord(db, { id, by: wallet, reason }, now);
    await forget(db, 'admit-payee', id);
    const by = { id: accountId, walletAddress: wallet };
    const detail = { askedBy };
    await putOnRecord(db, now, {
      deed: 'withdraw-payee',
      by,
      effective: true,
      wallet: null,
      payeeId: id,
      reason,
      detail,
    });
  }
  await forgetRecordsOf(db, accountId, now);
  return ids.length;
}

/** A later one of the account became a version of its record that has counted. */
const renewed = `s.state = 'admitted' and exists (
  select from dashboard.business_submission l join dashboard.compliance_history h on h.payee_id = l.payee_id
  where l.account_id = s.account_id and l.seq > s.seq and h.effective and h.deed in ('admit-payee', 'change-payee')
    and h.detail ->> 'version' = l.payee_version::text)`;

const emptyEarlier = statement<{ id: string }>(
  'business.erase-earlier',
  `update dashboard.business_submission s ${empty}
   where s.account_id = $1 and s.erased_at is null and ${renewed} returning id`,
);

/** Deletes what an account handed in before for the record that counts now by a later submission. */
export async function eraseRenewed(db: Queryable, accountId: string, now: Date): Promise<void> {
  const ids = (await rows(db, emptyEarlier, [accountId, now])).map((earlier) => earlier.id);
  await deleteWithin(db, ids);
}

const emptyOver = statement<{ id: string }>(
  'business.erase-over',
  `update dashboard.business_submission ${empty} where id in (
     select s.id from dashboard.business_submission s left join dashboard.payee p on p.id = s.payee_id
     where s.erased_at is null and s.state <> 'waiting'
       and (coalesce(p.withdrawn_at, case when s.state = 'rejected' then s.decided_at end) <= $2::timestamptz - $1::int * interval '1 day'
         or ${renewed})
     limit 500 for update of s skip locked) returning id`,
);

/**
 * Deletes submissions that were rejected, or whose record was withdrawn, so many days ago, and those that a later one has
 * renewed. Tells of how many.
 */
export async function eraseOldBusinesses(db: Queryable, days: number, now: Date): Promise<number> {
  const ids = (await rows(db, emptyOver, [days, now])).map(({ id }) => id);
  await deleteWithin(db, ids);
  return ids.length;
}
