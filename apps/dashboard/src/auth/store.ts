import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import type { Role } from '@countersign/protocol/dashboard/roles';
import type { Account } from '../accounts/account.ts';
import { accountColumns } from '../accounts/store.ts';

const keepNonce = statement(
  'nonce.keep',
  `with old as (delete from dashboard.login_nonce where nonce in
     (select nonce from dashboard.login_nonce where expires_at <= $3 limit 20 for update skip locked))
   insert into dashboard.login_nonce (nonce, expires_at) values ($1, $2)`,
);

/** Keeps a nonce, and forgets some that have expired. */
export async function insertNonce(db: Queryable, nonce: string, expiresAt: Date, now: Date): Promise<void> {
  await rows(db, keepNonce, [nonce, expiresAt, now]);
}

const burn = statement<{ alive: boolean }>(
  'nonce.burn',
  'delete from dashboard.login_nonce where nonce = $1 returning expires_at > $2 as alive',
);

/** Uses a nonce up: true exactly once, and only while it lives. */
export async function burnNonce(db: Queryable, nonce: string, now: Date): Promise<boolean> {
  return (await firstRow(db, burn, [nonce, now]))?.alive ?? false;
}

export const sessionTable = sqlTable('dashboard.session', 's', [
  'id',
  'accountId',
  'personId',
  'createdAt',
  'lastSeenAt',
  'expiresAt',
  'revokedAt',
]);

const openSession = statement(
  'session.insert',
  `with old as (delete from dashboard.session where id in
     (select id from dashboard.session where expires_at <= $3 limit 20 for update skip locked))
   ${sessionTable.insertInto('id', 'accountId', 'createdAt', 'lastSeenAt', 'expiresAt', 'personId')}
   values ($1, $2, $3, $3, $4, $5)`,
);

/** Opens a session, and forgets some that have expired. */
export async function insertSession(
  db: Queryable,
  session: { id: string; accountId: string; personId: string | null; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { id, accountId, personId, createdAt, expiresAt } = session;
  await rows(db, openSession, [id, accountId, createdAt, expiresAt, personId]);
}

const isLive = 's.revoked_at is null and s.expires_at > $2';

/** All null for a session of the wallet's holder. */
type PersonColumns = {
  readonly personId: string | null;
  readonly personName: string | null;
  readonly personRoles: readonly Role[] | null;
};
const personColumns = `${sessionTable.list('personId')}, p.name as "personName", p.roles as "personRoles"`;
const withPerson = 'left join dashboard.person p on p.id = s.person_id';

type LiveSession = Account & PersonColumns & { readonly lastSeenAt: Date };

const liveSession = statement<LiveSession>(
  'session.account',
  `select ${accountColumns}, ${sessionTable.list('lastSeenAt')}, ${personColumns}
   from ${sessionTable.from} join dashboard.account a on a.id = s.account_id ${withPerson} where s.id = $1 and ${isLive} and a.closed_at is null`,
);

/** The account and the person of a session that is neither revoked nor expired, and whose account is open. */
export const findSession = (db: Queryable, id: string, now: Date): Promise<LiveSession | null> =>
  firstRow(db, liveSession, [id, now]);

const touch = statement('session.touch', 'update dashboard.session set last_seen_at = $2 where id = $1');

/** Notes when a session was last used. */
export async function touchSession(db: Queryable, id: string, now: Date): Promise<void> {
  await rows(db, touch, [id, now]);
}

/** A session as its account sees it. */
export type Session = PersonColumns & {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
};

const sessionsOf = statement<Session>(
  'session.list',
  `select ${sessionTable.list('id', 'createdAt', 'lastSeenAt', 'expiresAt')}, ${personColumns}
   from ${sessionTable.from} ${withPerson} where s.account_id = $1 and ${isLive} order by s.created_at desc, s.id`,
);

/** Every live session of an account, newest first. */
export const listSessions = (db: Queryable, accountId: string, now: Date): Promise<readonly Session[]> =>
  rows(db, sessionsOf, [accountId, now]);

const liveOf = statement<{ id: string }>(
  'session.live-among',
  `select s.id from ${sessionTable.from} where s.id = any($1::text[]) and ${isLive}`,
);

/** Returns which of these sessions are neither revoked nor expired. */
export const liveSessions = async (
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> => new Set((await rows(db, liveOf, [ids, now])).map(({ id }) => id));

const closeSession = statement<{ id: string }>(
  'session.revoke',
  `update dashboard.session set revoked_at = coalesce(revoked_at, $3)
   where id = $1 and account_id = $2 and ($4::text is null or person_id = $4) returning id`,
);

/** A session of an account; `personId` null: whoever's it is. */
type Closing = { readonly id: string; readonly accountId: string; readonly personId: string | null };

/** From now on the session is revoked, on every process. False when the account has no such session; twice is harmless. */
export const revokeSession = async (
  db: Queryable,
  { id, accountId, personId }: Closing,
  now: Date,
): Promise<boolean> => (await firstRow(db, closeSession, [id, accountId, now, personId])) !== null;

const makeSecret = statement(
  'signing-key.ensure',
  'insert into dashboard.signing_key (id, secret, created_at) values ($1, $2, $3) on conflict do nothing',
);
const readSecret = statement<{ secret: Buffer }>(
  'signing-key.read',
  'select secret from dashboard.signing_key where id = $1',
);

/** The secret of this id: `candidate` if there was none yet, otherwise the one that the first process made. */
export async function ensureSigningKey(
  db: Queryable,
  id: string,
  candidate: Buffer,
  now: Date,
): Promise<Buffer> {
  await rows(db, makeSecret, [id, candidate, now]);
  const found = await firstRow(db, readSecret, [id]);
  if (found === null) throw new Error('the signing key vanished');
  return found.secret;
}
