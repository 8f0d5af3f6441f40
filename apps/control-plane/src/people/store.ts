import type { Address } from '@countersign/protocol/address';
import type { SignedIn } from '@countersign/service/person-assertion';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders } from '@countersign/service/sql-table';
import type { Caller } from '../callers.ts';
import { callerColumns, keyTable } from '../keys/table.ts';

const show = statement<{ id: string }>(
  'assertion.show',
  `with old as (delete from control_plane.assertion_shown where id in
     (select id from control_plane.assertion_shown where over_at <= $3 limit 20 for update skip locked))
   insert into control_plane.assertion_shown (id, over_at) values ($1, $2) on conflict do nothing returning id`,
);

/** True for the first time that an assertion is shown, on whichever process. Forgets some that nobody takes any more. */
export const isFirstShown = async (
  db: Queryable,
  { id, overAt }: { readonly id: string; readonly overAt: Date },
  now: Date,
): Promise<boolean> => (await firstRow(db, show, [id, overAt, now])) !== null;

type Who = Pick<SignedIn, 'account' | 'person'>;

const lock = statement(
  'person.lock',
  "select pg_advisory_xact_lock(hashtextextended('control_plane.person ' || $1 || '/' || $2, 0))",
);

/** Makes whoever enters or ends this person meanwhile wait until the transaction is over. */
export async function lockPerson(db: Queryable, { account, person }: Who): Promise<void> {
  await rows(db, lock, [account, person]);
}

const whetherEnded = statement<{ at: Date }>(
  'person.ended',
  'select at from control_plane.person_ended where account = $1 and person = $2 and at >= $3',
);

/** Returns whether somebody ended after this was said of them. */
export const hasEnded = async (db: Queryable, who: Who & { readonly saidAt: Date }): Promise<boolean> =>
  (await firstRow(db, whetherEnded, [who.account, who.person, who.saidAt])) !== null;

type PersonsKey = Pick<Caller, 'keyId' | 'tenantId' | 'name'> & { readonly role: 'approver' | 'reader' };

const find = statement<PersonsKey>(
  'person.key',
  `select ${callerColumns} from ${keyTable.from}
   where k.account = $1 and k.person = $2 and k.revoked_at is null`,
);

export const findPersonsKey = (db: Queryable, { account, person }: Who): Promise<PersonsKey | null> =>
  firstRow(db, find, [account, person]);

const made = ['id', 'tenantId', 'role', 'name', 'hash', 'createdAt', 'account', 'person'] as const;
const insert = statement(
  'person.insert-key',
  `${keyTable.insertInto(...made)} values (${placeholders(made)})`,
);

/** `hash` is of a text that nobody has. */
export async function insertPersonsKey(
  db: Queryable,
  key: PersonsKey & Who & { readonly hash: Buffer },
  now: Date,
): Promise<void> {
  const { keyId, tenantId, role, name, hash, account, person } = key;
  await rows(db, insert, [keyId, tenantId, role, name, hash, now, account, person]);
}

const insertToken = statement(
  'person.insert-token',
  `with old as (delete from control_plane.person_token where hash in
     (select hash from control_plane.person_token where expires_at <= $5 limit 20 for update skip locked))
   insert into control_plane.person_token (hash, key_id, session, expires_at) values ($1, $2, $3, $4)`,
);

export async function insertPersonToken(
  db: Queryable,
  token: { hash: Buffer; keyId: string; session: string | null; expiresAt: Date },
  now: Date,
): Promise<void> {
  const { hash, keyId, session, expiresAt } = token;
  await rows(db, insertToken, [hash, keyId, session, expiresAt, now]);
}

const leave = statement<{ hash: Buffer }>(
  'person.leave',
  'delete from control_plane.person_token where key_id = $1 and session is not distinct from $2 returning hash',
);

/** Ends the tokens of one session; says how many. */
export const leaveSession = async (db: Queryable, keyId: string, session: string | null): Promise<number> =>
  (await rows(db, leave, [keyId, session])).length;

/** An assertion is taken for a minute, give or take one of clocks: whoever ended a day ago is refused without this. */
const keptMs = 24 * 60 * 60_000;

const noteEnd = statement(
  'person.note-end',
  `with old as (delete from control_plane.person_ended where (account, person) in
     (select account, person from control_plane.person_ended where at <= $4 and (account, person) <> ($1, $2)
      limit 20 for update skip locked))
   insert into control_plane.person_ended as e (account, person, at) values ($1, $2, $3)
   on conflict (account, person) do update set at = greatest(e.at, excluded.at)`,
);
const revokeKey = statement<Caller>(
  'person.revoke-key',
  `update ${keyTable.from} set revoked_at = $3 where k.account = $1 and k.person = $2 and k.revoked_at is null
   returning ${callerColumns}`,
);
const deleteTokens = statement<{ hash: Buffer }>(
  'person.delete-tokens',
  'delete from control_plane.person_token where key_id = $1 returning hash',
);

/** From now on what was said of somebody until `at` counts no longer. The key that they had, if any, and how many tokens. */
export async function endPerson(
  db: Queryable,
  { account, person }: Who,
  { at, now }: { readonly at: Date; readonly now: Date },
): Promise<{ readonly key: Caller; readonly tokens: number } | null> {
  await rows(db, noteEnd, [account, person, at, new Date(now.getTime() - keptMs)]);
  const key = await firstRow(db, revokeKey, [account, person, now]);
  return key && { key, tokens: (await rows(db, deleteTokens, [key.keyId])).length };
}

const colleague = statement<{ name: string }>(
  'person.colleague-approved',
  `select k.name from control_plane.decision d join control_plane.api_key k on k.id = d.key_id
   where d.execution_id = $1 and d.decision = 'approve' and k.account = $2 limit 1`,
);

/** Who of this account has approved it already; null for nobody. */
export const approvedFor = async (
  db: Queryable,
  executionId: string,
  account: Address,
): Promise<string | null> => (await firstRow(db, colleague, [executionId, account]))?.name ?? null;
