import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import { accountTable } from '../accounts/store.ts';

/** `demonstration` is never told to be OFAC's. */
export type ListSource = 'ofac-sdn' | 'demonstration';

export type SanctionsList = {
  readonly source: ListSource;
  readonly listDate: Date;
  readonly addressCount: number;
};

const maxAgeMs = 7 * 24 * 60 * 60_000;

/** An older list may miss who was added since, so it is not believed. */
export const isFresh = ({ listDate }: SanctionsList, now: Date): boolean =>
  now.getTime() - listDate.getTime() <= maxAgeMs;

const listTable = sqlTable('dashboard.sanctions_list', 'l', [
  'source',
  'listDate',
  'importedAt',
  'addressCount',
]);
/** The fields of a `SanctionsList`. */
const listColumns = listTable.list('source', 'listDate', 'addressCount');

// With both present the demonstration list still screens, but only OFAC's own date counts.
const list = statement<SanctionsList & { readonly listed: boolean }>(
  'sanctions.list',
  `select ${listColumns},
     exists (select from dashboard.sanctions_address where address = $1) as listed
   from ${listTable.from} order by (source = 'ofac-sdn') desc limit 1`,
);

/** The list whose date decides whether screening is fresh; null when none was imported. */
export const findList = (db: Queryable): Promise<SanctionsList | null> => firstRow(db, list, [null]);

/** The same, and whether the address is on a list of whatever source. */
export const findListed = (
  db: Queryable,
  address: Address,
): Promise<(SanctionsList & { readonly listed: boolean }) | null> => firstRow(db, list, [address]);

const listOfSource = statement<SanctionsList>(
  'sanctions.list-of',
  `select ${listColumns} from ${listTable.from} where l.source = $1 for update`,
);

export const findListOf = (db: Queryable, source: ListSource): Promise<SanctionsList | null> =>
  firstRow(db, listOfSource, [source]);

const upsert = statement(
  'sanctions.upsert',
  `${listTable.insertInto('source', 'listDate', 'importedAt', 'addressCount')} values ($1, $2, $3, $4)
   on conflict (source) do update set list_date = $2, imported_at = $3, address_count = $4`,
);
const clear = statement('sanctions.clear', 'delete from dashboard.sanctions_address where source = $1');
const fill = statement(
  'sanctions.fill',
  'insert into dashboard.sanctions_address (address, source) select unnest($2::text[]), $1',
);

/** Puts a list in place of the earlier one of its source. Runs inside a transaction. */
export async function replaceList(
  db: Queryable,
  { source, listDate }: { source: ListSource; listDate: Date },
  addresses: ReadonlySet<Address>,
  now: Date,
): Promise<void> {
  await rows(db, upsert, [source, listDate, now, addresses.size]);
  await rows(db, clear, [source]);
  await rows(db, fill, [source, [...addresses]]);
}

const denied = statement('deny-list.has', 'select 1 from dashboard.deny_list where address = $1');

export const isDenied = async (db: Queryable, address: Address): Promise<boolean> =>
  (await firstRow(db, denied, [address])) !== null;

const denyTable = sqlTable('dashboard.deny_list', 'd', ['address', 'reason', 'addedBy', 'addedAt']);
const deny = statement(
  'deny-list.add',
  `${denyTable.insertInto('address', 'reason', 'addedBy', 'addedAt')} values ($1, $2, $3, $4)
   on conflict (address) do update set reason = $2, added_by = $3, added_at = $4`,
);

/** Adding an address again replaces its reason. */
export async function addToDenyList(
  db: Queryable,
  entry: { address: Address; reason: string; by: string },
  now: Date,
): Promise<void> {
  await rows(db, deny, [entry.address, entry.reason, entry.by, now]);
}

const undeny = statement<{ address: string }>(
  'deny-list.remove',
  'delete from dashboard.deny_list where address = $1 returning address',
);

/** False when it was not on the list. */
export const removeFromDenyList = async (db: Queryable, address: Address): Promise<boolean> =>
  (await firstRow(db, undeny, [address])) !== null;

/** An address that operators deny, and the wallet of who did so last. */
export type DenyListEntry = {
  readonly address: Address;
  readonly reason: string;
  readonly addedBy: Address;
  readonly createdAt: Date;
};

const denyListPage = statement<DenyListEntry>(
  'deny-list.page',
  `select d.address, d.reason, ${accountTable.columns.walletAddress} as "addedBy", ${denyTable.columns.addedAt} as "createdAt"
   from ${denyTable.from} join ${accountTable.from} on a.id = d.added_by
   order by d.added_at desc, d.address limit $1 offset $2`,
);
const denyListCount = statement<{ total: number }>(
  'deny-list.count',
  'select count(*) as total from dashboard.deny_list',
);

/** Returns one page of the deny list, newest first, and its total length. */
export async function listDenied(db: Queryable, at: { page: number; limit: number }) {
  const [items, counted] = await Promise.all([
    rows(db, denyListPage, [at.limit, (at.page - 1) * at.limit]),
    firstRow(db, denyListCount, []),
  ]);
  return { items, total: counted?.total ?? 0 };
}
