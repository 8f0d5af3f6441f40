import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { accountTable } from '../accounts/store.ts';

const lock = statement('kyc.lock-person', 'select from dashboard.account where id = $1 for no key update');

/** Decisions about one person wait for each other until their transactions end. */
export async function lockPerson(db: Queryable, accountId: string): Promise<void> {
  await rows(db, lock, [accountId]);
}

const word = ['accountId', 'reason', 'withdrawnBy', 'withdrawnAt'] as const;
export const withdrawalTable = sqlTable('dashboard.kyc_withdrawal', 'w', word);

export type Withdrawn = { readonly reason: string; readonly at: Date };

const find = statement<Withdrawn>(
  'kyc-withdrawal.find',
  'select reason, withdrawn_at as at from dashboard.kyc_withdrawal where account_id = $1',
);

/** The withdrawal that stands against a person; null where there is none. */
export const findWithdrawal = (db: Queryable, accountId: string): Promise<Withdrawn | null> =>
  firstRow(db, find, [accountId]);

const withdrawn = statement<{ id: string }>(
  'kyc-withdrawal.withdrawn',
  `select k.id from dashboard.kyc_withdrawal w
   join dashboard.kyc_submission k on k.account_id = w.account_id and k.withdrawn_at = w.withdrawn_at
   where w.account_id = $1 order by k.seq desc limit 1`,
);

/** The newest submission that the withdrawal ended; null where it ended none, because a vendor had approved. */
export const findWithdrawn = async (db: Queryable, accountId: string): Promise<string | null> =>
  (await firstRow(db, withdrawn, [accountId]))?.id ?? null;

const approved = statement(
  'kyc.has-approval',
  `select from dashboard.kyc_submission where account_id = $1 and status = 'approved' limit 1`,
);

/** Returns whether operators have approved something that nobody withdrew, be it at its end or not. */
export const hasApproval = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await firstRow(db, approved, [accountId])) !== null;

const insert = statement<{ accountId: string }>(
  'kyc-withdrawal.insert',
  `${withdrawalTable.insertInto(...word)} values (${placeholders(word)})
   on conflict do nothing returning ${withdrawalTable.list('accountId')}`,
);
// Whatever was handed in before it ends with it, so that nobody approves by mistake what is out of date. What was erased
// gets no reason again.
const endSubmissions = statement<{ id: string }>(
  'kyc-withdrawal.end-submissions',
  `update dashboard.kyc_submission
   set status = 'rejected', reason = case when erased_at is null then $2 end, decided_by = $3, decided_at = $4, withdrawn_at = $4,
     approved_at = case when status = 'approved' then coalesce(approved_at, decided_at) end
   where account_id = $1 and status <> 'rejected' returning id`,
);

type Word = { readonly accountId: string; readonly reason: string; readonly by: string };

/** Withdraws what was approved and ends what waits: the ids of these submissions, or null when it is withdrawn already. */
export async function insertWithdrawal(
  db: Queryable,
  { accountId, reason, by }: Word,
  now: Date,
): Promise<readonly string[] | null> {
  const values = [accountId, reason, by, now];
  if ((await firstRow(db, insert, values)) === null) return null;
  return (await rows(db, endSubmissions, values)).map(({ id }) => id);
}

const lift = statement<{ at: Date }>(
  'kyc-withdrawal.lift',
  'delete from dashboard.kyc_withdrawal where account_id = $1 returning withdrawn_at as at',
);

/** Somebody was approved again: the withdrawal ends, and what it withdrew stays withdrawn. */
export async function liftWithdrawal(db: Queryable, accountId: string): Promise<void> {
  await rows(db, lift, [accountId]);
}

const reviveApproved = statement(
  'kyc-withdrawal.revive-approved',
  `update dashboard.kyc_submission
   set status = 'approved', reason = $3, decided_by = $4, decided_at = $5, withdrawn_at = null
   where account_id = $1 and withdrawn_at = $2 and approved_at is not null and erased_at is null`,
);
// Unless something else was handed in since.
const reviveWaiting = statement(
  'kyc-withdrawal.revive-waiting',
  `update dashboard.kyc_submission k
   set status = 'pending', reason = null, decided_by = null, decided_at = null, withdrawn_at = null
   where k.account_id = $1 and k.withdrawn_at = $2 and k.approved_at is null and k.erased_at is null and not exists (
     select from dashboard.kyc_submission other where other.account_id = $1 and other.status = 'pending')`,
);

/**
 * Takes the withdrawal back: what it withdrew stands again as of its own time, and what it ended waits again. Nobody is
 * verified by a submission whose personal data were erased.
 */
export async function undoWithdrawal(
  db: Queryable,
  { accountId, reason, by }: Word,
  now: Date,
): Promise<void> {
  const lifted = await firstRow(db, lift, [accountId]);
  if (lifted === null) return;
  await rows(db, reviveApproved, [accountId, lifted.at, reason, by, now]);
  await rows(db, reviveWaiting, [accountId, lifted.at]);
}

export type WithdrawalRecord = {
  readonly accountId: string;
  readonly walletAddress: Address;
  readonly reason: string;
  readonly withdrawnBy: Address;
  readonly withdrawnAt: Date;
};

const withdrawerTable = sqlTable('dashboard.account', 'o', ['walletAddress']);
const page = statement<WithdrawalRecord>(
  'kyc-withdrawal.page',
  `select ${withdrawalTable.list('accountId', 'reason', 'withdrawnAt')},
     ${accountTable.list('walletAddress')}, ${withdrawerTable.columns.walletAddress} as "withdrawnBy"
   from ${withdrawalTable.from} join ${accountTable.from} on a.id = w.account_id
   join ${withdrawerTable.from} on o.id = w.withdrawn_by
   order by w.withdrawn_at desc, w.account_id limit $1 offset $2`,
);
const count = statement<{ total: number }>(
  'kyc-withdrawal.count',
  'select count(*) as total from dashboard.kyc_withdrawal',
);

/** Returns one page of withdrawn approvals, newest first, and their total number. */
export async function listWithdrawn(db: Queryable, at: { page: number; limit: number }) {
  const [items, counted] = await Promise.all([
    rows(db, page, [at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, []),
  ]);
  return { items, total: counted?.total ?? 0 };
}
