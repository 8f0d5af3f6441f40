import type { Address } from '@countersign/protocol/address';
import type { PayeeFacts, PayeeState } from '@countersign/protocol/dashboard/payees';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { checksWhere } from '../kyb/store.ts';
import type { PayeeRow } from './payee.ts';

const lock = statement('payee.lock', `select pg_advisory_xact_lock(hashtextextended('payees', 0))`);

/** Decisions about records come one after another: two of them must not claim one address. */
export async function lockPayees(db: Queryable): Promise<void> {
  await rows(db, lock, []);
}

export const payeeTable = sqlTable('dashboard.payee', 'p', [
  'id',
  'seq',
  'admitted',
  'proposed',
  'createdAt',
  'withdrawnAt',
  'withdrawnBy',
  'withdrawReason',
]);

const versionOf = (number: string): string =>
  `(select row_to_json(v) from dashboard.payee_version v where v.payee_id = p.id and v.version = ${number})`;

/** Selects the state of `p` at the time in this parameter. */
export const stateAt = (now: string): string =>
  `case when p.withdrawn_at is not null then 'withdrawn' when p.admitted is null then 'waiting'
     when (select v.valid_until from dashboard.payee_version v where v.payee_id = p.id and v.version = p.admitted) <= ${now}
     then 'expired' else 'admitted' end`;

const columnsAt = (now: string): string =>
  `${payeeTable.list('id', 'admitted', 'createdAt', 'withdrawnAt', 'withdrawnBy', 'withdrawReason')}, ${stateAt(now)} as state,
   ${versionOf(`coalesce(p.admitted, (select max(n.version) from dashboard.payee_version n where n.payee_id = p.id))`)} as shown,
   ${versionOf('p.proposed')} as proposal,
   coalesce((select json_agg(json_build_object('id', f.id, 'name', f.name, 'mediaType', f.media_type, 'size', f.size,
     'addedBy', f.added_by, 'addedAt', f.added_at, 'erasedAt', f.erased_at) order by f.seq)
     from dashboard.payee_file f where f.payee_id = p.id), '[]') as files,
   coalesce((select json_agg(json_build_object('domain', f.domain, 'address', f.address, 'verdict', f.verdict, 'until', f.until,
     'checkedAt', f.checked_at, 'provedAt', f.proved_at, 'mark', f.mark, 'markedAt', f.marked_at) order by f.domain, f.address)
     from dashboard.payee_proof f where f.payee_id = p.id), '[]') as "domainProofs",
   ${checksWhere('c.payee_id = p.id')} as checks,
   (select json_build_object('id', s.id, 'walletAddress', a.wallet_address) from dashboard.business_submission s
     join dashboard.account a on a.id = s.account_id where s.payee_id = p.id order by s.seq desc limit 1) as submission`;

const find = statement<PayeeRow>(
  'payee.find',
  `select ${columnsAt('$2')} from ${payeeTable.from} where p.id = $1`,
);

export const findPayee = (db: Queryable, id: string, now: Date): Promise<PayeeRow | null> =>
  firstRow(db, find, [id, now]);

/** Those that wait: also the admitted ones with a change that waits. */
const wanted = `($2::text is null or case when $2 = 'waiting' then p.proposed is not null else ${stateAt('$1')} = $2 end)`;
const page = statement<PayeeRow>(
  'payee.page',
  `select ${columnsAt('$1')} from ${payeeTable.from} where ${wanted} order by p.seq desc limit $3 offset $4`,
);
const count = statement<{ total: number }>(
  'payee.count',
  `select count(*) as total from ${payeeTable.from} where ${wanted}`,
);

