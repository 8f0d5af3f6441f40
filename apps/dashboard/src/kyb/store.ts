import type { BusinessCheck } from '@countersign/protocol/dashboard/kyb';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import type { Identity } from '../screening/ports.ts';

/** A check as PostgreSQL gives it in JSON. */
export type StoredCheck = BusinessCheck;

/** SQL: what is open is asked about for 90 days; what the provider never confirmed, for one. */
const openUntil = `c.started_at + case when c.checked_at is null then interval '1 day' else interval '90 days' end`;

/** Checks under the alias `c` that are about this, newest first, as JSON. */
export const checksWhere = (condition: string): string =>
  `coalesce((select json_agg(${checkJson} order by c.seq desc) from dashboard.business_check c where ${condition}), '[]')`;

const checkJson = `json_build_object('id', c.id, 'provider', c.provider, 'status', c.status, 'providerFile', c.provider_file,
  'version', c.payee_version, 'startedAt', c.started_at, 'checkedAt', c.checked_at, 'rejectedAt', c.rejected_at,
  'liftedAt', c.lifted_at, 'rejection', c.rejection,
  'openUntil', case when c.status = 'pending' then ${openUntil} end)`;

/** PostgreSQL writes times in JSON in its own way. */
export const showCheck = (check: StoredCheck): BusinessCheck => ({
  ...check,
  startedAt: new Date(check.startedAt).toISOString(),
  checkedAt: shownTime(check.checkedAt),
  rejectedAt: shownTime(check.rejectedAt),
  liftedAt: shownTime(check.liftedAt),
  openUntil: shownTime(check.openUntil),
});

const shownTime = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());

type About = { readonly submissionId: string } | { readonly payeeId: string; readonly version: number };

const insert = statement(
  'business-check.insert',
  `insert into dashboard.business_check (id, provider, submission_id, payee_id, payee_version, started_at, tried_at)
   values ($1, $2, $3, $4, $5, $6, $6)`,
);

export async function insertCheck(
  db: Queryable,
  { id, provider, about }: { readonly id: string; readonly provider: string; readonly about: About },
  now: Date,
): Promise<void> {
  const record = 'payeeId' in about ? about : null;
  const submissionId = 'submissionId' in about ? about.submissionId : null;
  await rows(db, insert, [id, provider, submissionId, record?.payeeId, record?.version, now]);
}

const find = statement<{ check: StoredCheck }>(
  'business-check.find',
  `select ${checkJson} as check from dashboard.business_check c where c.id = $1`,
);

export async function findCheck(db: Queryable, id: string): Promise<BusinessCheck | null> {
  const found = await firstRow(db, find, [id]);
  return found === null ? null : showCheck(found.check);
}

/**
 * The answer to the newest question stands. Only an approval ends a no: a file that is looked at again, or that the provider
 * has no more, takes nothing back. A no that operators have decided in sight of is not news, until its file was open again.
 */
const saysNo = "($2 = 'rejected' or ($2 = 'pending' and c.status = 'rejected' and c.lifted_at is null))";
const keep = statement<{ check: StoredCheck }>(
  'business-check.keep',
  `update dashboard.business_check c set provider_file = coalesce($3, c.provider_file), checked_at = $4,
     tried_at = greatest(c.tried_at, $4),
     status = case when c.status = 'rejected' and c.lifted_at is null and $2 = 'pending' then c.status else $2 end,
     rejected_at = case when ${saysNo} then coalesce(c.rejected_at, $5) end,
     rejection = case when ${saysNo} then case when c.rejected_at is not null and c.rejection is not null then c.rejection
       else nextval('dashboard.business_check_number') end end,
     lifted_at = case when $2 = 'rejected' then c.lifted_at end, asked = $6
   where c.id = $1 and c.asked < $6
   returning ${checkJson} as check`,
);

export async function keepAnswer(
  db: Queryable,
  id: string,
  { status, requestId }: Identity,
  { asked, askedAt, now }: { readonly asked: number; readonly askedAt: Date; readonly now: Date },
): Promise<void> {
  await rows(db, keep, [id, status, requestId, askedAt, now, asked]);
}

