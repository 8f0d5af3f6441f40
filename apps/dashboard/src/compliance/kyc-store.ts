import type { KycReview, KycStatus } from '@countersign/protocol/dashboard/compliance';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { accountTable } from '../accounts/store.ts';
import { identityColumns, identityTable, type KeptIdentity, withIdentity } from './identity.ts';
import type { Sealed } from './seal.ts';

export type Submission = Pick<KycReview, 'id' | 'accountId'> & { readonly identity: Sealed };

export const submissionTable = sqlTable('dashboard.kyc_submission', 'k', [
  'id',
  'accountId',
  'status',
  'reason',
  'createdAt',
  'decidedAt',
  'withdrawnAt',
  'erasedAt',
  'erasedStatus',
]);

const insert = statement<{ id: string }>(
  'kyc.insert',
  `with k as (
     ${submissionTable.insertInto('id', 'accountId', 'status', 'createdAt')} values ($1, $2, 'pending', $3)
     on conflict (account_id) where status = 'pending' do nothing returning id)
   ${identityTable.insertInto('submissionId', 'keyId', 'sealed')} select id, $4, $5 from k
   returning submission_id as id`,
);

/** False when the account already has a submission that waits. */
export async function insertSubmission(db: Queryable, submission: Submission, now: Date): Promise<boolean> {
  const { id, accountId, identity } = submission;
  return (await firstRow(db, insert, [id, accountId, now, identity.keyId, identity.bytes])) !== null;
}

export type ReviewRecord = Pick<KycReview, 'id' | 'accountId' | 'walletAddress' | 'kycStatus' | 'reason'> &
  KeptIdentity & {
    readonly createdAt: Date;
    readonly decidedAt: Date | null;
    readonly approvedAt: Date | null;
    readonly withdrawnAt: Date | null;
  };

const columns = `${submissionTable.list('id', 'accountId', 'reason', 'createdAt', 'decidedAt', 'withdrawnAt')},
  k.status as "kycStatus", coalesce(k.approved_at, k.decided_at) as "approvedAt",
  ${accountTable.list('walletAddress')}, ${identityColumns}`;
const submissions = `${submissionTable.from} join ${accountTable.from} on a.id = k.account_id ${withIdentity}`;

const page = statement<ReviewRecord>(
  'kyc.page',
  `select ${columns} from ${submissions}
   where $1::text is null or k.status = $1 order by k.seq desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'kyc.count',
  'select count(*) as total from dashboard.kyc_submission k where $1::text is null or k.status = $1',
);

/** Returns one page of all submissions, newest first, and their total number. */
export async function listReviews(
  db: Queryable,
  status: KycStatus | undefined,
  at: { page: number; limit: number },
) {
  const [items, counted] = await Promise.all([
    rows(db, page, [status, at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, [status]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const find = statement<ReviewRecord>('kyc.find', `select ${columns} from ${submissions} where k.id = $1`);

export const findReview = (db: Queryable, id: string): Promise<ReviewRecord | null> =>
  firstRow(db, find, [id]);

const newestOf = statement<ReviewRecord>(
  'kyc.newest-of',
  `select ${columns} from ${submissions}
   where k.account_id = $1 and k.erased_status is null order by k.seq desc limit 1`,
);

/** Returns the account's newest submission; null if there is none, or it was erased. */
export const findNewestReview = (db: Queryable, accountId: string): Promise<ReviewRecord | null> =>
  firstRow(db, newestOf, [accountId]);

const decide = statement<{ id: string }>(
  'kyc.decide',
  `update dashboard.kyc_submission
   set status = $2, reason = $3, decided_at = $4, decided_by = $5, approved_at = case when $2 = 'approved' then $4::timestamptz end
   where id = $1 and status = 'pending' and account_id <> $5 returning id`,
);

export type Decision = {
  readonly status: 'approved' | 'rejected';
  readonly reason: string | undefined;
  readonly by: string;
};

/** False when it was decided before. Nobody decides about oneself, here too. */
export const decideReview = async (
  db: Queryable,
  id: string,
  { status, reason, by }: Decision,
  now: Date,
): Promise<boolean> => (await firstRow(db, decide, [id, status, reason, now, by])) !== null;
