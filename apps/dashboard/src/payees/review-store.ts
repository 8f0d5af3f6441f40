import type { Address } from '@countersign/protocol/address';
import type { PayeeReview, PayeeReviewState } from '@countersign/protocol/dashboard/payees';
import {
  firstRow,
  inTransaction,
  type Pool,
  type Queryable,
  rows,
  statement,
} from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

const told = [
  'payee',
  'serviceName',
  'toolName',
  'host',
  'chain',
  'amount',
  'tokenSymbol',
  'kytResult',
  'kytRiskLevel',
] as const;
const table = sqlTable('dashboard.payee_review', 'r', [
  ...told,
  'seq',
  'state',
  'openedBy',
  'refusals',
  'openedAt',
  'lastAt',
  'decidedAt',
  'decidedBy',
  'reason',
]);

/** What the report that opened a review stated about the payee, cleaned and truncated. */
export type Told = Pick<PayeeReview, (typeof told)[number]>;

export type ReviewRow = Omit<PayeeReview, 'openedAt' | 'lastAt' | 'decidedAt'> & {
  readonly openedAt: Date;
  readonly lastAt: Date;
  readonly decidedAt: Date | null;
};

/** Limits on an account's open reviews: in total, and for one service. */
export type Room = { readonly each: number; readonly service: number };

/** Returns whether this account has room for one more of this service. */
const hasRoom = (account: string, service: string, each: string, ofService: string): string =>
  `(select count(*) < ${each} and count(*) filter (where coalesce(p.host, p.service_name) = ${service}) < ${ofService}
    from dashboard.payee_review p where p.state = 'pending' and p.opened_by = ${account})`;

type Seen = {
  readonly state: PayeeReviewState | null;
  /** Whether this account is among those that wanted to pay it. */
  readonly reported: boolean;
  readonly room: boolean;
};

const seen = statement<Seen>(
  'payee-review.seen',
  `select (select r.state from ${table.from} where r.payee = $1) as state,
     exists (select from dashboard.payee_review_reporter o where o.payee = $1 and o.account_id = $2) as reported,
     ${hasRoom('$2', '$3', '$4', '$5')} as room`,
);

type About = { readonly told: Told; readonly by: string; readonly room: Room };

const serviceOf = ({ host, serviceName }: Told): string => host ?? serviceName;

/** Returns the state of a payee's review, in general and for this account. */
export async function lookAtReview(db: Queryable, { told: about, by, room }: About): Promise<Seen> {
  const values = [about.payee, by, serviceOf(about), room.each, room.service];
  return (await firstRow(db, seen, values)) ?? { state: null, reported: false, room: false };
}

const noted = `insert into dashboard.payee_review_reporter (payee, account_id)`;

const again = statement(
  'payee-review.again',
  `with counted as (
     update dashboard.payee_review set refusals = refusals + 1, last_at = $3 where payee = $1 returning payee
   ) ${noted} select payee, $2 from counted on conflict do nothing`,
);

/** Counts one more refusal of a payee that has a review, and who reported it. */
export async function countRefusal(db: Queryable, payee: Address, by: string, now: Date): Promise<void> {
  await rows(db, again, [payee, by, now]);
}

const lock = statement(
  'payee-review.lock',
  `select pg_advisory_xact_lock(hashtextextended('payee reviews of ' || $1::text, 0))`,
);

const open = statement(
  'payee-review.open',
  `with opened as (
     ${table.insertInto(...told, 'openedBy', 'state', 'refusals', 'openedAt', 'lastAt')}
     select ${placeholders([...told, 'openedBy'])}, 'pending', 1, $11, $11 where ${hasRoom('$10', '$12', '$13', '$14')}
     on conflict (payee) do update set seq = default, state = 'pending', refusals = r.refusals + 1, last_at = excluded.last_at,
       decided_at = null, decided_by = null, reason = null, ${overwritten([...told, 'openedBy'])}
       where r.state = 'admitted'
     returning payee
   ), noted as (${noted} select payee, $10 from opened on conflict do nothing)
   select payee from opened`,
);

function overwritten(fields: readonly (keyof typeof table.columns)[]): string {
  const names = fields.map((field) => table.columns[field].slice('r.'.length));
  return names.map((name) => `${name} = excluded.${name}`).join(', ');
}

/**
 * Opens a review where its account has room for it, or opens one again whose record has ended: it tells then what this
 * report tells. One that waits, or was turned away, only counts the refusal.
 */
export const openReview = (pool: Pool, { told: about, by, room }: About, now: Date): Promise<void> =>
  inTransaction(pool, async (db) => {
    await rows(db, lock, [by]);
    const given = [...told.map((field) => about[field]), by, now];
    const opened = await firstRow(db, open, [...given, serviceOf(about), room.each, room.service]);
    if (opened === null) await countRefusal(db, about.payee, by, now);
  });

const columns = `${table.list(...told, 'state', 'refusals', 'openedAt', 'lastAt', 'decidedAt', 'decidedBy', 'reason')},
  (select a.wallet_address from dashboard.account a where a.id = r.opened_by) as "openedBy",
  (select count(*) from dashboard.payee_review_reporter o where o.payee = r.payee) as reporters`;
const page = statement<ReviewRow>(
  'payee-review.page',
  `select ${columns} from ${table.from} where $1::text is null or r.state = $1 order by r.seq desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'payee-review.count',
  `select count(*) as total from ${table.from} where $1::text is null or r.state = $1`,
);

/** Returns one page of reviews, newest first, and their total number. */
export async function listReviews(
  db: Queryable,
  state: PayeeReviewState | undefined,
  at: { readonly page: number; readonly limit: number },
) {
  const [items, counted] = await Promise.all([
    rows(db, page, [state, at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, [state]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const find = statement<ReviewRow>(
  'payee-review.find',
  `select ${columns} from ${table.from} where r.payee = $1`,
);

export const findReview = (db: Queryable, payee: Address): Promise<ReviewRow | null> =>
  firstRow(db, find, [payee]);

type Decision = { readonly by: Address; readonly reason: string };

const turnAway = statement(
  'payee-review.turn-away',
  `update dashboard.payee_review set state = 'turned-away', decided_at = $2, decided_by = $3, reason = $4 where payee = any($1)`,
);

export async function turnReviewsAway(
  db: Queryable,
  payees: readonly Address[],
  { by, reason }: Decision,
  now: Date,
): Promise<void> {
  await rows(db, turnAway, [payees, now, by, reason]);
}

const admit = statement(
  'payee-review.admit',
  `update dashboard.payee_review set state = 'admitted', decided_at = $2, decided_by = $3, reason = null
   where payee = any($1) and state <> 'admitted'`,
);

/** A record vouches for these addresses. */
export async function admitReviews(
  db: Queryable,
  payees: readonly Address[],
  by: Address,
  now: Date,
): Promise<void> {
  await rows(db, admit, [payees, now, by]);
}
