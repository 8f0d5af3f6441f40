import type { ConnectionScope, TokenAnswer } from '@countersign/protocol/dashboard/oauth';
import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { agentTable } from '../agents/store.ts';
import { recordTable } from './record-table.ts';

const shown = [
  'id',
  'agentId',
  'clientId',
  'clientName',
  'verifiedHost',
  'returnsTo',
  'resource',
  'scopes',
  'createdAt',
] as const;
const given = [...shown, 'accountId', 'personId', 'grantId'] as const;
export const connectionTable = sqlTable('dashboard.oauth_connection', 'c', [
  ...given,
  'lastUsedAt',
  'revokedAt',
]);
/** The fields of a `ConnectionRecord`. */
export const connectionColumns = connectionTable.list(...shown, 'lastUsedAt');

/** A client that may act as an agent. What is told of the client is its own word. */
export type ConnectionRecord = {
  readonly id: string;
  readonly agentId: string;
  readonly clientId: string;
  readonly clientName: string | null;
  readonly verifiedHost: string | null;
  readonly returnsTo: string;
  readonly resource: string;
  readonly scopes: readonly ConnectionScope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

export type NewConnection = Omit<ConnectionRecord, 'lastUsedAt'> & {
  readonly accountId: string;
  /** Who connected it; null: the wallet's holder. */
  readonly personId: string | null;
  readonly grantId: string;
};

const insert = statement(
  'oauth-connection.insert',
  `${connectionTable.insertInto(...given)} values (${placeholders(given)})`,
);

export async function insertConnection(db: Queryable, connection: NewConnection): Promise<void> {
  await rows(
    db,
    insert,
    given.map((field) => connection[field]),
  );
}

// One whose grant is gone can do nothing any more: its client gave it back, or let it run out.
export const isLiving = (
  now: '$2' | '$4',
) => `c.revoked_at is null and exists (select from dashboard.oauth_record r
  where r.grant_id = c.grant_id and r.kind in ('RefreshToken', 'AccessToken', 'AuthorizationCode')
    and r.consumed_at is null and r.expires_at > ${now})`;

const page = statement<ConnectionRecord>(
  'oauth-connection.page',
  `select ${connectionColumns} from ${connectionTable.from}
   where c.account_id = $1 and ($3::text is null or c.agent_id = $3) and ${isLiving('$2')}
   order by c.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'oauth-connection.count',
  `select count(*) as total from ${connectionTable.from}
   where c.account_id = $1 and ($3::text is null or c.agent_id = $3) and ${isLiving('$2')}`,
);

type Selection = { accountId: string; agentId: string | undefined; page: number; limit: number };

/** Returns one page of an account's connected clients, newest first, and their total number. */
export async function listConnections(db: Queryable, selection: Selection, now: Date) {
  const { accountId, agentId = null, limit } = selection;
  const filter = [accountId, now, agentId];
  const [items, counted] = await Promise.all([
    rows(db, page, [...filter, limit, (selection.page - 1) * limit]),
    firstRow(db, count, filter),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const connected = statement<{ connected: boolean }>(
  'oauth-connection.connected',
  `select exists (select from ${connectionTable.from} where c.client_id = $1 and ${isLiving('$2')}) as connected`,
);

/** Returns whether anybody has this client connected. */
export const isClientConnected = async (db: Queryable, clientId: string, now: Date): Promise<boolean> =>
  (await firstRow(db, connected, [clientId, now]))?.connected ?? false;

const revoke = statement<{ grantId: string }>(
  'oauth-connection.revoke',
  `with revoked as (update dashboard.oauth_connection set revoked_at = coalesce(revoked_at, $2)
     where grant_id = $1)
   delete from dashboard.oauth_record where grant_id = $1`,
);

/** Ends a grant with every code and token of it. What stays is that there was a connection, and until when. */
export async function revokeGrant(db: Queryable, grantId: string, now: Date): Promise<void> {
  await rows(db, revoke, [grantId, now]);
}

const findGrant = statement<{ grantId: string }>(
  'oauth-connection.grant',
  `select ${connectionTable.list('grantId')} from ${connectionTable.from} where c.account_id = $1 and c.id = $2`,
);

/** The grant of a connection of this account, revoked or not; null: it has none of this id. */
export const grantOfConnection = async (
  db: Queryable,
  accountId: string,
  id: string,
): Promise<string | null> => (await firstRow(db, findGrant, [accountId, id]))?.grantId ?? null;

export type Token = Omit<Extract<TokenAnswer, { active: true }>, 'active' | 'iss' | 'exp' | 'agentWallet'> & {
  readonly tokenHash: string;
  readonly expiresAt: Date;
  readonly agentWallet: Address;
};

// An agent that was revoked or whose statement has expired takes its clients with it. A token may have less scope than its
// connection: a client can narrow it when it renews it (RFC 6749, 6).
const findTokens = statement<Token>(
  'oauth-connection.tokens',
  `select encode(r.id_hash, 'hex') as "tokenHash", c.id as "connectionId", c.resource as aud, ${recordTable.list('expiresAt')}, g.wallet as "agentWallet",
     array(select each from unnest(c.scopes) each where each = any(string_to_array(r.payload ->> 'scope', ' '))) as scopes
   from ${recordTable.from}
   join ${connectionTable.from} on c.grant_id = r.grant_id
   join ${agentTable.from} on g.id = c.agent_id
   where r.kind = 'AccessToken' and r.id_hash = any($1) and r.expires_at > $2 and c.account_id = $3
     and c.revoked_at is null and g.revoked_at is null and g.expires_at > $2`,
);

/** Those of these access tokens that allow something now, by their hash in hex. */
export async function findAccessTokens(
  db: Queryable,
  tokenHashes: readonly string[],
  accountId: string,
  now: Date,
): Promise<ReadonlyMap<string, Token>> {
  const hashes = tokenHashes.map((hash) => Buffer.from(hash, 'hex'));
  const found = await rows(db, findTokens, [hashes, now, accountId]);
  return new Map(found.map((token) => [token.tokenHash, token]));
}

const touch = statement(
  'oauth-connection.touch',
  `update dashboard.oauth_connection set last_used_at = $2
   where id = any($1) and (last_used_at is null or last_used_at < $2 - interval '1 minute')`,
);

/** Notes that connections were used, once a minute. */
export async function touchConnections(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await rows(db, touch, [ids, now]);
}
