import type { Address } from '@countersign/protocol/address';
import type { ComplianceDeed } from '@countersign/protocol/dashboard/correction-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import type { Account } from '../accounts/account.ts';

/** One action of an operator. */
export type Deed = {
  readonly deed: ComplianceDeed;
  readonly by: Pick<Account, 'id' | 'walletAddress'>;
  /** False for the first of two words: nothing has changed yet. */
  readonly effective: boolean;
  /** A person's wallet or a denied address; null for a look at everybody. */
  readonly wallet: string | null;
  readonly reviewId?: string;
  readonly payeeId?: string;
  readonly reason?: string | null | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
};

const put = [
  'at',
  'operatorId',
  'operatorWallet',
  'deed',
  'effective',
  'wallet',
  'reviewId',
  'payeeId',
  'reason',
  'detail',
] as const;
export const historyTable = sqlTable('dashboard.compliance_history', 'h', ['id', ...put]);

const insert = statement(
  'compliance-history.insert',
  `${historyTable.insertInto(...put)} values (${placeholders(put)})`,
);

/** Puts it on record for good, in the transaction that does it: what cannot be recorded is not done. */
export async function putOnRecord(db: Queryable, now: Date, done: Deed): Promise<void> {
  const { deed, by, effective, wallet, reviewId, payeeId, reason, detail } = done;
  const told = detail === undefined ? null : JSON.stringify(detail);
  const about = [effective, wallet, reviewId, payeeId];
  await rows(db, insert, [now, by.id, by.walletAddress, deed, ...about, reason, told]);
}

export type HistoryRecord = {
  readonly id: number;
  readonly at: Date;
  readonly by: Address;
  readonly deed: ComplianceDeed;
  readonly effective: boolean;
  readonly walletAddress: Address | null;
  readonly reviewId: string | null;
  readonly payeeId: string | null;
  readonly reason: string | null;
  readonly detail: Record<string, unknown> | null;
};

/** `about`: these deeds alone. */
type Wanted = {
  readonly wallet: Address | undefined;
  readonly payeeId?: string | undefined;
  readonly about: Topic | undefined;
};
type Topic = keyof typeof topics;

const topics = {
  identities: ['approve', 'reject', 'withdraw', 'restore'],
  payees: [
    'admit-payee',
    'change-payee',
    'withdraw-payee',
    'turn-payee-away',
    'add-payee-file',
    'read-payee-file',
    'erase-payee-file',
    'reject-business',
    'read-business-file',
    'check-business',
  ],
  'deny-list': ['deny', 'undeny'],
  reads: ['read'],
} as const;

/** A plan that knows no value must see whether a wallet or a record is asked for, to use its index. */
const listOf = (name: string, whose: string) => {
  const from = `${historyTable.from}
    where ${whose} and ($2::text[] is null or coalesce(h.detail ->> 'deed', h.deed) = any($2))`;
  return {
    page: statement<HistoryRecord>(
      `compliance-history.page-${name}`,
      `select ${historyTable.list('id', 'at', 'deed', 'effective', 'reviewId', 'payeeId', 'reason', 'detail')},
         h.operator_wallet as by, h.wallet as "walletAddress"
       from ${from} order by h.id desc limit $3 offset $4`,
    ),
    count: statement<{ total: number }>(
      `compliance-history.count-${name}`,
      `select count(*) as total from ${from}`,
    ),
  };
};
const ofAll = listOf('of-all', '$1::text is null');
const ofWallet = listOf('of-wallet', 'h.wallet = $1');
const ofPayee = listOf('of-payee', 'h.payee_id = $1');

/** Returns one page of the history, newest first, and its total length. */
export async function listHistory(db: Queryable, want: Wanted, at: { page: number; limit: number }) {
  const { wallet, payeeId } = want;
  const { page, count } = payeeId !== undefined ? ofPayee : wallet === undefined ? ofAll : ofWallet;
  const values = [payeeId ?? wallet, want.about === undefined ? null : topics[want.about]];
  const [items, counted] = await Promise.all([
    rows(db, page, [...values, at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, values),
  ]);
  return { items, total: counted?.total ?? 0 };
}
