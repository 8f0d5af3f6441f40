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
   insert into dashboard.session (id, account_id, created_at, expires_at) values ($1, $2, $3, $4)`,
);

/** Opens a session, and forgets some that have expired. */
export async function insertSession(
  db: Queryable,
  session: { id: string; accountId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await rows(db, openSession, [session.id, session.accountId, session.createdAt, session.expiresAt]);
}

const liveSession = statement<Account>(
  'session.account',
  `select ${accountColumns} from dashboard.session s join dashboard.account a on a.id = s.account_id
   where s.id = $1 and s.revoked_at is null and s.expires_at > $2`,
);

/** The account of a session that is neither revoked nor expired. */
export const findSession = (db: Queryable, id: string, now: Date): Promise<Account | null> =>
  firstRow(db, liveSession, [id, now]);

const closeSession = statement(
  'session.revoke',
  'update dashboard.session set revoked_at = $2 where id = $1 and revoked_at is null',
);

/** From now on the session is revoked, on every process. */
export async function revokeSession(db: Queryable, id: string, now: Date): Promise<void> {
  await rows(db, closeSession, [id, now]);
}

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
