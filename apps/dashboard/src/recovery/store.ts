import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { accountTable } from '../accounts/store.ts';

export const addressTable = sqlTable('dashboard.recovery_address', 'r', [
  'id',
  'accountId',
  'address',
  'signature',
  'askedAt',
  'countsFrom',
  'endedAt',
  'endedBy',
]);
export const claimTable = sqlTable('dashboard.recovery_claim', 'c', [
  'id',
  'accountId',
  'claimantId',
  'signature',
  'askedAt',
  'dueAt',
  'endedAt',
  'endedBy',
  'doneAt',
]);

/** Whom an account names; `address` null: nobody. */
export type Naming = {
  readonly id: string;
  readonly accountId: string;
  readonly address: Address | null;
  readonly signature: string;
  readonly askedAt: Date;
  readonly countsFrom: Date;
};

export type Claim = {
  readonly id: string;
  readonly accountId: string;
  readonly claimantId: string;
  readonly signature: string;
  readonly askedAt: Date;
  readonly dueAt: Date;
};
/** A claim with the wallet of whoever made it. */
export type OpenClaim = Claim & { readonly claimant: Address };

const namingColumns = addressTable.list('id', 'accountId', 'address', 'signature', 'askedAt', 'countsFrom');

// One is open at most, so the last that counts was also asked for last.
const naming = statement<Naming & { readonly counts: boolean }>(
  'recovery.namings',
  `select ${namingColumns}, r.counts_from <= $2 as counts from ${addressTable.from}
   where r.account_id = $1 and r.ended_at is null order by r.seq desc limit 2`,
);

