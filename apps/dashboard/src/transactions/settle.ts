import type { Address } from '@countersign/protocol/address';
import { chainNames } from '@countersign/protocol/dashboard/chains';
import { type Queryable, rows, statement } from '@countersign/service/sql';

/** One payment, however many report it: the same hash on the same chain, between the same two. */
export type Payment = {
  readonly chain: string;
  readonly txHash: string;
  readonly payer: Address | null;
  readonly payee: Address | null;
};

const settle = statement<{ wallet: Address }>(
  'transaction.settle',
  'select wallet from dashboard.settle_payment($1, $2, $3, $4, $5, $6)',
);

/**
 * Says anew what each report of a payment counts for whom, so that it is one record to each party: first one's own,
 * then an operator's, then what was seen on chain. `seen` is what came of a look for the transfer of one of them. Gives
 * the wallets for which that changed something.
 */
export async function settlePayment(
  db: Queryable,
  { chain, txHash, payer, payee }: Payment,
  looked: { readonly id: number; readonly seen: boolean } | null,
): Promise<readonly Address[]> {
  const about = [chainNames(chain), txHash, payer, payee];
  const changed = await rows(db, settle, [...about, looked?.id ?? null, looked?.seen ?? null]);
  return changed.map(({ wallet }) => wallet);
}

/** A payment that was reported just now, and the key under which each of its reporters has it. */
export type ReportedPayment = Payment & { readonly id: number; readonly key: string };

// Whoever else may have reported it is known: its parties and the operators. So a few keys are looked up, whatever the
// length of the log.
const repeated = statement<{ n: number }>(
  'transaction.repeated',
  `select r.n from json_to_recordset($1::json) as r(n int, id bigint, key bytea, payer text, payee text)
   where exists (
     select from dashboard.transaction_key k where k.dedupe_key = r.key and k.transaction_id <> r.id
       and k.reporter = any(array(select 'operator' union all
         select unnest(array[w.account_id, w.account_id || ' ' || w.wallet])
         from dashboard.account_wallet w where w.wallet in (r.payer, r.payee))))`,
);

/** Settles those of these payments, committed just now, that somebody else has reported too. */
export async function settleRepeated(db: Queryable, payments: readonly ReportedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  const asked = payments.map(({ id, key, payer, payee }, n) => ({ n, id, key, payer, payee }));
  for (const { n } of await rows(db, repeated, [JSON.stringify(asked)])) {
    const payment = payments[n];
    if (payment !== undefined) await settlePayment(db, payment, null);
  }
}
