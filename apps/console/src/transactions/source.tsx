import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { Badge } from '../ui/badge.tsx';

type Reported = Pick<TransactionRecord, 'payer' | 'payee' | 'reportedBy' | 'verified'>;

/** Whether a record is the other party's word alone. */
export const isClaim = ({ payer, payee, reportedBy, verified }: Reported, own: string): boolean =>
  verified === 'no' && reportedBy !== 'operator' && (reportedBy === 'payee' ? payee : payer) !== own;

/** Who vouches for a record, in a word. */
export function Source({ transaction, own }: { transaction: Reported; own: string }) {
  if (transaction.verified === 'chain') return <Badge tone="ok">Seen on chain</Badge>;
  if (isClaim(transaction, own)) return <Badge tone="warn">Claim</Badge>;
  return <Badge>{transaction.reportedBy === 'operator' ? 'Operator’s report' : 'Own report'}</Badge>;
}
