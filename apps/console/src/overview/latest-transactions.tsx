import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { ArrowLeftRight } from 'lucide-react';
import { TransactionResult } from '../transactions/result.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

const columns: readonly Column<TransactionRecord>[] = [
  { name: 'Service', cell: ({ serviceName }) => serviceName },
  { name: 'Result', cell: ({ serviceResult }) => <TransactionResult result={serviceResult} /> },
  { name: 'Chain', wide: true, cell: ({ chain }) => <span className="text-muted">{chain}</span> },
  {
    name: 'When',
    figures: true,
    wide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    name: 'Amount',
    figures: true,
    cell: ({ amountExact, tokenSymbol }) =>
      amountExact === null ? '–' : <Money amount={amountExact} currency={tokenSymbol ?? ''} />,
  },
];

/** The newest records of the log. */
export function LatestTransactions({ transactions }: { transactions: readonly TransactionRecord[] }) {
  if (transactions.length === 0) {
    return (
      <Message icon={ArrowLeftRight} title="No transactions yet">
        Every payment of your agent is recorded here, also those that were refused.
      </Message>
    );
  }
  return <Table caption="Latest transactions" columns={columns} rows={transactions} keyOf={({ id }) => id} />;
}
