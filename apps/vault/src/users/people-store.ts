import type { Scope } from '@countersign/protocol/vault/scopes';
import type { SignedIn } from '@countersign/service/person-assertion';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { accountTable } from './store.ts';

const show = statement<{ id: string }>(
  'assertion.show',
  `with old as (delete from vault.assertion_shown where id in
     (select id from vault.assertion_shown where over_at <= $3 limit 20 for update skip locked))
   insert into vault.assertion_shown (id, over_at) values ($1, $2) on conflict do nothing returning id`,
);

/** True for the first time that an assertion is shown, on whichever process. Forgets some that nobody takes any more. */
export const isFirstShown = async (
  db: Queryable,
  { id, overAt }: { readonly id: string; readonly overAt: Date },
  now: Date,
): Promise<boolean> => (await firstRow(db, show, [id, overAt, now])) !== null;

/** Under what a person of a dashboard is kept. */
const keyOf = ({ account, person }: Pick<SignedIn, 'account' | 'person'>): string => `${account}/${person}`;

/**
 * Returns the person's name in the audit log: the display name and a unique id. It never looks like a
 * token's.
 */
const nameOf = ({ account, person, name }: SignedIn): string =>
  `${name.replaceAll(' token:', ' token ')} (${person === 'holder' ? account : person})`;

export type PersonsAccount = {
  readonly account: string;
  readonly tenantId: string;
  readonly scopes: readonly Scope[];
};

const insert = statement(
  'person.insert',
  `${accountTable.insertInto('name', 'tenantId', 'passwordHash', 'scopes', 'person', 'createdAt')}
   values ($1, $2, '!', $3, $4, $5) on conflict do nothing`,
);

const lock = statement(
  'person.lock',
  "select pg_advisory_xact_lock(hashtextextended('vault.person ' || $1, 0))",
);

const enter = statement<PersonsAccount>(
  'person.enter',
  `update ${accountTable.from} set tenant_id = $2, scopes = $3
   where a.person = $1 and not exists (select from vault.person_ended where person = $1 and at >= $4)
   returning a.name as account, ${accountTable.list('tenantId', 'scopes')}`,
);

/**
 * In a transaction: the account of somebody who is signed in; null where they ended after this was said of them. Whoever ends
 * them meanwhile waits until it is over, and then ends what was just made, too.
 */
export async function enterAsPerson(
  db: Queryable,
  who: SignedIn & { readonly saidAt: Date },
  { tenantId, scopes, now }: { tenantId: string; scopes: readonly Scope[]; now: Date },
): Promise<PersonsAccount | null> {
  await rows(db, lock, [keyOf(who)]);
  await rows(db, insert, [nameOf(who), tenantId, [...scopes], keyOf(who), now]);
  return firstRow(db, enter, [keyOf(who), tenantId, [...scopes], who.saidAt]);
}

/** An assertion is taken for a minute, give or take one of clocks: whoever ended a day ago is refused without this. */
const keptMs = 24 * 60 * 60_000;
const forgottenAt = (now: Date): Date => new Date(now.getTime() - keptMs);

const noteEnd = statement(
  'person.note-end',
  `with old as (delete from vault.person_ended where person in
     (select person from vault.person_ended where at <= $3 and person <> $1 limit 20 for update skip locked))
   insert into vault.person_ended as e (person, at) values ($1, $2)
   on conflict (person) do update set at = greatest(e.at, excluded.at)`,
);
const end = statement<Omit<PersonsAccount, 'scopes'>>(
  'person.end',
  `update ${accountTable.from} set scopes = $2 where a.person = $1
   returning a.name as account, ${accountTable.list('tenantId')}`,
);

/**
 * In a transaction: from now on what was said of somebody until `at` counts no longer, also where they were never here. Null:
 * they were not.
 */
export async function endPerson(
  db: Queryable,
  who: Pick<SignedIn, 'account' | 'person'>,
  { scopes, at }: { readonly scopes: readonly Scope[]; readonly at: Date },
): Promise<Omit<PersonsAccount, 'scopes'> | null> {
  await rows(db, lock, [keyOf(who)]);
  await rows(db, noteEnd, [keyOf(who), at, forgottenAt(at)]);
  return firstRow(db, end, [keyOf(who), [...scopes]]);
}

const revoke = statement<{ id: string }>(
  'person.revoke-tokens',
  `update vault.token t set revoked_at = $3 where t.account = $1 and t.revoked_at is null
     and (t.kind <> 'api' or not ('admin' = any($2::text[]) or t.scopes <@ $2::text[])) returning t.id`,
);

/** Revokes their log-ins, and the tokens that they or those generated with more than these scopes; says how many. */
export async function revokeTokensOf(
  db: Queryable,
  account: string,
  scopes: readonly Scope[],
  now: Date,
): Promise<number> {
  // One that is being generated holds its maker until it is there, and is seen by the next round.
  for (let all = 0; ; ) {
    const revoked = (await rows(db, revoke, [account, [...scopes], now])).length;
    if (revoked === 0) return all;
    all += revoked;
  }
}
