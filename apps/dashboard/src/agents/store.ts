import type { Address } from '@countersign/protocol/address';
import type { AgentState } from '@countersign/protocol/dashboard/agents';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';

/** The terms that an owner signs about an agent, besides the wallets. */
export type AgentTerms = {
  readonly name: string;
  readonly networks: readonly string[];
  readonly expiresAt: Date;
};

/** An agent wallet as it stands at one moment: `state` has the clock in it already. `next` is what is up for signature. */
export type AgentRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly wallet: Address;
  readonly name: string;
  readonly networks: string[];
  readonly state: AgentState;
  readonly signature: string | null;
  readonly createdAt: Date;
  readonly signedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The API key with which it announced itself; null where that is not known, or the key is gone. */
  readonly announcedBy: { readonly id: string; readonly name: string; readonly prefix: string } | null;
  readonly revokedAt: Date | null;
  /**
   * Ids of what stopping the agent ended as well; null while it is not stopped, and for agents stopped before
   * this was recorded.
   */
  readonly stoppedMandates: string[] | null;
  readonly stoppedKeys: string[] | null;
  readonly stoppedConnections: string[] | null;
  readonly nextName: string | null;
  readonly nextNetworks: readonly string[] | null;
  readonly nextExpiresAt: Date | null;
};

export const agentTable = sqlTable('dashboard.agent_wallet', 'g', [
  'id',
  'accountId',
  'wallet',
  'consent',
  'name',
  'networks',
  'signature',
  'createdAt',
  'signedAt',
  'expiresAt',
  'nextName',
  'nextNetworks',
  'nextExpiresAt',
  'revokedAt',
  'announcedBy',
  'stoppedMandates',
  'stoppedKeys',
  'stoppedConnections',
]);

/** Expiry is decided by the clock at the moment of asking; `$1` is that moment in every statement here. */
const stateNow = `case when g.revoked_at is not null then 'revoked' when g.signed_at is null then 'announced'
  when g.expires_at <= $1 then 'expired' else 'active' end`;

const columnsWith = (
  state: string,
) => `${agentTable.list('id', 'accountId', 'wallet', 'name', 'networks', 'signature', 'createdAt', 'signedAt')},
  ${agentTable.list('expiresAt', 'nextName', 'nextNetworks', 'nextExpiresAt')}, ${state} as state,
  (select json_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix) from dashboard.api_key k
   where k.id = g.announced_by) as "announcedBy",
  ${agentTable.list('revokedAt', 'stoppedMandates', 'stoppedKeys', 'stoppedConnections')}`;
const columns = columnsWith(stateNow);

const insert = statement<AgentRecord>(
  'agent.insert',
  `${agentTable.insertInto('createdAt', 'id', 'accountId', 'wallet', 'consent', 'announcedBy')} values ($1, $2, $3, $4, $5, $6)
   returning ${columns}`,
);

export type Announced = Pick<AgentRecord, 'id' | 'accountId' | 'wallet'> & {
  readonly consent: string;
  /** The id of the API key. */
  readonly announcedBy: string;
};

/** Keeps a new agent as announced. */
export async function insertAgent(
  db: Queryable,
  { id, accountId, wallet, consent, announcedBy }: Announced,
  now: Date,
): Promise<AgentRecord> {
  const made = await firstRow(db, insert, [now, id, accountId, wallet, consent, announcedBy]);
  if (made === null) throw new Error('an insert gave no row');
  return made;
}

const find = statement<AgentRecord>(
  'agent.find',
  `select ${columns} from ${agentTable.from} where g.account_id = $2 and g.id = $3`,
);