const number = statement<{ number: number }>(
  'business-check.number',
  `select nextval('dashboard.business_check_number') as number`,
);

/** The number of a question that is about to be asked: a later one has a higher one, whatever the clocks of processes say. */
export async function numberQuestion(db: Queryable): Promise<number> {
  const next = await firstRow(db, number, []);
  if (next === null) throw new Error('a sequence gave no number');
  return next.number;
}

const tried = statement(
  'business-check.tried',
  'update dashboard.business_check set tried_at = greatest(tried_at, $2) where id = $1',
);

/** It had its turn, without an answer. */
export async function noteTried(db: Queryable, id: string, at: Date): Promise<void> {
  await rows(db, tried, [id, at]);
}

/**
 * Of records that are not withdrawn and submissions that wait: a yes is asked about once a day, a no each hour, and what is
 * open after ten minutes, later after a tenth of its age, until it is given up.
 */
const due = statement<{ id: string }>(
  'business-check.due',
  `select c.id from dashboard.business_check c
   left join dashboard.payee p on p.id = c.payee_id left join dashboard.business_submission s on s.id = c.submission_id
   where c.provider = $2 and case when p.id is not null then p.withdrawn_at is null else s.state = 'waiting' end
     and (c.status <> 'pending' or $1 < ${openUntil})
     and c.tried_at <= $1::timestamptz - case c.status when 'approved' then interval '1 day' when 'rejected' then interval '1 hour'
       else least(interval '1 day', greatest(interval '10 minutes', ($1::timestamptz - c.started_at) / 10)) end
   order by c.tried_at, c.seq limit $3`,
);

export const dueChecks = async (db: Queryable, provider: string, limit: number, now: Date) =>
  (await rows(db, due, [now, provider, limit])).map(({ id }) => id);

const lift = statement(
  'business-check.lift',
  `update dashboard.business_check set lifted_at = $2
   where payee_id = $1 and rejection = any($3::bigint[]) and lifted_at is null`,
);

/** Lifts the noes of these numbers, in sight of which was decided; any other goes on. */
export async function liftRejections(
  db: Queryable,
  payeeId: string,
  { seen, now }: { readonly seen: readonly number[]; readonly now: Date },
): Promise<void> {
  await rows(db, lift, [payeeId, now, seen]);
}

const attach = statement(
  'business-check.attach',
  `update dashboard.business_check set payee_id = $2, payee_version = $3,
     lifted_at = case when rejection = any($5::bigint[]) then coalesce(lifted_at, $4) else lifted_at end
   where submission_id = $1`,
);

/**
 * Moves a submission's checks to the record that an operator makes of it. Negative findings that were `seen`
 * are lifted.
 */
export async function attachChecks(
  db: Queryable,
  submissionId: string,
  { payeeId, version, seen }: { payeeId: string; version: number; seen: readonly number[] },
  now: Date,
): Promise<void> {
  await rows(db, attach, [submissionId, payeeId, version, now, seen]);
}

const drop = statement(
  'business-check.drop',
  `delete from dashboard.business_check c where c.submission_id = any($1::text[])
     and not exists (select from dashboard.payee p where p.id = c.payee_id and p.admitted is not null)`,
);

/** Forgets what was asked about submissions that were erased; what was asked about a record that counted stays with it. */
export async function dropChecks(db: Queryable, submissionIds: readonly string[]): Promise<void> {
  await rows(db, drop, [submissionIds]);
}

/** Returns whether a provider says no about what counts, or has counted, in this record. */
export const rejectionsOf = (record: string): string =>
  `select from dashboard.business_check c join dashboard.payee q on q.id = c.payee_id
   where c.payee_id = ${record} and c.status = 'rejected' and c.lifted_at is null and c.payee_version <= q.admitted`;

const rejected = statement('business-check.rejected', `${rejectionsOf('$1')} limit 1`);

export const isRejected = async (db: Queryable, payeeId: string): Promise<boolean> =>
  (await firstRow(db, rejected, [payeeId])) !== null;
