import type { Address } from '@countersign/protocol/address';
import type { Business, BusinessState } from '@countersign/protocol/dashboard/business';
import type { fileTypes, PayeeState } from '@countersign/protocol/dashboard/payees';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { accountTable } from '../accounts/store.ts';
import type { Sealed } from '../compliance/seal.ts';
import { checksWhere, type StoredCheck } from '../kyb/store.ts';
import { payeeTable, stateAt } from '../payees/store.ts';

/** A file as PostgreSQL gives it in JSON; its sealed name is base64. */
export type ListedFile = {
  readonly id: string;
  readonly mediaType: (typeof fileTypes)[number];
  readonly keyId: string;
  readonly sealedName: string;
  readonly size: number;
  readonly addedAt: string;
};

export type SubmissionRow = {
  readonly id: string;
  readonly accountId: string;
  readonly walletAddress: Address;
  readonly state: BusinessState;
  readonly keyId: string | null;
  readonly sealed: Buffer | null;
  readonly domainSaid: Business['domainSaid'];
  readonly domainCheckedAt: Date | null;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  readonly payeeId: string | null;
  readonly recordState: PayeeState | null;
  readonly recordReason: string | null;
  readonly renews: string | null;
  readonly files: readonly ListedFile[];
  readonly checks: readonly StoredCheck[];
};

/** The record that was made of the last submission of this account, unless it was withdrawn. */
const lastRecordId = (account: string): string =>
  `select r.id from dashboard.business_submission l join dashboard.payee r on r.id = l.payee_id
   where l.account_id = ${account} and r.withdrawn_at is null order by l.seq desc limit 1`;

export const businessTable = sqlTable('dashboard.business_submission', 's', [
  'id',
  'accountId',
  'state',
  'keyId',
  'sealed',
  'domainSaid',
  'domainCheckedAt',
  'createdAt',
  'decidedAt',
  'reason',
  'payeeId',
  'erasedAt',
]);
export const businessColumns = `${businessTable.list('id', 'state', 'keyId', 'sealed', 'domainSaid', 'domainCheckedAt')},
  ${businessTable.list('createdAt', 'decidedAt', 'reason', 'payeeId')}`;

/** At the moment of this parameter. */
const select = (
  now: string,
): string => `select ${businessColumns}, ${businessTable.list('accountId')}, ${accountTable.list('walletAddress')},
  case when p.id is not null then ${stateAt(now)} end as "recordState", ${payeeTable.columns.withdrawReason} as "recordReason",
  case when s.state = 'waiting' then (${lastRecordId('s.account_id')}) end as renews,
  coalesce((select json_agg(json_build_object('id', f.id, 'mediaType', f.media_type, 'size', f.size, 'keyId', f.key_id,
    'sealedName', translate(encode(f.sealed_name, 'base64'), E'\\n', ''), 'addedAt', f.added_at) order by f.seq)
    from dashboard.business_file f where f.submission_id = s.id), '[]') as files,
  ${checksWhere('c.submission_id = s.id')} as checks
  from ${businessTable.from} join ${accountTable.from} on a.id = s.account_id left join ${payeeTable.from} on p.id = s.payee_id`;

const find = statement<SubmissionRow>('business.find', `${select('$2')} where s.id = $1`);
export const findSubmission = (db: Queryable, id: string, now: Date): Promise<SubmissionRow | null> =>
  firstRow(db, find, [id, now]);

