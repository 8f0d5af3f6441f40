import type { Address } from '@countersign/protocol/address';
import type { ComplianceDeed } from '@countersign/protocol/dashboard/correction-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';

/** What an operator did. */
export type Deed = {
  readonly deed: ComplianceDeed;
  readonly by: Pick<Account, 'id' | 'walletAddress'>;
  /** False for the first of two words: nothing has changed yet. */
  readonly effective: boolean;
  /** A person's wallet or a denied address; null for a look at everybody. */
  readonly wallet: string | null;
  readonly reviewId?: string;
  readonly reason?: string | null | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
};

const insert = statement(
  'compliance-history.insert',
  `insert into dashboard.compliance_history (at, operator_id, operator_wallet, deed, effective, wallet, review_id, reason, detail)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Puts it on record for good, in the transaction that does it: what cannot be recorded is not done. */
export async function putOnRecord(db: Queryable, now: Date, done: Deed): Promise<void> {
  const { deed, by, effective, wallet, reviewId, reason, detail } = done;
  const told = detail === undefined ? null : JSON.stringify(detail);
  await rows(db, insert, [now, by.id, by.walletAddress, deed, effective, wallet, reviewId, reason, told]);
}

export type HistoryRecord = {
  readonly id: number;
  readonly at: Date;
  readonly by: Address;
  readonly deed: ComplianceDeed;
  readonly effective: boolean;
  readonly walletAddress: Address | null;
  readonly reviewId: string | null;
  readonly reason: string | null;
  readonly detail: Record<string, unknown> | null;
};

/** `about`: these deeds alone. */
type Wanted = { readonly wallet: Address | undefined; readonly about: Topic | undefined };
type Topic = keyof typeof topics;

const topics = {
  identities: ['approve', 'reject', 'withdraw', 'restore'],
  'deny-list': ['deny', 'undeny'],
  reads: ['read'],
} as const;

/** A plan that knows no value must see whether a wallet is asked for, to use its index. */
const listOf = (name: string, whose: string) => {
  const from = `dashboard.compliance_history h
    where ${whose} and ($2::text[] is null or coalesce(h.detail ->> 'deed', h.deed) = any($2))`;
  return {
    page: statement<HistoryRecord>(
      `compliance-history.page-${name}`,
      `select h.id, h.at, h.operator_wallet as by, h.deed, h.effective, h.wallet as "walletAddress",
         h.review_id as "reviewId", h.reason, h.detail
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

/** One page of the history, newest first, and how long it is in all. */
export async function listHistory(db: Queryable, want: Wanted, at: { page: number; limit: number }) {
  const { page, count } = want.wallet === undefined ? ofAll : ofWallet;
  const values = [want.wallet, want.about === undefined ? null : topics[want.about]];
  const [items, counted] = await Promise.all([
    rows(db, page, [...values, at.limit, (at.page - 1) * at.limit]),
    firstRow(db, count, values),
  ]);
  return { items, total: counted?.total ?? 0 };
}
