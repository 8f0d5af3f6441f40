import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, Inbox } from 'lucide-react';
import { useState } from 'react';
import { Address, WholeAddress } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Money } from '../ui/money.tsx';
import { Page, Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { chainName } from '../wallet/chains.ts';
import { CallArguments } from './call-arguments.tsx';
import { type Answer, AnswerSheet, Decide } from './decide.tsx';
import { approvalById } from './queries.ts';
import { WhoIsPaid } from '../payees/who-is-paid.tsx';
import { whyAsked } from './rule.ts';
import { ApprovalStateBadge } from './state.tsx';
import { ApprovalTimeLeft } from './time-left.tsx';

/** Shows one payment that the owner is asked to approve. The gateway's challenge links here. */
export function ApprovalPage() {
  const { approvalId } = useParams({ from: '/frame/approvals/$approvalId' });
  const approval = useQuery(approvalById(approvalId));
  const [answer, setAnswer] = useState<Answer | null>(null);
  const waits = approval.data?.state === 'pending';
  return (
    <>
      <Link to="/approvals" className="mb-3 inline-flex items-center gap-1 text-sm text-muted hover:text-ink">
        <ChevronLeft aria-hidden="true" className="size-4" />
        Approvals
      </Link>
      <Page
        title="Payment request"
        actions={
          waits && approval.data ? <Decide approval={approval.data} alone onAnswer={setAnswer} /> : undefined
        }
      >
        <Loaded query={approval} skeleton={<BoneRows rows={6} />}>
          {(found) => (found === null ? <NoSuchApproval /> : <WholeApproval approval={found} />)}
        </Loaded>
        {answer !== null && <AnswerSheet answer={answer} onClose={() => setAnswer(null)} />}
      </Page>
    </>
  );
}

function NoSuchApproval() {
  return (
    <div className="card">
      <Message icon={Inbox} title="Payment request not found">
        It may belong to another wallet. Sign in with the wallet that your agent pays from.
      </Message>
    </div>
  );
}

function WholeApproval({ approval }: { approval: Approval }) {
  const { state, amount, currency, expiresAt, toolName, serviceId } = approval;
  return (
    <>
      <Section title="Payment" actions={<ApprovalStateBadge state={state} />}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line px-5 py-5">
          <p className="text-2xl font-medium tracking-tight">
            <Money amount={amount} currency={currency} />
          </p>
          {state === 'pending' && (
            <p className="text-sm">
              <ApprovalTimeLeft until={expiresAt} />
            </p>
          )}
        </div>
        <div className="px-5 py-1">
          <Facts>
            <Fact name="Tool">
              <Verbatim text={toolName} />
            </Fact>
            <Fact name="Service">
              <Verbatim text={serviceId} />
            </Fact>
            <Payment approval={approval} />
          </Facts>
        </div>
      </Section>
      <Section title="Call arguments">
        <div className="px-5 py-4">
          <CallArguments approval={approval} />
        </div>
      </Section>
      {state !== 'pending' && <Outcome approval={approval} />}
    </>
  );
}

function Payment({ approval }: { approval: Approval }) {
  const { payTo, payer, asset, argumentsHash, reason, reasons, createdAt, typedData, approvalId } = approval;
  return (
    <>
      <Fact name="Why you are asked">
        {whyAsked(approval)}{' '}
        <code className="font-mono text-xs text-muted">
          <Verbatim text={(reasons ?? [reason]).join(' ')} />
        </code>
      </Fact>
      <Fact name="Paid to">
        <WholeAddress value={payTo} name="payee" />
      </Fact>
      <WhoIsPaid address={payTo} />
      <Fact name="Paid from">
        <WholeAddress value={payer} name="payer" />
      </Fact>
      <Fact name="Token">
        <WholeAddress value={asset} name="token" />{' '}
        <span className="text-muted">on {chainName(Number(typedData.domain['chainId']))}</span>
      </Fact>
      <Fact name="Hash of the arguments">
        <Address value={argumentsHash} name="hash" />
      </Fact>
      <Fact name="Requested">
        <Time at={createdAt} />
      </Fact>
      <Fact name="Id">
        <Address value={approvalId} name="id" />
      </Fact>
    </>
  );
}

function Outcome({ approval }: { approval: Approval }) {
  const { state, decidedAt, expiresAt, rejectReason, signature } = approval;
  return (
    <Section title="Result">
      <div className="px-5 py-1">
        <Facts>
          <Fact name={decidedAt === null ? 'Expired without a decision' : 'Decided'}>
            <Time at={decidedAt ?? expiresAt} />
          </Fact>
          {rejectReason !== null && (
            <Fact name={state === 'rejected' ? 'Your reason' : 'Reason'}>
              <span className="[overflow-wrap:anywhere]">
                <Verbatim text={rejectReason} />
              </span>
            </Fact>
          )}
          {signature !== null && (
            <Fact name="Your signature">
              <Address value={signature} name="signature" />
            </Fact>
          )}
        </Facts>
      </div>
    </Section>
  );
}