/** Returns one page of records, newest first, and their total number. */
export async function listPayees(
  db: Queryable,
  state: PayeeState | undefined,
  at: { readonly page: number; readonly limit: number },
  now: Date,
) {
  const [items, counted] = await Promise.all([
    rows(db, page, [now, state, at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, [now, state]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const insert = statement('payee.insert', `${payeeTable.insertInto('id', 'createdAt')} values ($1, $2)`);

export async function insertPayee(db: Queryable, id: string, now: Date): Promise<void> {
  await rows(db, insert, [id, now]);
}

const versionFields = [
  'payeeId',
  'version',
  'legalName',
  'domain',
  'addresses',
  'links',
  'registryNumbers',
  'validUntil',
  'checkedBy',
  'checkedAt',
] as const;
const insertVersion = statement(
  'payee.insert-version',
  `${sqlTable('dashboard.payee_version', 'v', versionFields).insertInto(...versionFields)} values (${placeholders(versionFields)})`,
);
const propose = statement('payee.propose', 'update dashboard.payee set proposed = $2 where id = $1');

/** Writes a version of a record; it is a proposal until it is admitted. */
export async function writeVersion(
  db: Queryable,
  { id, version, facts, by }: { id: string; version: number; facts: PayeeFacts; by: Address },
  now: Date,
): Promise<void> {
  const { legalName, domain, addresses, links, registryNumbers, validUntil } = facts;
  const said = [legalName, domain, JSON.stringify(addresses), links, registryNumbers, validUntil];
  await rows(db, insertVersion, [id, version, ...said, by, now]);
  await rows(db, propose, [id, version]);
}

export const claimTable = sqlTable('dashboard.payee_address', 'c', [
  'address',
  'payeeId',
  'networks',
  'validUntil',
]);

const others = statement<{ address: Address; payeeId: string }>(
  'payee.claimed',
  `select ${claimTable.list('address', 'payeeId')} from ${claimTable.from}
   where c.address = any($1) and c.payee_id is distinct from $2 order by c.address limit 1`,
);

/** The first of these addresses that another record claims. */
export const claimedByOther = (db: Queryable, { addresses }: PayeeFacts, id: string | null) =>
  firstRow(db, others, [addresses.map(({ address }) => address), id]);

const ofAccount = statement(
  'payee.own-wallet',
  'select from dashboard.account_wallet where account_id = $1 and wallet = any($2) limit 1',
);

/** Returns whether an account logs in with one of these addresses, or ever signed it as its agent. */
export const ownsOneOf = async (db: Queryable, account: string, { addresses }: PayeeFacts) =>
  (await firstRow(db, ofAccount, [account, addresses.map(({ address }) => address)])) !== null;

const ofSubmitter = statement(
  'payee.handed-in',
  'select from dashboard.business_submission where account_id = $1 and payee_id = $2 limit 1',
);

/** Returns whether a record was made of what this account handed in as a business. */
export const handedIn = async (db: Queryable, account: string, id: string) =>
  (await firstRow(db, ofSubmitter, [account, id])) !== null;

const unclaim = statement('payee.unclaim', 'delete from dashboard.payee_address where payee_id = $1');
const claim = statement(
  'payee.claim',
  `${claimTable.insertInto('payeeId', 'validUntil', 'address', 'networks')}
   select $1, $2, a.address, a.networks from jsonb_to_recordset($3::jsonb) as a(address text, networks text[])`,
);
const admit = statement(
  'payee.admit',
  'update dashboard.payee set admitted = $2, proposed = null where id = $1',
);

/** From now on this version counts, and its addresses are those of the record. Nobody else may claim them. */
export async function admitVersion(
  db: Queryable,
  { id, version, facts }: { id: string; version: number; facts: PayeeFacts },
): Promise<void> {
  await rows(db, admit, [id, version]);
  await rows(db, unclaim, [id]);
  await rows(db, claim, [id, facts.validUntil, JSON.stringify(facts.addresses)]);
}

const withdraw = statement(
  'payee.withdraw',
  `update dashboard.payee set proposed = null, withdrawn_at = $2, withdrawn_by = $3, withdraw_reason = $4 where id = $1`,
);

/** From now on the record vouches for nothing. */
export async function withdrawRecord(
  db: Queryable,
  { id, by, reason }: { id: string; by: Address; reason: string },
  now: Date,
): Promise<void> {
  await rows(db, withdraw, [id, now, by, reason]);
  await rows(db, unclaim, [id]);
}
