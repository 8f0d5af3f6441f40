import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { Badge } from '../ui/badge.tsx';

type Vouched = Pick<TransactionRecord, 'payer' | 'payee' | 'reportedBy' | 'verified'>;

/** Returns whether a record is the other party's word alone. */
export const isClaim = ({ payer, payee, reportedBy, verified }: Vouched, own: string): boolean =>
  verified === 'no' && reportedBy !== 'operator' && (reportedBy === 'payee' ? payee : payer) !== own;

/** Who vouches for a record, in a word. */
export function Source({ transaction, own }: { transaction: Vouched; own: string }) {
  if (transaction.verified === 'chain') return <Badge tone="ok">Seen on chain</Badge>;
  if (isClaim(transaction, own)) return <Badge tone="warn">Claim</Badge>;
  return <Badge>{transaction.reportedBy === 'operator' ? 'Operator’s report' : 'Your report'}</Badge>;
}

const reporters = {
  payer: 'Payer’s report',
  payee: 'Payee’s report',
  operator: 'Operator’s report',
} as const;

/** The same, to somebody who is neither party. */
export function Reported({ transaction: { verified, reportedBy } }: { transaction: Vouched }) {
  if (verified === 'chain') return <Badge tone="ok">Seen on chain</Badge>;
  return <Badge>{reporters[reportedBy]}</Badge>;
}
