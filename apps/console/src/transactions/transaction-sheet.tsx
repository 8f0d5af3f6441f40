import type { WholeTransaction } from '@countersign/protocol/dashboard/transaction';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { ask } from '../api/queries.ts';
import { useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { chainText, explorerLink } from './explorer.ts';
import { Metadata } from './metadata.tsx';
import { Parties } from './parties.tsx';
import { TransactionResult } from './result.tsx';
import { isClaim, Reported, Source } from './source.tsx';

type Props = {
  readonly id: number;
  /** Seen as an operator, whoever the parties are. */
  readonly everybodys: boolean;
  readonly onClose: () => void;
};

/** One record with everything that is known of it. */
export function TransactionSheet({ id, everybodys, onClose }: Props) {
  const asked = { params: { id: String(id) }, query: everybodys ? { scope: 'all' as const } : {} };
  const query = useQuery(ask('GET /api/transactions/:id', asked));
  return (
    <Sheet title={`Transaction ${id}`} onClose={onClose}>
      <Loaded query={query} skeleton={<BoneRows rows={6} />}>
        {({ transaction }) => <Whole transaction={transaction} everybodys={everybodys} />}
      </Loaded>
    </Sheet>
  );
}

function Whole({ transaction, everybodys }: { transaction: WholeTransaction; everybodys: boolean }) {
  const { amountExact, tokenSymbol, serviceResult, metadata } = transaction;
  const { account } = useSession();
  const claimed = !everybodys && isClaim(transaction, account.walletAddress);
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex items-center justify-between gap-4">
        <p className="text-2xl font-medium tracking-tight">
          {amountExact === null ? 'No amount' : <Money amount={amountExact} currency={tokenSymbol ?? ''} />}
        </p>
        <TransactionResult result={serviceResult} claimed={claimed} />
      </div>
      {claimed && (
        <Notice tone="warn">
          Only the {transaction.reportedBy} says so. This payment was not seen on chain, and it counts in none
          of your sums.
        </Notice>
      )}
      <Payment transaction={transaction} own={everybodys ? null : account.walletAddress} />
      <Parties transaction={transaction} />
      {metadata !== null && <Metadata metadata={metadata} />}
    </div>
  );
}

/** `own` is null for an operator, who is no party and sees no mandates of others. */
function Payment({ transaction, own }: { transaction: WholeTransaction; own: string | null }) {
  const { serviceName, createdAt, chain, txHash, intentMandateId, metadata } = transaction;
  const receipt = metadata?.['receiptHash'];
  return (
    <Facts>
      <Fact name="Service">
        <span className="[overflow-wrap:anywhere]">{serviceName}</span>
      </Fact>
      <Fact name="When">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Reported by">{reporters[transaction.reportedBy]}</Fact>
      <Fact name="Known by">
        {own === null ? (
          <Reported transaction={transaction} />
        ) : (
          <Source transaction={transaction} own={own} />
        )}
      </Fact>
      <Fact name="Chain">{chainText(chain)}</Fact>
      <Fact name="Transaction">
        {txHash === null ? (
          <span className="text-muted">None on chain</span>
        ) : (
          <Hash chain={chain} hash={txHash} />
        )}
      </Fact>
      <Fact name="Mandate">
        <Mandate id={intentMandateId} open={own !== null} />
      </Fact>
      {typeof receipt === 'string' && (
        <Fact name="Receipt of the decision">
          <Address value={receipt} name="receipt hash" />
        </Fact>
      )}
    </Facts>
  );
}

function Mandate({ id, open }: { id: string | null; open: boolean }) {
  if (id === null) return <span className="text-muted">None</span>;
  if (!open) return <span className="font-mono text-xs [overflow-wrap:anywhere]">{id}</span>;
  return (
    <Link
      to="/mandates/$mandateId"
      params={{ mandateId: id }}
      className="font-medium text-accent-ink underline-offset-4 hover:underline"
    >
      Open the mandate
    </Link>
  );
}

const reporters = { payer: 'The payer', payee: 'The payee', operator: 'An operator' } as const;

function Hash({ chain, hash }: { chain: string; hash: string }) {
  const link = explorerLink(chain, hash);
  return (
    <span className="inline-flex items-center gap-1">
      <Address value={hash} name="hash" />
      {link !== null && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          Explorer
          <ExternalLink aria-hidden="true" className="size-3.5" />
        </a>
      )}
    </span>
  );
}
