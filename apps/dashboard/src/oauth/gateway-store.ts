import type { Address } from '@countersign/protocol/address';
import {
  firstRow,
  inTransaction,
  type Pool,
  type Queryable,
  rows,
  statement,
} from '@countersign/service/sql';
import { isLiving } from './connection-store.ts';

const announce = statement(
  'oauth-gateway.announce',
  `insert into dashboard.oauth_gateway (account_id, wallet, resource, announced_at) values ($1, $2, $3, $4)
   on conflict (account_id, wallet, resource) do update set announced_at = excluded.announced_at`,
);

type Place = { readonly accountId: string; readonly wallet: Address; readonly resource: string };

const lock = statement(
  'oauth-gateway.lock',
  `select pg_advisory_xact_lock(hashtextextended('oauth-gateway:' || $1 || ':' || $2, 0))`,
);
const others = statement<{ total: number }>(
  'oauth-gateway.others',
  `select count(*) as total from dashboard.oauth_gateway where account_id = $1 and wallet = $2 and resource <> $3`,
);
const makeRoom = statement<{ resource: string }>(
  'oauth-gateway.make-room',
  `delete from dashboard.oauth_gateway where account_id = $1 and wallet = $2 and resource =
     (select o.resource from dashboard.oauth_gateway o
      where o.account_id = $1 and o.wallet = $2 and o.resource <> $3
        and not exists (select from dashboard.oauth_connection c join dashboard.agent_wallet g on g.id = c.agent_id
          where c.account_id = $1 and g.wallet = $2 and c.resource = o.resource and ${isLiving('$4')})
      order by o.announced_at, o.resource limit 1)
   returning resource`,
);

/** So many places a wallet has. */
export const maxPlaces = 20;

/**
 * Keeps where a gateway serves MCP for a wallet, in the place of the one announced longest ago at which no client is
 * connected where there are too many; false: each of them has a connected client.
 */
export const keepGateway = (
  pool: Pool,
  { accountId, wallet, resource }: Place,
  now: Date,
): Promise<boolean> =>
  inTransaction(pool, async (db) => {
    const place = [accountId, wallet, resource];
    await rows(db, lock, [accountId, wallet]);
    const isFull = ((await firstRow(db, others, place))?.total ?? 0) >= maxPlaces;
    if (isFull && (await firstRow(db, makeRoom, [...place, now])) === null) return false;
    await rows(db, announce, [...place, now]);
    return true;
  });

const known = statement<{ known: boolean }>(
  'oauth-gateway.known',
  'select exists (select from dashboard.oauth_gateway where resource = $1) as known',
);

/** Returns whether anybody has a gateway there. */
export const isGateway = async (db: Queryable, resource: string): Promise<boolean> =>
  (await firstRow(db, known, [resource]))?.known ?? false;

const walletsAt = statement<{ wallet: Address }>(
  'oauth-gateway.wallets',
  'select wallet from dashboard.oauth_gateway where account_id = $1 and resource = $2',
);

/** The account's wallets for which a gateway serves there. */
export const walletsBehind = async (
  db: Queryable,
  accountId: string,
  resource: string,
): Promise<ReadonlySet<Address>> =>
  new Set((await rows(db, walletsAt, [accountId, resource])).map(({ wallet }) => wallet));