/** Returns the current recovery address and the pending change; null for each that does not exist. */
export async function readNamings(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<{ readonly counting: Naming | null; readonly change: Naming | null }> {
  const found = await rows(db, naming, [accountId, now]);
  const counting = found.find(({ counts }) => counts) ?? null;
  return { counting, change: found.find(({ counts }) => !counts) ?? null };
}

const insertOne = statement(
  'recovery.name',
  `${addressTable.insertInto('id', 'accountId', 'address', 'signature', 'askedAt', 'countsFrom')}
   values ($1, $2, $3, $4, $5, $6)`,
);

export async function insertNaming(db: Queryable, asked: Naming): Promise<void> {
  const { id, accountId, address, signature, askedAt, countsFrom } = asked;
  await rows(db, insertOne, [id, accountId, address, signature, askedAt, countsFrom]);
}

const findOne = statement<Naming>(
  'recovery.find-change',
  `select ${namingColumns} from ${addressTable.from} where r.id = $1 and r.ended_at is null and r.counts_from > $2`,
);

/** A change that does not count yet. */
export const findChange = (db: Queryable, id: string, now: Date): Promise<Naming | null> =>
  firstRow(db, findOne, [id, now]);

const endOne = statement(
  'recovery.end-change',
  `update dashboard.recovery_address set ended_at = $2, ended_by = $3
   where id = $1 and ended_at is null and counts_from > $2`,
);

export async function endChange(db: Queryable, id: string, by: Address, now: Date): Promise<void> {
  await rows(db, endOne, [id, now, by]);
}

const claimColumns = `${claimTable.list('id', 'accountId', 'claimantId', 'signature', 'askedAt', 'dueAt')},
  (select a.wallet_address from dashboard.account a where a.id = c.claimant_id) as claimant`;
const isOpen = 'c.ended_at is null and c.done_at is null';

const ofAccount = statement<OpenClaim>(
  'recovery.claim-of',
  `select ${claimColumns} from ${claimTable.from} where c.account_id = $1 and ${isOpen}`,
);

export const findOpenClaim = (db: Queryable, accountId: string): Promise<OpenClaim | null> =>
  firstRow(db, ofAccount, [accountId]);

const claimById = statement<OpenClaim>(
  'recovery.find-claim',
  `select ${claimColumns} from ${claimTable.from} where c.id = $1 and ${isOpen}`,
);

export const findClaim = (db: Queryable, id: string): Promise<OpenClaim | null> =>
  firstRow(db, claimById, [id]);

const insertClaimed = statement(
  'recovery.claim',
  `${claimTable.insertInto('id', 'accountId', 'claimantId', 'signature', 'askedAt', 'dueAt')}
   values ($1, $2, $3, $4, $5, $6)`,
);

export async function insertClaim(db: Queryable, claim: Claim): Promise<void> {
  const { id, accountId, claimantId, signature, askedAt, dueAt } = claim;
  await rows(db, insertClaimed, [id, accountId, claimantId, signature, askedAt, dueAt]);
}

const endClaimed = statement(
  'recovery.end-claim',
  `update dashboard.recovery_claim c set ended_at = $2, ended_by = $3 where c.id = $1 and ${isOpen}`,
);

/** `by` null: what it rested on is gone. */
export async function endClaim(db: Queryable, id: string, by: Address | null, now: Date): Promise<void> {
  await rows(db, endClaimed, [id, now, by]);
}

const finish = statement(
  'recovery.finish-claim',
  'update dashboard.recovery_claim set done_at = $2 where id = $1',
);

export async function finishClaim(db: Queryable, id: string, now: Date): Promise<void> {
  await rows(db, finish, [id, now]);
}

const objected = statement<{ at: Date }>(
  'recovery.objected',
  `select c.ended_at as at from ${claimTable.from} join dashboard.account a on a.id = c.account_id
   where c.account_id = $1 and c.ended_by = a.wallet_address order by c.ended_at desc limit 1`,
);

/** When the account's wallet last objected to being recovered; null for never. */
export const lastObjection = async (db: Queryable, accountId: string): Promise<Date | null> =>
  (await firstRow(db, objected, [accountId]))?.at ?? null;

// Those that could not be ended before go behind those that wait.
const due = statement<{ id: string }>(
  'recovery.due',
  `with turn as (update dashboard.recovery_claim set tried_at = $1 where id in (select c.id from ${claimTable.from}
       where ${isOpen} and c.due_at <= $1
       order by greatest(c.tried_at, c.due_at), c.tried_at is not null, c.seq limit 20 for update skip locked)
     returning id, due_at, seq)
   select id from turn order by due_at, seq`,
);

/** Claims whose delay is over, to be ended now in this order: each gets its turn. */
export const dueClaims = async (db: Queryable, now: Date): Promise<readonly string[]> =>
  (await rows(db, due, [now])).map(({ id }) => id);

type NamedBy = {
  readonly accountId: string;
  readonly walletAddress: Address;
  readonly since: Date;
};

const namedBy = statement<NamedBy>(
  'recovery.named-by',
  `select a.id as "accountId", ${accountTable.list('walletAddress')}, r.counts_from as since
   from ${addressTable.from} join ${accountTable.from} on a.id = r.account_id
   where r.address = $1 and r.ended_at is null and r.counts_from <= $2 and a.closed_at is null
     and not exists (select from dashboard.recovery_address l where l.account_id = r.account_id and l.seq > r.seq
       and l.ended_at is null and l.counts_from <= $2)
   order by r.seq desc limit 100`,
);

/** Accounts that name this wallet now, the latest first. */
export const listNamedBy = (db: Queryable, wallet: Address, now: Date): Promise<readonly NamedBy[]> =>
  rows(db, namedBy, [wallet, now]);

export type Recovered = {
  readonly accountId: string;
  readonly walletAddress: Address;
  readonly closedAt: Date;
};

const recovered = statement<Recovered>(
  'recovery.recovered',
  `select a.id as "accountId", ${accountTable.list('walletAddress', 'closedAt')}
   from ${accountTable.from} where a.recovered_by = $1 order by a.closed_at desc, a.id`,
);

/** The accounts that this one recovered, the latest first. */
export const listRecovered = (db: Queryable, accountId: string): Promise<readonly Recovered[]> =>
  rows(db, recovered, [accountId]);

const lock = statement(
  'recovery.lock',
  'select 1 from dashboard.account where id = any($1) order by id for no key update',
);

/** Makes everyone else who changes these accounts or their people wait until the transaction ends. */
export async function lockAccounts(db: Queryable, ids: readonly string[]): Promise<void> {
  await rows(db, lock, [ids]);
}
