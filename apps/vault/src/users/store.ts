import type { Scope } from '@countersign/protocol/vault/scopes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

/** Who can log in. Names are unique in the whole vault. */
export type Account = {
  readonly name: string;
  readonly tenantId: string;
  readonly passwordHash: string;
  readonly scopes: readonly Scope[];
};

const made = ['name', 'tenantId', 'passwordHash', 'scopes', 'createdAt'] as const;
export const accountTable = sqlTable('vault.account', 'a', [...made, 'person']);

const insert = statement<{ name: string }>(
  'account.insert',
  `${accountTable.insertInto(...made)} values (${placeholders(made)})
   on conflict do nothing returning name`,
);

/** False when the name is taken. */
export const insertAccount = async (
  db: Queryable,
  { name, tenantId, passwordHash, scopes }: Account,
  now: Date,
): Promise<boolean> =>
  (await firstRow(db, insert, [name, tenantId, passwordHash, [...scopes], now])) !== null;

const find = statement<Account>(
  'account.find',
  `select ${accountTable.list('name', 'tenantId', 'passwordHash', 'scopes')} from ${accountTable.from}
   where a.name = $1 and a.person is null`,
);

export const findAccount = (db: Queryable, name: string): Promise<Account | null> =>
  firstRow(db, find, [name]);

/** Failures of one user name from one address or of all names from it, and when the one lies that has to be forgotten first. */
export type Failures = { readonly count: number; readonly blockedBy: Date | null };

const recent = statement<Failures>(
  'login-failure.recent',
  `select count(*)::int as count, (array_agg(at order by at desc))[$4::int] as "blockedBy"
   from vault.login_failure where username = $1 and address = $2 and at > $3
   union all
   select count(*)::int, (array_agg(at order by at desc))[$5::int]
   from vault.login_failure where address = $2 and at > $3`,
);

/** When the newest failure lies that blocks a login by its number, of the name from the address and of the address. */
export const blockingFailures = (
  db: Queryable,
  who: { readonly username: string; readonly address: string },
  since: Date,
  max: { readonly ofBoth: number; readonly ofAddress: number },
): Promise<readonly Failures[]> =>
  rows(db, recent, [who.username, who.address, since, max.ofBoth, max.ofAddress]);

const note = statement(
  'login-failure.note',
  `with old as (delete from vault.login_failure where at <= $4)
   insert into vault.login_failure (username, address, at) values ($1, $2, $3)`,
);

/** Notes a failure, and forgets those before `since`. */
export async function noteFailure(
  db: Queryable,
  who: { readonly username: string; readonly address: string },
  now: Date,
  since: Date,
): Promise<void> {
  await rows(db, note, [who.username, who.address, now, since]);
}
