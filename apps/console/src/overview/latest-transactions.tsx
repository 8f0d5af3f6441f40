import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { TransactionResult } from '../transactions/result.tsx';
import { whyText } from '../transactions/why.ts';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';

const columns: readonly Column<TransactionRecord>[] = [
  {
    name: 'Service',
    cell: ({ id, serviceName }) => (
      <Link to="/transactions" search={{ open: id }} className="after:absolute after:inset-0">
        <Verbatim text={serviceName} />
      </Link>
    ),
  },
  { name: 'Result', cell: ({ serviceResult }) => <TransactionResult result={serviceResult} /> },
  {
    name: 'Why',
    wide: true,
    cell: ({ serviceResult, reason }) =>
      serviceResult === 'pass' || reason === null ? '' : <Verbatim text={whyText(reason)} />,
  },
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
        Every payment by your agent is recorded here, including refused ones.
      </Message>
    );
  }
  return <Table caption="Latest transactions" columns={columns} rows={transactions} keyOf={({ id }) => id} />;
}
