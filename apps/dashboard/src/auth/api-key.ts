import { createHash } from 'node:crypto';
import { ok, type Result } from '@countersign/protocol/result';
import { background } from '@countersign/service/background';
import { gathering } from '@countersign/service/gather';
import type { Logger } from '@countersign/service/logger';
import { firstRow, type Pool, type Queryable, rows, statement } from '@countersign/service/sql';
import { refusal, type Refusal } from '../refusal.ts';
import type { Account } from '../accounts/account.ts';
import { accountColumns } from '../accounts/store.ts';
import type { KeyCaller } from '../callers.ts';
import { newId, type RandomBytes } from '../ids.ts';

/** An API key without its secret. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

// A random key of 256 bits needs no slow hash: there is nothing to guess.
const digest = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

const columns = `k.id, k.name, k.prefix, k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"`;

const insert = statement<ApiKey>(
  'api-key.insert',
  `insert into dashboard.api_key as k (id, account_id, name, prefix, sha256, created_at) values ($1, $2, $3, $4, $5, $6)
   returning ${columns}`,
);

/** A key that was just made: the only time that its text is known. */
export type NewApiKey = ApiKey & { readonly apiKey: string };

/** Id, prefix, hash and text of a new key. */
function newSecret(random: RandomBytes) {
  const apiKey = `csk_${random(32).toString('base64url')}`;
  return { id: newId(random, 'key'), prefix: apiKey.slice(0, 8), sha256: digest(apiKey), apiKey };
}

/** Makes a key: of an account, or of the operators when `accountId` is null. Its text is never stored. */
export async function createApiKey(
  db: Queryable,
  random: RandomBytes,
  about: { accountId: string | null; name: string; now: Date },
): Promise<NewApiKey> {
  const { id, prefix, sha256, apiKey } = newSecret(random);
  const made = await firstRow(db, insert, [id, about.accountId, about.name, prefix, sha256, about.now]);
  if (made === null) throw new Error('an insert gave no row');
  return { ...made, apiKey };
}

// One statement, so that of two at once one makes a key. `revoked_at` in the future is the end of a grace.
const roll = statement<ApiKey | { readonly id: null }>(
  'api-key.roll',
  `with old as (
     update dashboard.api_key set revoked_at = $4 where id = $1 and account_id = $2 and revoked_at is null returning name
   ), k as (
     insert into dashboard.api_key (id, account_id, name, prefix, sha256, created_at)
     select $5, $2, old.name, $6, $7, $3 from old returning *
   )
   select ${columns} from (select from dashboard.api_key where id = $1 and account_id = $2) mine
   left join k on true`,
);

/**
 * Makes a new key under the name of a living one, which ends after the grace. `ending`: it was rolled or revoked
 * before; `none`: the account has no such key.
 */
export async function rollApiKey(
  db: Queryable,
  random: RandomBytes,
  about: { id: string; accountId: string; graceSeconds: number; now: Date },
): Promise<NewApiKey | 'ending' | 'none'> {
  const { id, prefix, sha256, apiKey } = newSecret(random);
  const endsAt = new Date(about.now.getTime() + about.graceSeconds * 1000);
  const values = [about.id, about.accountId, about.now, endsAt, id, prefix, sha256];
  const rolled = await firstRow(db, roll, values);
  if (rolled === null) return 'none';
  return rolled.id === null ? 'ending' : { ...rolled, apiKey };
}

const list = statement<ApiKey>(
  'api-key.list',
  `select ${columns} from dashboard.api_key k where k.account_id = $1 order by k.seq desc`,
);

/** Every key of the account, newest first. */
export const listApiKeys = (db: Queryable, accountId: string): Promise<readonly ApiKey[]> =>
  rows(db, list, [accountId]);

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

type Found = Account & {
  readonly sha256: string;
  readonly keyId: string;
  readonly operator: boolean;
  readonly lastUsedAt: Date | null;
};

const find = statement<Found>(
  'api-key.find',
  `select encode(k.sha256, 'hex') as sha256, k.id as "keyId", k.account_id is null as operator,
     k.last_used_at as "lastUsedAt", ${accountColumns}
   from dashboard.api_key k left join dashboard.account a on a.id = k.account_id
   where k.sha256 = any($1::bytea[]) and (k.revoked_at is null or k.revoked_at > $2)`,
);

const touch = statement('api-key.touch', 'update dashboard.api_key set last_used_at = $2 where id = $1');

/** A busy key would otherwise cost a write a request. */
const touchEveryMs = 60_000;

const mostTogether = 128;

/**
 * Tells whose key it is; what is no living key is refused, whatever its type. Those that come while others are being
 * looked up are looked up together.
 */
export function keyIdentifier(
  pool: Pool,
  now: () => Date,
  log: Logger,
): (apiKey: unknown) => Promise<Result<KeyCaller, Refusal>> {
  const callerOf = gathering(
    (apiKeys: readonly string[]) => findCallers(pool, apiKeys, now(), log),
    mostTogether,
  );
  return async (apiKey) => {
    const caller = typeof apiKey === 'string' ? await callerOf(apiKey) : null;
    return caller === null
      ? refusal('API_KEY_INVALID', 'the API key is missing, unknown or revoked')
      : ok(caller);
  };
}

/** `apiKey` of a body, if it has one, of whatever type. */
export const keyIn = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'apiKey')
    ? (body as Record<string, unknown>)['apiKey']
    : undefined;

async function findCallers(
  pool: Pool,
  apiKeys: readonly string[],
  time: Date,
  log: Logger,
): Promise<readonly (KeyCaller | null)[]> {
  const digests = apiKeys.map((apiKey) => digest(apiKey).toString('hex'));
  const wanted = [...new Set(digests)].map((hex) => `\\x${hex}`);
  const callers = new Map<string, KeyCaller>();
  for (const { sha256, keyId, operator, lastUsedAt, ...account } of await rows(pool, find, [wanted, time])) {
    callers.set(sha256, operator ? { kind: 'operator' } : { kind: 'account', account });
    if (time.getTime() - (lastUsedAt?.getTime() ?? 0) >= touchEveryMs)
      background(log, 'note the use of an API key', rows(pool, touch, [keyId, time]));
  }
  return digests.map((hex) => callers.get(hex) ?? null);
}
