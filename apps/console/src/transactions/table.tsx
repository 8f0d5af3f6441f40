import { Brief } from '../ui/brief.tsx';
import type { TransactionRecord } from '@countersign/protocol/dashboard/transaction';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, SearchX } from 'lucide-react';
import { useSession } from '../session/session.ts';
import { shortAddress } from '../ui/address.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { chainText } from './explorer.ts';
import { TransactionResult } from './result.tsx';
import { isClaim, Reported, Source } from './source.tsx';
import { whyText } from './why.ts';

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
          className="after:absolute after:inset-0"
        >
          <Brief text={serviceName} />
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
  { name: 'Why', wide: true, cell: (record) => <NotPaidBecause {...record} /> },
  { name: 'Tool', wide: true, cell: ({ toolName }) => <Noted text={toolName} /> },
  { name: 'Agent', wide: true, cell: ({ agent }) => <Noted text={agent} /> },
  ...(kind === 'everybodys' ? partiesOfAll : partiesSeenBy(own)),
  { name: 'When', figures: true, wide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: 'Amount',
    figures: true,
    cell: ({ amountExact, tokenSymbol }) =>
      amountExact === null ? '–' : <Money amount={amountExact} currency={tokenSymbol ?? ''} />,
  },
];

const Noted = ({ text }: { text: string | null }) =>
  text === null ? (
    <span className="text-muted">–</span>
  ) : (
    // A word that fits stays whole; a longer one breaks rather than widens the page.
    <span className="block min-w-20 text-muted">
      <Verbatim text={text} />
    </span>
  );

/** A payment that was made needs no reason. */
const NotPaidBecause = ({ serviceResult, reason }: TransactionRecord) => (
  <Noted text={serviceResult === 'pass' || reason === null ? null : whyText(reason)} />
);

const partiesSeenBy = (own: string): readonly Column<TransactionRecord>[] => [
  {
    name: 'Source',
    wide: true,
    cell: (record) => (
      <>
        <Source transaction={record} own={own} />
        <span className="block text-xs text-muted">
          {record.payee === own ? 'To you' : 'From you'}, <Verbatim text={chainText(record.chain)} />
        </span>
      </>
    ),
  },
];

const party = (address: string | null) =>
  address === null ? '–' : <span className="font-mono text-xs">{shortAddress(address)}</span>;

const partiesOfAll: readonly Column<TransactionRecord>[] = [
  { name: 'Source', wide: true, cell: (record) => <Reported transaction={record} /> },
  {
    name: 'Payer and payee',
    wide: true,
    cell: ({ payer, payee }) => (
      <>
        <span className="block">{party(payer)}</span>
        <span className="block">{party(payee)}</span>
      </>
    ),
  },
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
      <Message icon={SearchX} title="No matching transactions">
        Remove a filter or choose a longer period.
      </Message>
    );
  }
  if (kind === 'claims') {
    return (
      <Message icon={ArrowLeftRight} title="No claims by others">
        Payments that others report with you, and that were not seen on chain, are listed here.
      </Message>
    );
  }
  return (
    <Message icon={ArrowLeftRight} title="No transactions yet">
      Every payment by {kind === 'own' ? 'your agent' : 'any account'} is recorded here, including refused
      ones.
    </Message>
  );
}
