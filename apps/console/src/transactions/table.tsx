import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, SearchX } from 'lucide-react';
import { useSession } from '../session/session.ts';
import { shortAddress } from '../ui/address.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { chainText } from './explorer.ts';
import { TransactionResult } from './result.tsx';
import { isClaim, Reported, Source } from './source.tsx';

/** Own records, what others claim of oneself, or what operators see of everybody. */
type Kind = 'own' | 'claims' | 'everybodys';

const columnsFor = (own: string, kind: Kind): readonly Column<TransactionRecord>[] => [
  {
    name: 'Service',
    cell: ({ id, serviceName, createdAt }) => (
      <>
        <Link
          to="/transactions"
          search={(old) => ({ ...old, open: id })}
          className="[overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {serviceName}
        </Link>
        <span className="block font-normal text-muted md:hidden">
          <Time at={createdAt} />
        </span>
      </>
    ),
  },
  {
    name: 'Result',
    cell: (record) => (
      <TransactionResult
        result={record.serviceResult}
        claimed={kind !== 'everybodys' && isClaim(record, own)}
      />
    ),
  },
  ...(kind === 'everybodys' ? partiesOfAll : partiesSeenBy(own)),
  { name: 'Chain', wide: true, cell: ({ chain }) => <span className="text-muted">{chainText(chain)}</span> },
  { name: 'When', figures: true, wide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: 'Amount',
    figures: true,
    cell: ({ amountExact, tokenSymbol }) =>
      amountExact === null ? '–' : <Money amount={amountExact} currency={tokenSymbol ?? ''} />,
  },
];

const partiesSeenBy = (own: string): readonly Column<TransactionRecord>[] => [
  { name: 'Known by', wide: true, cell: (record) => <Source transaction={record} own={own} /> },
  {
    name: 'Direction',
    wide: true,
    cell: ({ payee }) => <span className="text-muted">{payee === own ? 'To you' : 'From you'}</span>,
  },
];

const party = (address: string | null) =>
  address === null ? '–' : <span className="font-mono text-xs">{shortAddress(address)}</span>;

const partiesOfAll: readonly Column<TransactionRecord>[] = [
  { name: 'Known by', wide: true, cell: (record) => <Reported transaction={record} /> },
  { name: 'Payer', wide: true, cell: ({ payer }) => party(payer) },
  { name: 'Payee', wide: true, cell: ({ payee }) => party(payee) },
];

type Props = {
  readonly transactions: readonly TransactionRecord[];
  readonly filtered: boolean;
  readonly kind: Kind;
};

/** The records of the log, or why there are none. */
export function TransactionTable({ transactions, filtered, kind }: Props) {
  const { account } = useSession();
  if (transactions.length > 0) {
    return (
      <Table
        caption="Transactions, newest first"
        columns={columnsFor(account.walletAddress, kind)}
        rows={transactions}
        keyOf={({ id }) => id}
      />
    );
  }
  if (filtered) {
    return (
      <Message icon={SearchX} title="No transaction fits">
        Take a filter away, or choose a longer time.
      </Message>
    );
  }
  if (kind === 'claims') {
    return (
      <Message icon={ArrowLeftRight} title="Nobody claims anything">
        What others report about payments with you, and nobody has seen on chain, is listed here.
      </Message>
    );
  }
  return (
    <Message icon={ArrowLeftRight} title="No transactions yet">
      Every payment of {kind === 'own' ? 'your agent' : 'anybody'} is recorded here, also those that were
      refused.
    </Message>
  );
}
