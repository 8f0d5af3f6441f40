import { createHash } from 'node:crypto';
import type { Address } from '@countersign/protocol/address';
import type { KeyScope } from '@countersign/protocol/dashboard/key-scopes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { newId, type RandomBytes } from '../ids.ts';

/** A key's scopes and expiry. */
export type Reach = {
  /** Null: made without any, so what a gateway asks. */
  readonly scopes: KeyScope[] | null;
  /** The one agent that it is for; null: every wallet of the account. */
  readonly agentWallet: Address | null;
  readonly expiresAt: Date | null;
};

/** An API key without its secret. */
export type ApiKey = Reach & {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

// A random key of 256 bits needs no slow hash: there is nothing to guess.
export const digest = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

export const apiKeyTable = sqlTable('dashboard.api_key', 'k', [
  'id',
  'accountId',
  'name',
  'prefix',
  'sha256',
  'createdAt',
  'lastUsedAt',
  'revokedAt',
  'scopes',
  'agentWallet',
  'expiresAt',
  'personId',
]);
/** SQL: when the terms of the agent ran out that a key is for; null while they hold. `now` is a parameter of the statement. */
export const endOfTerms = (now: `$${number}`): string => `(select g.expires_at from dashboard.agent_wallet g
  where g.account_id = k.account_id and g.wallet = k.agent_wallet and g.expires_at <= ${now})`;

/** The fields of an `ApiKey`. */
export const apiKeyColumns = `${apiKeyTable.list('id', 'name', 'prefix', 'createdAt', 'lastUsedAt', 'revokedAt')},
  ${apiKeyTable.list('scopes', 'agentWallet', 'expiresAt')}`;
const made = [
  'id',
  'accountId',
  'name',
  'prefix',
  'sha256',
  'createdAt',
  'scopes',
  'agentWallet',
  'expiresAt',
  'personId',
] as const;

const insert = statement<ApiKey>(
  'api-key.insert',
  `${apiKeyTable.insertInto(...made)} values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   returning ${apiKeyColumns}`,
);

/** A key that was just made: the only time that its text is known. */
export type NewApiKey = ApiKey & { readonly apiKey: string };

/** Returns whether a text could be a key at all. */
export const isKeyText = (text: unknown): text is string =>
  typeof text === 'string' && /^csk_[\w-]{43}$/.test(text);

/** Id, prefix, hash and text of a new key. */
function newSecret(random: RandomBytes) {
  const apiKey = `csk_${random(32).toString('base64url')}`;
  return { id: newId(random, 'key'), prefix: apiKey.slice(0, 8), sha256: digest(apiKey), apiKey };
}

/** Makes a key: of an account, or of the operators when `accountId` is null. Its text is never stored. */
export async function createApiKey(
  db: Queryable,
  random: RandomBytes,
  about: { accountId: string | null; personId?: string | null; name: string; now: Date } & Partial<Reach>,
): Promise<NewApiKey> {
  const { id, prefix, sha256, apiKey } = newSecret(random);
  const { accountId, personId, name, now, scopes, agentWallet, expiresAt } = about;
  const values = [id, accountId, name, prefix, sha256, now, scopes, agentWallet, expiresAt, personId];
  const made = await firstRow(db, insert, values);
  if (made === null) throw new Error('an insert gave no row');
  return { ...made, apiKey };
}

// One statement, so that of two at once one makes a key; none for an agent whose terms ran out, which ended its keys. `revoked_at` in the future is the end of a grace. The successor may
// do the same, for as long as the old one was made for.
const roll = statement<ApiKey | { readonly id: null }>(
  'api-key.roll',
  `with old as (
     update dashboard.api_key k set revoked_at = $4
     where k.id = $1 and k.account_id = $2 and k.revoked_at is null and ${endOfTerms('$3')} is null returning k.*
   ), k as (
     ${apiKeyTable.insertInto(...made)}
     select $5, $2, old.name, $6, $7, $3::timestamptz, old.scopes, old.agent_wallet, $3::timestamptz + (old.expires_at - old.created_at), $8 from old returning k.*
   )
   select ${apiKeyColumns} from (select from dashboard.api_key where id = $1 and account_id = $2) mine
   left join k on true`,
);

/**
 * Makes a new key in place of a living or expired one, which ends after the grace. `ending`: it was rolled or revoked
 * before, or ended with its agent’s terms; `none`: the account has no such key.
 */
export async function rollApiKey(
  db: Queryable,
  random: RandomBytes,
  about: { id: string; accountId: string; personId: string | null; graceSeconds: number; now: Date },
): Promise<NewApiKey | 'ending' | 'none'> {
  const { id, prefix, sha256, apiKey } = newSecret(random);
  const endsAt = new Date(about.now.getTime() + about.graceSeconds * 1000);
  const values = [about.id, about.accountId, about.now, endsAt, id, prefix, sha256, about.personId];
  const rolled = await firstRow(db, roll, values);
  if (rolled === null) return 'none';
  return rolled.id === null ? 'ending' : { ...rolled, apiKey };
}

const list = statement<ApiKey & { readonly endOfTerms: Date | null }>(
  'api-key.list',
  `select ${apiKeyColumns}, ${endOfTerms('$2')} as "endOfTerms"
   from ${apiKeyTable.from} where k.account_id = $1 order by k.seq desc`,
);

/** Every key of the account, newest first. One whose agent’s terms ran out counts as revoked since then. */
export async function listApiKeys(db: Queryable, accountId: string, now: Date): Promise<readonly ApiKey[]> {
  const listed = await rows(db, list, [accountId, now]);
  return listed.map(({ endOfTerms: end, ...key }) => ({ ...key, revokedAt: earlier(key.revokedAt, end) }));
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one !== null && (other === null || one < other) ? one : other;

const revoke = statement<{ id: string }>(
  'api-key.revoke',
  `update dashboard.api_key set revoked_at = least(revoked_at, $3) where id = $1 and account_id = $2 returning id`,
);

/** False when the account has no such key. Revoking twice is harmless. */
export const revokeApiKey = async (
  db: Queryable,
  id: string,
  accountId: string,
  now: Date,
): Promise<boolean> => (await firstRow(db, revoke, [id, accountId, now])) !== null;

const revokeOfAgent = statement<{ id: string }>(
  'api-key.revoke-of-agent',
  `update dashboard.api_key set revoked_at = least(revoked_at, $3)
   where account_id = $1 and agent_wallet = $2 and (revoked_at is null or revoked_at > $3) returning id`,
);

/** Revokes every key that is for this agent alone: those that lived until `end`. */
export const revokeKeysOf = (
  db: Queryable,
  accountId: string,
  agentWallet: Address,
  end: Date,
): Promise<readonly { readonly id: string }[]> => rows(db, revokeOfAgent, [accountId, agentWallet, end]);

const revokeOfPerson = statement(
  'api-key.revoke-of-person',
  `update dashboard.api_key set revoked_at = least(revoked_at, $2)
   where person_id = $1 and (revoked_at is null or revoked_at > $2)`,
);

/** Revokes every key whose text this person knows from making or rolling it. */
export async function revokeKeysBy(db: Queryable, personId: string, now: Date): Promise<void> {
  await rows(db, revokeOfPerson, [personId, now]);
}
