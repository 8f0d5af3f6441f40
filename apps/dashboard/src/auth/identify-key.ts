import { type KeyScope, keyScopes, mayWith } from '@countersign/protocol/dashboard/key-scopes';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Route } from '@countersign/protocol/route';
import { background } from '@countersign/service/background';
import { gathering } from '@countersign/service/gather';
import type { Logger } from '@countersign/service/logger';
import { type Pool, rows, statement } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { accountColumns } from '../accounts/store.ts';
import type { KeyCaller } from '../callers.ts';
import type { Refusal } from '../refusal.ts';
import { type ApiKey, apiKeyTable, digest, endOfTerms, isKeyText } from './api-key.ts';

type Found = Account &
  Pick<ApiKey, 'agentWallet' | 'lastUsedAt' | 'scopes'> & {
    readonly sha256: string;
    readonly keyId: string;
    readonly operator: boolean;
    readonly keyExpiresAt: Date | null;
    readonly endOfTerms: Date | null;
  };

// INVARIANT: a key ends with its agent, also one that a process of the release before stopped, which knows no such keys.
const findKeys = statement<Found>(
  'api-key.find',
  `select encode(k.sha256, 'hex') as sha256, k.id as "keyId", k.account_id is null as operator,
     ${apiKeyTable.columns.expiresAt} as "keyExpiresAt", ${endOfTerms('$2')} as "endOfTerms", ${apiKeyTable.list('lastUsedAt', 'scopes', 'agentWallet')}, ${accountColumns}
   from ${apiKeyTable.from} left join dashboard.account a on a.id = k.account_id
   where k.sha256 = any($1::bytea[]) and (k.revoked_at is null or k.revoked_at > $2) and a.closed_at is null
     and not exists (select from dashboard.agent_wallet g
       where g.account_id = k.account_id and g.wallet = k.agent_wallet and g.revoked_at is not null)`,
);

const touch = statement('api-key.touch', 'update dashboard.api_key set last_used_at = $2 where id = $1');

/** A busy key would otherwise cost a write a request. */
const touchEveryMs = 60_000;

/** Batch sizes of look-ups: small for unknown keys, so that a look-up stays short; large for known keys. */
const [maxGuesses, maxGood] = [128, 1024];
/** Keys that are remembered as good, by their digest: a few megabytes. */
const maxRemembered = 20_000;

/** Whose key it is, if it is one that lives and has the scope of this route. */
export type IdentifyKey = (apiKey: unknown, route: Route) => Promise<Result<KeyCaller, Refusal>>;

/**
 * Tells whose key it is; what is no living key is refused, whatever its type. Those that come while others are being
 * looked up are looked up together. A key that was good the last time never waits for those that were not, so that
 * nobody's guesses, however many, keep it waiting.
 */
export function keyIdentifier(pool: Pool, now: () => Date, log: Logger): IdentifyKey {
  const find = (digests: readonly string[]) => findCallers(pool, digests, now(), log);
  const lookUp = { guess: gathering(find, maxGuesses), good: gathering(find, maxGood) };
  const good = recentlyUsed(maxRemembered);
  const callerOf = async (apiKey: string): Promise<Known | null> => {
    const hex = digest(apiKey).toString('hex');
    const found = await lookUp[good.has(hex) ? 'good' : 'guess'](hex);
    good.note(hex, found !== null && found.ended === null);
    return found;
  };
  return async (apiKey, route) => {
    // The type of the table does not let a route that takes a key have no scope.
    const scope = keyScopes.find((each) => each === route.scope);
    if (scope === undefined) throw new Error(`${route.path} names no scope of keys`);
    const found = isKeyText(apiKey) ? await callerOf(apiKey) : null;
    if (found === null) return fail(noKey);
    if (found.ended !== null) return fail(found.ended);
    return mayWith(found.scopes, scope) ? ok(found.caller) : fail(lacking(scope));
  };
}

/** Those that were good the last time, the latest ones: `most` at most. */
function recentlyUsed(most: number) {
  const known = new Set<string>();
  return {
    has: (hex: string): boolean => known.has(hex),
    note(hex: string, isGood: boolean): void {
      known.delete(hex);
      if (isGood) known.add(hex);
      if (known.size > most) for (const oldest of known) return void known.delete(oldest);
    },
  };
}

const noKey: Refusal = {
  code: 'API_KEY_INVALID',
  msg: 'the API key is missing, unknown or revoked',
};

const expiredAt = (end: Date): Refusal => ({
  code: 'API_KEY_INVALID',
  msg: `the API key expired at ${end.toISOString()}: roll it in the console under “API keys”, and use the new one in its place`,
});

const withTermsAt = (end: Date): Refusal => ({
  code: 'API_KEY_INVALID',
  msg: `the API key has ended, as the terms of its agent ran out at ${end.toISOString()}: sign new ones in the console under “Agents”, and create a new key`,
});

const lacking = (scope: KeyScope): Refusal => ({
  code: 'UNAUTHORIZED_OPERATION',
  msg: `the API key does not have the scope ${scope}: create one that has it in the console under “API keys”`,
  data: { missingScope: scope },
});

/** `apiKey` of a body, if it has one, of whatever type. */
export const keyIn = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'apiKey')
    ? (body as Record<string, unknown>)['apiKey']
    : undefined;

type Known = Pick<ApiKey, 'scopes'> & {
  readonly caller: KeyCaller;
  /** The refusal for everybody who still uses it; null while it is valid. */
  readonly ended: Refusal | null;
};

async function findCallers(
  pool: Pool,
  digests: readonly string[],
  time: Date,
  log: Logger,
): Promise<readonly (Known | null)[]> {
  const wanted = [...new Set(digests)].map((hex) => `\\x${hex}`);
  const known = new Map<string, Known>();
  for (const row of await rows(pool, findKeys, [wanted, time])) {
    const {
      sha256,
      keyId,
      operator,
      lastUsedAt,
      scopes,
      agentWallet,
      keyExpiresAt,
      endOfTerms: end,
      ...account
    } = row;
    const caller: KeyCaller = operator
      ? { kind: 'operator' }
      : { kind: 'account', account, keyId, agentWallet };
    const ended = whyEnded(keyExpiresAt, end, time);
    known.set(sha256, { caller, scopes, ended });
    if (ended === null && time.getTime() - (lastUsedAt?.getTime() ?? 0) >= touchEveryMs)
      background(log, 'note the use of an API key', rows(pool, touch, [keyId, time]));
  }
  return digests.map((hex) => known.get(hex) ?? null);
}

function whyEnded(expiresAt: Date | null, endOfTerms: Date | null, time: Date): Refusal | null {
  if (endOfTerms !== null) return withTermsAt(endOfTerms);
  return expiresAt !== null && expiresAt <= time ? expiredAt(expiresAt) : null;
}