const newest = statement<SubmissionRow>(
  'business.newest',
  `${select('$2')} where s.account_id = $1 order by s.seq desc limit 1`,
);
export const newestSubmission = (
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<SubmissionRow | null> => firstRow(db, newest, [accountId, now]);

const page = statement<SubmissionRow>(
  'business.page',
  `${select('$2')} where $1::text is null or s.state = $1 order by case when $1 = 'waiting' then s.seq end, s.seq desc limit $3 offset $4`,
);
const count = statement<{ total: number }>(
  'business.count',
  'select count(*) as total from dashboard.business_submission s where $1::text is null or s.state = $1',
);

/** Returns one page of submissions, newest first (pending ones oldest first), and their total number. */
export async function listSubmissions(
  db: Queryable,
  state: BusinessState | undefined,
  at: { readonly page: number; readonly limit: number },
  now: Date,
) {
  const [items, counted] = await Promise.all([
    rows(db, page, [state, now, at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, [state]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const recent = statement<{ times: number; first: Date | null }>(
  'business.recent',
  `select count(*) as times, min(created_at) as first from (
     select created_at from dashboard.business_submission where account_id = $1 and created_at > $2
     order by created_at desc limit $3) n`,
);
/** Counts the submissions since a time, up to a limit, and returns the time of the first of them. */
export const recentSubmissions = (db: Queryable, accountId: string, since: Date, limit: number) =>
  firstRow(db, recent, [accountId, since, limit]);

const insert = statement<{ id: string }>(
  'business.insert',
  `${businessTable.insertInto('id', 'accountId', 'state', 'keyId', 'sealed', 'createdAt')} values ($1, $2, 'waiting', $3, $4, $5)
   on conflict (account_id) where state = 'waiting' do nothing returning id`,
);
/** False where one waits already. */
export const insertSubmission = async (
  db: Queryable,
  { id, accountId, sealed }: { readonly id: string; readonly accountId: string; readonly sealed: Sealed },
  now: Date,
): Promise<boolean> =>
  (await firstRow(db, insert, [id, accountId, sealed.keyId, sealed.bytes, now])) !== null;

// Of one that was erased or decided meanwhile nothing more is kept.
const keepSaid = statement(
  'business.keep-said',
  `update dashboard.business_submission set domain_said = $2, domain_checked_at = $3
   where id = $1 and state = 'waiting' and (domain_checked_at is null or domain_checked_at <= $3)`,
);
export async function keepDomainSaid(
  db: Queryable,
  id: string,
  said: Business['domainSaid'],
  at: Date,
): Promise<void> {
  await rows(db, keepSaid, [id, JSON.stringify(said), at]);
}

const lockWaiting = statement<{ id: string; files: number }>(
  'business.lock-waiting',
  `select s.id, (select count(*)::int from dashboard.business_file f where f.submission_id = s.id) as files
   from dashboard.business_submission s where s.account_id = $1 and s.state = 'waiting' for update`,
);
/** The account's submission that waits, kept as it is until the transaction ends. */
export const lockWaitingOf = (db: Queryable, accountId: string) => firstRow(db, lockWaiting, [accountId]);

const anyWaiting = statement(
  'business.any-waiting',
  `select from dashboard.business_submission where account_id = $1 and state = 'waiting'`,
);
export const anyWaitingOf = async (db: Queryable, accountId: string): Promise<boolean> =>
  (await firstRow(db, anyWaiting, [accountId])) !== null;

const lock = statement('business.lock', 'select from dashboard.business_submission where id = $1 for update');
export async function lockSubmission(db: Queryable, id: string): Promise<void> {
  await rows(db, lock, [id]);
}

const decide = statement(
  'business.decide',
  `update dashboard.business_submission set state = $2, decided_at = $3, reason = $4, payee_id = $5, payee_version = $6
   where id = $1`,
);
export async function decideSubmission(
  db: Queryable,
  id: string,
  {
    state,
    reason,
    record,
  }: {
    state: 'rejected' | 'admitted';
    reason: string | null;
    record: { readonly payeeId: string; readonly version: number } | null;
  },
  now: Date,
): Promise<void> {
  await rows(db, decide, [id, state, now, reason, record?.payeeId, record?.version]);
}

const lastRecord = statement<{ id: string }>('business.last-record', lastRecordId('$1'));
/** The record that was made of the account's last submission, unless it was withdrawn. */
export const lastRecordOf = async (db: Queryable, accountId: string): Promise<string | null> =>
  (await firstRow(db, lastRecord, [accountId]))?.id ?? null;

const fileMade = [
  'id',
  'submissionId',
  'mediaType',
  'keyId',
  'sealedName',
  'sealed',
  'size',
  'addedAt',
] as const;
export const businessFileTable = sqlTable('dashboard.business_file', 'f', fileMade);

const insertFile = statement(
  'business-file.insert',
  `${businessFileTable.insertInto(...fileMade)} values (${placeholders(fileMade)})`,
);
export async function insertBusinessFile(
  db: Queryable,
  file: {
    readonly id: string;
    readonly submissionId: string;
    readonly mediaType: string;
    readonly name: Sealed;
    readonly content: Sealed;
    readonly size: number;
  },
  now: Date,
): Promise<void> {
  const { id, submissionId, mediaType, name, content, size } = file;
  await rows(db, insertFile, [id, submissionId, mediaType, name.keyId, name.bytes, content.bytes, size, now]);
}

const findFile = statement<{ mediaType: string; keyId: string; sealedName: Buffer; sealed: Buffer }>(
  'business-file.find',
  `select ${businessFileTable.list('mediaType', 'keyId', 'sealedName', 'sealed')}
   from ${businessFileTable.from} where f.id = $1 and f.submission_id = $2`,
);
export const findBusinessFile = (db: Queryable, id: string, submissionId: string) =>
  firstRow(db, findFile, [id, submissionId]);
