import type { WholeTransaction } from '@countersign/protocol/dashboard/transaction';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
import { Verbatim } from '../ui/verbatim.tsx';
import { chainText } from './explorer.ts';
import { Hash } from './hash.tsx';
import { Metadata } from './metadata.tsx';
import { Parties } from './parties.tsx';
import { TransactionResult } from './result.tsx';
import { isClaim, Reported, Source } from './source.tsx';
import { Refusal } from './refusal.tsx';
import { Steps } from './steps.tsx';

type Props = {
  readonly id: number;
  /** Seen as an operator, whoever the parties are. */
  readonly everybodys: boolean;
  readonly onClose: () => void;
};

/** Shows one record with all its data. */
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
          Only the {transaction.reportedBy} reports it. This payment was not seen on chain and is not included
          in any of your totals.
        </Notice>
      )}
      {!claimed && <Refusal transaction={transaction} own={!everybodys} />}
      <Payment transaction={transaction} own={everybodys ? null : account.walletAddress} />
      {transaction.steps !== null && <Steps steps={transaction.steps} own={!everybodys} />}
      <Parties transaction={transaction} />
      {metadata !== null && <Metadata metadata={metadata} />}
    </div>
  );
}

/** `own` is null for an operator, who is no party and sees no mandates of others. */
function Payment({ transaction, own }: { transaction: WholeTransaction; own: string | null }) {
  const { serviceName, toolName, agent, createdAt, chain, txHash, metadata } = transaction;
  const receipt = metadata?.['receiptHash'];
  return (
    <Facts>
      <Fact name="Service">
        <Verbatim text={serviceName} />
      </Fact>
      {toolName !== null && (
        <Fact name="Tool">
          <Verbatim text={toolName} />
        </Fact>
      )}
      {agent !== null && (
        <Fact name="Agent">
          <Verbatim text={agent} />
        </Fact>
      )}
      <Fact name="When">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Reported by">{reporters[transaction.reportedBy]}</Fact>
      <Fact name="Source">
        {own === null ? (
          <Reported transaction={transaction} />
        ) : (
          <Source transaction={transaction} own={own} />
        )}
      </Fact>
      <Fact name="Chain">{chainText(chain)}</Fact>
      <Fact name="Transaction">
        {txHash === null ? (
          <span className="text-muted">Not on chain</span>
        ) : (
          <Hash chain={chain} hash={txHash} />
        )}
      </Fact>
      <Fact name="Mandate">
        <Mandate transaction={transaction} open={own !== null} />
      </Fact>
      {typeof receipt === 'string' && (
        <Fact name="Decision receipt">
          <Address value={receipt} name="receipt hash" />
        </Fact>
      )}
    </Facts>
  );
}

function Mandate({ transaction, open }: { transaction: WholeTransaction; open: boolean }) {
  const { intentMandateId: id, reason } = transaction;
  if (id === null && open && reason === 'MANDATE_PAUSED') {
    return (
      <>
        Paused:{' '}
        <Link to="/mandates" className={linkLook}>
          resume
        </Link>
      </>
    );
  }
  if (id === null) return <span className="text-muted">{noneBecause[reason ?? ''] ?? 'None'}</span>;
  if (!open) return <span className="font-mono text-xs [overflow-wrap:anywhere]">{id}</span>;
  return (
    <Link to="/mandates/$mandateId" params={{ mandateId: id }} className={linkLook}>
      View mandate
    </Link>
  );
}

const linkLook = 'font-medium text-accent-ink underline-offset-4 hover:underline';

const noneBecause: Readonly<Record<string, string>> = {
  MANDATE_PENDING: 'Not signed yet',
  MANDATE_EXPIRED: 'Expired',
  MANDATE_EXHAUSTED: 'Used up',
  MANDATE_REVOKED: 'Revoked',
};

const reporters = { payer: 'The payer', payee: 'The payee', operator: 'An operator' } as const;
