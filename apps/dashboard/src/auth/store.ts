import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
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

const openSession = statement(
  'session.insert',
  `with old as (delete from dashboard.session where id in
     (select id from dashboard.session where expires_at <= $3 limit 20 for update skip locked))
   insert into dashboard.session (id, account_id, created_at, last_seen_at, expires_at) values ($1, $2, $3, $3, $4)`,
);

/** Opens a session, and forgets some that have expired. */
export async function insertSession(
  db: Queryable,
  session: { id: string; accountId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await rows(db, openSession, [session.id, session.accountId, session.createdAt, session.expiresAt]);
}

const isLive = 's.revoked_at is null and s.expires_at > $2';

type LiveSession = Account & { readonly lastSeenAt: Date };

const liveSession = statement<LiveSession>(
  'session.account',
  `select ${accountColumns}, s.last_seen_at as "lastSeenAt"
   from dashboard.session s join dashboard.account a on a.id = s.account_id where s.id = $1 and ${isLive}`,
);

/** The account of a session that is neither revoked nor expired. */
export const findSession = (db: Queryable, id: string, now: Date): Promise<LiveSession | null> =>
  firstRow(db, liveSession, [id, now]);

const touch = statement('session.touch', 'update dashboard.session set last_seen_at = $2 where id = $1');

/** Notes when a session was last used. */
export async function touchSession(db: Queryable, id: string, now: Date): Promise<void> {
  await rows(db, touch, [id, now]);
}

/** A session as its account sees it. */
export type Session = {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
};

const sessionsOf = statement<Session>(
  'session.list',
  `select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
   from dashboard.session s where s.account_id = $1 and ${isLive} order by s.created_at desc, s.id`,
);

/** Every live session of an account, newest first. */
export const listSessions = (db: Queryable, accountId: string, now: Date): Promise<readonly Session[]> =>
  rows(db, sessionsOf, [accountId, now]);

const liveOf = statement<{ id: string }>(
  'session.live-among',
  `select s.id from dashboard.session s where s.id = any($1::text[]) and ${isLive}`,
);

/** Of these sessions, those that are neither revoked nor expired. */
export const liveSessions = async (
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> => new Set((await rows(db, liveOf, [ids, now])).map(({ id }) => id));

const closeSession = statement<{ id: string }>(
  'session.revoke',
  `update dashboard.session set revoked_at = coalesce(revoked_at, $3) where id = $1 and account_id = $2 returning id`,
);

/** From now on the session is revoked, on every process. False when the account has no such session; twice is harmless. */
export const revokeSession = async (
  db: Queryable,
  id: string,
  accountId: string,
  now: Date,
): Promise<boolean> => (await firstRow(db, closeSession, [id, accountId, now])) !== null;

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
