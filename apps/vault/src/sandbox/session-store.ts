import type { SessionState } from '@countersign/protocol/enclave/session-commands';
import type {
  CloseReason,
  PausedBy,
  SandboxIsolation,
  SessionStatus,
} from '@countersign/protocol/vault/sandbox';
import type { NewSession } from '@countersign/protocol/vault/sandbox-routes';
import { columnsAs, firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

/** A browser session as it is kept here. */
export type Session = {
  readonly id: string;
  readonly tenantId: string;
  /** Whose token opened it. */
  readonly account: string;
  readonly tokenId: string;
  readonly task: string;
  readonly allowedUrls: readonly string[];
  readonly credentialIds: readonly string[];
  readonly approval: NewSession['approval'];
  readonly agentDid: string | null;
  /** The name in audit records; null if it was not kept. */
  readonly openedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly status: SessionStatus;
  readonly isolation: SandboxIsolation;
  readonly currentUrl: string | null;
  /** Null unless it is paused. */
  readonly pausedBy: PausedBy | null;
  readonly closedReason: CloseReason | null;
  /** Operations that wait for a person. */
  readonly pending: readonly string[];
};

/** A session as calls use it that do something in it. What waits there is looked for among all that was ever done in it. */
export type SessionAtCall = Omit<Session, 'pending'>;

/** A session that the enclave has not opened so far. */
export type SessionToBe = Omit<
  Session,
  'status' | 'isolation' | 'currentUrl' | 'pausedBy' | 'closedReason' | 'pending'
>;

const made = [
  'id',
  'tenantId',
  'account',
  'tokenId',
  'task',
  'allowedUrls',
  'credentialIds',
  'approval',
  'agentDid',
  'openedBy',
  'createdAt',
  'expiresAt',
] as const;
const later = ['status', 'isolation', 'currentUrl', 'pausedBy', 'closedReason'] as const;
const table = sqlTable('vault.session', 's', [...made, ...later] satisfies (keyof SessionAtCall)[]);

const insert = statement(
  'session.insert',
  `${table.insertInto(...made, 'status')} values (${placeholders(made)}, 'opening')`,
);

/** Keeps a session before it is opened, so that none lives of which nobody knows. */
export async function insertSession(db: Queryable, session: SessionToBe): Promise<void> {
  const { id, tenantId, account, tokenId, task, allowedUrls, credentialIds, approval, agentDid } = session;
  const about = [
    id,
    tenantId,
    account,
    tokenId,
    task,
    [...allowedUrls],
    [...credentialIds],
    approval,
    agentDid,
    session.openedBy,
  ];
  await rows(db, insert, [...about, session.createdAt, session.expiresAt]);
}

const remove = statement(
  'session.delete-unopened',
  `delete from vault.session where id = $1 and status = 'opening'`,
);

/** Forgets a session that could not be opened. */
export async function deleteUnopened(db: Queryable, id: string): Promise<void> {
  await rows(db, remove, [id]);
}

// It is over when its time is, whether or not anybody has said so: `$1` is the time.
const isExpired = `(s.ended_at is null and s.expires_at <= $1)`;
/** Columns of `vault.session s`; `$1` is the time. */
export const columnsAtCall = {
  ...table.columns,
  status: `case when ${isExpired} then 'expired' else s.status end`,
  pausedBy: `case when not ${isExpired} then s.paused_by end`,
  closedReason: `case when ${isExpired} then 'expired' else s.closed_reason end`,
} satisfies Record<keyof SessionAtCall, string>;
const columns = columnsAs({
  ...columnsAtCall,
  pending: `case when s.ended_at is null and not ${isExpired} then array(
    select o.id from vault.operation o where o.session_id = s.id and o.status = 'pending_approval' order by o.seq
  ) else '{}' end`,
} satisfies Record<keyof Session, string>);

/** Whose sessions: those of a tenant, and within it of one account or one token; null: no matter. */
export type SessionOwner = {
  readonly tenantId: string;
  readonly account: string | null;
  readonly tokenId: string | null;
};

const owned = `s.status <> 'opening' and s.tenant_id = $2 and ($3::text is null or s.account = $3)
  and ($4::uuid is null or s.token_id = $4)`;
const find = statement<Session>(
  'session.find',
  `select ${columns} from ${table.from} where ${owned} and s.id = $5`,
);

/** The session, if it is one of those; else null. */
export const findSession = (
  db: Queryable,
  id: string,
  { tenantId, account, tokenId }: SessionOwner,
  now: Date,
): Promise<Session | null> => firstRow(db, find, [now, tenantId, account, tokenId, id]);

/** Returns whether a session that is open, or was, is one of those. */
export const isOwned = (session: SessionAtCall, { tenantId, account, tokenId }: SessionOwner): boolean =>
  session.tenantId === tenantId &&
  (account === null || session.account === account) &&
  (tokenId === null || session.tokenId === tokenId);

const selected = `${owned} and ($5::text is null or $5 = case when ${isExpired} then 'expired' else s.status end)
  and ($6::text is null or s.agent_did = $6)`;
const list = statement<Session>(
  'session.list',
  `select ${columns} from ${table.from} where ${selected} order by s.seq desc limit $7 offset $8`,
);
const count = statement<{ total: number }>(
  'session.count',
  `select count(*) as total from ${table.from} where ${selected}`,
);

/** Returns sessions with one status and of one agent, or (null) of any; newest first. */
export async function listSessions(
  db: Queryable,
  { tenantId, account, tokenId }: SessionOwner,
  { status, agentDid }: { readonly status: SessionStatus | null; readonly agentDid: string | null },
  { limit, offset }: { readonly limit: number; readonly offset: number },
  now: Date,
): Promise<{ readonly items: readonly Session[]; readonly total: number }> {
  const which = [now, tenantId, account, tokenId, status, agentDid];
  const [items, counted] = await Promise.all([
    rows(db, list, [...which, limit, offset]),
    firstRow(db, count, which),
  ]);
  return { items, total: counted?.total ?? 0 };
}

// Once it is over, a session stays so. What waited or was under way then ends with it. One that is being opened is there
// when its isolation is known.
const update = statement<{ id: string }>(
  'session.update',
  `with told as (
     update vault.session s set status = $3, current_url = $4, isolation = coalesce($5::json, s.isolation),
       paused_by = $8, closed_reason = $6, ended_at = case when $3 in ('closed', 'expired') then $2::timestamptz end
     where s.id = $1 and s.ended_at is null and (s.status <> 'opening' or $5::json is not null)
     returning s.id, s.ended_at
   ), cut_off as (
     update vault.operation o set status = 'failed', error = $7::json
     from told where told.ended_at is not null and o.session_id = told.id
       and (o.status is null or o.status = 'pending_approval')
   )
   select id from told`,
);

/** The current state of a session. */
export type Told = Pick<SessionState, 'status' | 'currentUrl' | 'pausedBy' | 'closedReason'> & {
  readonly isolation?: SandboxIsolation;
};

const cutOff = JSON.stringify({ code: 'interrupted', message: 'The session ended before this was done.' });

/** Keeps what the enclave tells of a session. False when there is none, or it is over. */
export const updateSession = async (db: Queryable, id: string, told: Told, now: Date): Promise<boolean> => {
  const { status, currentUrl, isolation, pausedBy = null, closedReason = null } = told;
  const kept = isolation === undefined ? null : JSON.stringify(isolation);
  const values = [id, now, status, currentUrl, kept, closedReason, cutOff, pausedBy];
  return (await firstRow(db, update, values)) !== null;
};

/** A session that has not been told to be over. */
export type LiveSession = Pick<Session, 'id' | 'tenantId' | 'currentUrl' | 'createdAt' | 'expiresAt'> & {
  readonly isOpening: boolean;
};

const live = statement<LiveSession>(
  'session.live',
  `select ${table.list('id', 'tenantId', 'currentUrl', 'createdAt', 'expiresAt')}, s.status = 'opening' as "isOpening"
   from ${table.from} where s.ended_at is null`,
);

export const liveSessions = (db: Queryable): Promise<readonly LiveSession[]> => rows(db, live, []);

const ofRevoked = statement<Pick<Session, 'id' | 'tenantId'>>(
  'session.of-revoked',
  `select ${table.list('id', 'tenantId')} from ${table.from} join vault.token t on t.id = s.token_id
   where s.tenant_id = $1 and s.ended_at is null and s.status <> 'opening' and t.kind = 'api' and t.revoked_at is not null`,
);

/** Sessions that are open although the generated token that opened them was revoked. */
export const sessionsOfRevoked = (
  db: Queryable,
  tenantId: string,
): Promise<readonly Pick<Session, 'id' | 'tenantId'>[]> => rows(db, ofRevoked, [tenantId]);

const newest = statement<{ isolation: SandboxIsolation }>(
  'session.newest-isolation',
  'select isolation from vault.session where isolation is not null order by seq desc limit 1',
);

/** Returns the isolation of the newest session's browser; null before the first. */
export const newestIsolation = async (db: Queryable): Promise<SandboxIsolation | null> =>
  (await firstRow(db, newest, []))?.isolation ?? null;

const forget = statement(
  'session.forget',
  `delete from vault.session where id in (
     select id from vault.session where ended_at < $1 limit 1000 for update skip locked)`,
);

/** Forgets some sessions that ended before, with their operations. */
export async function forgetSessionsBefore(db: Queryable, when: Date): Promise<void> {
  await rows(db, forget, [when]);
}