/** Null for an agent of another account, as for one that does not exist. */
export const findAgent = (
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<AgentRecord | null> => firstRow(db, find, [now, accountId, id]);

const findByWallet = statement<AgentRecord>(
  'agent.of-account',
  `select ${columns} from ${agentTable.from} where g.account_id = $2 and g.wallet = $3`,
);

/** The account's agent of this wallet, whatever its state; null when it never was one. */
export const findAgentByWallet = (
  db: Queryable,
  accountId: string,
  wallet: Address,
  now: Date,
): Promise<AgentRecord | null> => firstRow(db, findByWallet, [now, accountId, wallet]);

const findSigned = statement<AgentRecord & { readonly owner: Address }>(
  'agent.signed',
  `select ${columnsWith(`case when a.closed_at is not null then 'revoked' else ${stateNow} end`)}, a.wallet_address as owner
   from ${agentTable.from} join dashboard.account a on a.id = g.account_id
   where g.wallet = $2 and g.signed_at is not null and g.handed_on_at is null`,
);

/** The one agent that an owner signed last for this wallet, whatever has become of it since (of a closed account: revoked), and that owner's wallet. */
export const findSignedAgent = (
  db: Queryable,
  wallet: Address,
  now: Date,
): Promise<(AgentRecord & { readonly owner: Address }) | null> => firstRow(db, findSigned, [now, wallet]);

const page = statement<AgentRecord>(
  'agent.page',
  `select ${columns} from ${agentTable.from} where g.account_id = $2 and ($3::text is null or ${stateNow} = $3)
   order by g.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'agent.count',
  `select count(*) as total from ${agentTable.from} where g.account_id = $2 and ($3::text is null or ${stateNow} = $3)`,
);

type Selection = { accountId: string; state: AgentState | undefined; page: number; limit: number };

/** Returns one page of an account's agents, newest first, and their total number. */
export async function listAgents(db: Queryable, selection: Selection, now: Date) {
  const { accountId, state = null, limit } = selection;
  const filter = [now, accountId, state];
  const [items, counted] = await Promise.all([
    rows(db, page, [...filter, limit, (selection.page - 1) * limit]),
    firstRow(db, count, filter),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const among = statement<AgentRecord>(
  'agent.among',
  `select ${columns} from ${agentTable.from}
   where g.account_id = $2 and g.wallet = any($3::text[]) and g.revoked_at is null order by g.seq desc`,
);

/** The account's agents of these wallets that are not revoked, newest first. */
export const findAgentsAmong = (
  db: Queryable,
  accountId: string,
  wallets: readonly Address[],
  now: Date,
): Promise<readonly AgentRecord[]> => rows(db, among, [now, accountId, wallets]);

type Kept = { readonly signed: number; readonly offered: number };

const countKept = statement<Kept>(
  'agent.count-kept',
  `select count(signed_at) as signed, count(*) - count(signed_at) as offered
   from dashboard.agent_wallet where account_id = $1 and revoked_at is null`,
);

/**
 * Counts the account's agents that are not revoked: signed ones, and those that await their first signature.
 */
export const countAgents = async (db: Queryable, accountId: string): Promise<Kept> =>
  (await firstRow(db, countKept, [accountId])) ?? { signed: 0, offered: 0 };

const prepare = statement<AgentRecord>(
  'agent.prepare',
  `update dashboard.agent_wallet g set next_name = $4, next_networks = $5, next_expires_at = $6
   where g.account_id = $2 and g.id = $3 and g.revoked_at is null returning ${columns}`,
);

/** Puts terms up for signature in place of any that were; null when the agent is revoked. */
export const prepareAgent = (
  db: Queryable,
  { accountId, id }: Pick<AgentRecord, 'accountId' | 'id'>,
  { name, networks, expiresAt }: AgentTerms,
  now: Date,
): Promise<AgentRecord | null> => firstRow(db, prepare, [now, accountId, id, name, networks, expiresAt]);

const activate = statement<AgentRecord>(
  'agent.activate',
  `update dashboard.agent_wallet g set name = g.next_name, networks = g.next_networks, expires_at = g.next_expires_at,
     signature = $4, signed_at = $1, next_name = null, next_networks = null, next_expires_at = null
   where g.account_id = $2 and g.id = $3 and g.revoked_at is null and g.next_name is not null returning ${columns}`,
);

/** Makes what was up for signature the agent's statement. Holds `lockMandates` and `lockWallet`. */
export async function activateAgent(
  db: Queryable,
  { accountId, id }: Pick<AgentRecord, 'accountId' | 'id'>,
  signature: string,
  now: Date,
): Promise<AgentRecord> {
  const active = await firstRow(db, activate, [now, accountId, id, signature]);
  if (active === null) throw new Error('a locked agent changed its state');
  return active;
}

const revoke = statement<AgentRecord>(
  'agent.revoke',
  `update dashboard.agent_wallet g set revoked_at = coalesce(g.revoked_at, $1),
     next_name = null, next_networks = null, next_expires_at = null
   where g.account_id = $2 and g.id = $3 returning ${columns}`,
);

/** Revokes an agent for good; null when the account has none of this id. Twice is harmless. */
export const revokeAgent = (
  db: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<AgentRecord | null> => firstRow(db, revoke, [now, accountId, id]);

const recordStop = statement<AgentRecord>(
  'agent.record-stop',
  `update dashboard.agent_wallet g set stopped_mandates = coalesce(g.stopped_mandates, $4),
     stopped_keys = coalesce(g.stopped_keys, $5), stopped_connections = coalesce(g.stopped_connections, $6)
   where g.account_id = $2 and g.id = $3 returning ${columns}`,
);

/** Keeps what the act that stopped an agent ended with it: the first time counts. */
export async function recordAgentStop(
  db: Queryable,
  { accountId, id }: Pick<AgentRecord, 'accountId' | 'id'>,
  ended: Readonly<Record<'mandates' | 'keys' | 'connections', readonly string[]>>,
  now: Date,
): Promise<AgentRecord> {
  const { mandates, keys, connections } = ended;
  const kept = await firstRow(db, recordStop, [now, accountId, id, mandates, keys, connections]);
  if (kept === null) throw new Error('a locked agent vanished');
  return kept;
}

const handOn = statement<{ id: string }>(
  'agent.hand-on',
  `update dashboard.agent_wallet g set handed_on_at = $1 from dashboard.account a
   where a.id = g.account_id and a.recovered_by = $2 and g.wallet = $3 and g.signed_at is not null
     and g.handed_on_at is null returning g.id`,
);

/**
 * The account that recovered this agent's has signed it: it is that one's from now on. False where it was nobody's before.
 * Holds `lockWallet`.
 */
export const handOnAgent = async (db: Queryable, to: string, wallet: Address, now: Date): Promise<boolean> =>
  (await firstRow(db, handOn, [now, to, wallet])) !== null;

const lock = statement('wallet.lock', 'select dashboard.lock_wallet($1)');

/** Whoever makes this wallet an account's or an agent's waits until the transaction ends: it never becomes both. */
export async function lockWallet(db: Queryable, wallet: Address): Promise<void> {
  await rows(db, lock, [wallet]);
}

const signedOf = statement<{ wallet: Address }>(
  'agent.signed-of',
  `select g.wallet from dashboard.agent_wallet g
   where g.account_id = $1 and g.wallet = any($2::text[]) and g.signed_at is not null`,
);

/** Returns which of these wallets are or were agents of the account: its own records may name them. */
export const agentsAmong = async (
  db: Queryable,
  accountId: string,
  wallets: readonly Address[],
): Promise<ReadonlySet<Address>> =>
  new Set((await rows(db, signedOf, [accountId, wallets])).map(({ wallet }) => wallet));
