import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import type { Account } from './account.ts';

export const accountTable = sqlTable('dashboard.account', 'a', [
  'id',
  'walletAddress',
  'publicKey',
  'createdAt',
  'closedAt',
]);

/** The fields of an `Account`. */
export const accountColumns = accountTable.list('id', 'walletAddress', 'publicKey', 'createdAt', 'closedAt');

const byWallet = statement<Account>(
  'account.by-wallet',
  `select ${accountColumns} from ${accountTable.from} where a.wallet_address = $1`,
);

export const findAccount = (db: Queryable, wallet: Address): Promise<Account | null> =>
  firstRow(db, byWallet, [wallet]);

const byId = statement<Account>(
  'account.by-id',
  `select ${accountColumns} from ${accountTable.from} where a.id = $1`,
);

export const findAccountById = (db: Queryable, id: string): Promise<Account | null> =>
  firstRow(db, byId, [id]);

export type NewAccount = Omit<Account, 'closedAt'>;

const ensure = statement<Account>(
  'account.ensure',
  `${accountTable.insertInto('id', 'walletAddress', 'publicKey', 'createdAt')} values ($1, $2, $3, $4)
   on conflict (wallet_address) do update set public_key = coalesce(a.public_key, excluded.public_key)
   returning ${accountColumns}`,
);

/** The account of this wallet, made with `id` if there is none yet. */
export async function ensureAccount(
  db: Queryable,
  { id, walletAddress, publicKey, createdAt }: NewAccount,
): Promise<Account> {
  const account = await firstRow(db, ensure, [id, walletAddress, publicKey, createdAt]);
  if (account === null) throw new Error('an upsert gave no row');
  return account;
}

const recovered = statement<{ id: string }>(
  'account.recovered',
  'select a.id from dashboard.account a where a.id = $2 and a.recovered_by = $1',
);

/** Returns whether the account `by` has recovered `id`. */
export const hasRecovered = async (db: Queryable, by: string, id: string): Promise<boolean> =>
  (await firstRow(db, recovered, [by, id])) !== null;
