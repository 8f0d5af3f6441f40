import type { Address } from '@countersign/protocol/address';
import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import type { Account } from './account.ts';

/** Columns of an account under the names of `Account`; for use with the alias `a`. */
export const accountColumns = `a.id, a.wallet_address as "walletAddress", a.public_key as "publicKey", a.created_at as "createdAt"`;

const byWallet = statement<Account>(
  'account.by-wallet',
  `select ${accountColumns} from dashboard.account a where a.wallet_address = $1`,
);

export const findAccount = (db: Queryable, wallet: Address): Promise<Account | null> =>
  firstRow(db, byWallet, [wallet]);

const byId = statement<Account>(
  'account.by-id',
  `select ${accountColumns} from dashboard.account a where a.id = $1`,
);

export const findAccountById = (db: Queryable, id: string): Promise<Account | null> =>
  firstRow(db, byId, [id]);

const ensure = statement<Account>(
  'account.ensure',
  `insert into dashboard.account as a (id, wallet_address, public_key, created_at) values ($1, $2, $3, $4)
   on conflict (wallet_address) do update set public_key = coalesce(a.public_key, excluded.public_key)
   returning ${accountColumns}`,
);

/** The account of this wallet, made with `id` if there is none yet. */
export async function ensureAccount(
  db: Queryable,
  { id, walletAddress, publicKey, createdAt }: Account,
): Promise<Account> {
  const account = await firstRow(db, ensure, [id, walletAddress, publicKey, createdAt]);
  if (account === null) throw new Error('an upsert gave no row');
  return account;
}
