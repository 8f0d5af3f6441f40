import type { Scope } from '@countersign/protocol/vault/scopes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

/** A token as it is kept: never its text. */
export type TokenRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly account: string;
  readonly kind: 'access' | 'refresh' | 'api';
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null: every credential of the tenant. */
  readonly credentialIds: readonly string[] | null;
  readonly agentDid: string | null;
  /** Tokens of one login; null for generated ones. */
  readonly family: string | null;
  /** The generated token with which it was generated. */
  readonly parent: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
};

const made = [
  'id',
  'tenantId',
  'account',
  'kind',
  'name',
  'scopes',
  'credentialIds',
  'agentDid',
  'family',
  'parent',
  'createdAt',
  'expiresAt',
] as const;
export const tokenTable = sqlTable('vault.token', 't', [...made, 'revokedAt'] satisfies (keyof TokenRow)[]);
const columns = tokenTable.list(...made, 'revokedAt');

// Long after its end a token is still listed, and then forgotten.
const insert = statement(
  'token.insert',
  `with old as (delete from vault.token where id in (select id from vault.token
     where expires_at < $11::timestamptz - interval '30 days' limit 20 for update skip locked))
   ${tokenTable.insertInto(...made)} values (${placeholders(made)})`,
);

export type NewToken = Omit<TokenRow, 'revokedAt'>;

/** Keeps a new token, and forgets some that ended long ago. */
export async function insertToken(db: Queryable, token: NewToken): Promise<void> {
  const { id, tenantId, account, kind, name, scopes, credentialIds, agentDid, family, parent } = token;
  const about = [id, tenantId, account, kind, name, [...scopes], credentialIds, agentDid, family, parent];
  await rows(db, insert, [...about, token.createdAt, token.expiresAt]);
}

// In one statement, so that of two at once one is the first.
const spend = statement<TokenRow>(
  'token.spend',
  `update vault.token t set revoked_at = $2
   where t.id = $1 and t.kind = 'refresh' and t.revoked_at is null returning ${columns}`,
);

/** Uses a refresh token up; null when it was before. */
export const spendRefreshToken = (db: Queryable, id: string, now: Date): Promise<TokenRow | null> =>
  firstRow(db, spend, [id, now]);

const revokeFamilyOf = statement(
  'token.revoke-family',
  `update vault.token set revoked_at = coalesce(revoked_at, $2)
   where family = (select family from vault.token where id = $1)`,
);

/** Revokes every token of the login that this one belongs to. */
export async function revokeFamily(db: Queryable, id: string, now: Date): Promise<void> {
  await rows(db, revokeFamilyOf, [id, now]);
}

const hold = statement<{ id: string }>(
  'token.hold',
  'select id from vault.token where id = $1 and revoked_at is null for share',
);

/** Returns whether a token is not revoked, and will not be before the transaction ends. */
export const holdToken = async (db: Queryable, id: string): Promise<boolean> =>
  (await firstRow(db, hold, [id])) !== null;

const holdOne = statement<{ name: string }>(
  'token.hold-person',
  'select name from vault.account where name = $1 and person is not null for no key update',
);

/**
 * Whether this is a person whom a dashboard signs in; their tokens are then made one after the other. Before `holdToken`, as
 * whoever ends a person goes.
 */
export const holdPerson = async (db: Queryable, account: string): Promise<boolean> =>
  (await firstRow(db, holdOne, [account])) !== null;

const valid = statement<{ valid: number }>(
  'token.count-valid',
  `select count(*)::int as valid from vault.token
   where account = $1 and kind = 'api' and revoked_at is null and expires_at > $2`,
);

/** Returns the number of valid generated tokens of an account. */
export const countValid = async (db: Queryable, account: string, now: Date): Promise<number> =>
  (await firstRow(db, valid, [account, now]))?.valid ?? 0;

/** Whose tokens: those of a tenant, and within it of one account, or one token and what was made with it; null: no matter. */
export type Holder = {
  readonly tenantId: string;
  readonly account: string | null;
  readonly maker: string | null;
};

const heldBy = ({ tenantId, account, maker }: Holder) => [tenantId, account, maker];
const held = `t.tenant_id = $1 and ($2::text is null or t.account = $2) and ($3::uuid is null or t.id in (
  with recursive made (id) as (select $3::uuid union select c.id from vault.token c join made on c.parent = made.id)
  select id from made))`;

const revoke = statement<{ id: string }>(
  'token.revoke',
  `with recursive gone (id) as (
     select t.id from vault.token t where ${held} and t.id = $4 and t.kind <> 'refresh'
     union
     select t.id from vault.token t join gone on t.parent = gone.id
   )
   update vault.token t set revoked_at = coalesce(t.revoked_at, $5) from gone where t.id = gone.id returning t.id`,
);

/** Revokes a token and those that were generated with it. False when it is none of those. */
export async function revokeToken(db: Queryable, id: string, holder: Holder, now: Date): Promise<boolean> {
  // One that is being generated holds its maker until it is there, and is seen by the next round.
  for (let before = -1; ; ) {
    const revoked = (await rows(db, revoke, [...heldBy(holder), id, now])).length;
    if (revoked === before) return revoked > 0;
    before = revoked;
  }
}

const list = statement<TokenRow>(
  'token.list',
  `select ${columns} from vault.token t where t.kind = 'api' and ${held} order by t.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'token.count',
  `select count(*) as total from vault.token t where t.kind = 'api' and ${held}`,
);

/** Generated tokens, newest first. */
export async function listTokens(
  db: Queryable,
  holder: Holder,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly TokenRow[]; readonly total: number }> {
  const who = heldBy(holder);
  const [items, counted] = await Promise.all([
    rows(db, list, [...who, limit, offset]),
    firstRow(db, count, who),
  ]);
  return { items, total: counted?.total ?? 0 };
}
