import { Verbatim } from '../ui/verbatim.tsx';
import type { OperatorReview } from '@countersign/protocol/dashboard/compliance';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SaidFirst, TakeBack } from './first-word.tsx';
import { countryName, documentNames, personName } from './names.ts';
import { ReviewState } from './state.tsx';
import { Withdraw } from './withdraw.tsx';

type Props = { readonly review: OperatorReview; readonly onClose: () => void };

/** Shows one submission and lets an operator decide. Nobody decides about themselves. */
export function ReviewSheet({ review, onClose }: Props) {
  const { account } = useSession();
  const { decide, busy, problem, reason, setReason, fault } = useDecision(review, onClose);
  const [withdrawing, setWithdrawing] = useState(false);
  const { kycStatus, walletAddress, firstWord } = review;
  const name = personName(review);
  const own = review.accountId === account.id;
  const hasWays = !own && kycStatus !== 'rejected';
  const open = kycStatus === 'pending' && !own;
  if (withdrawing) return <Withdraw wallet={walletAddress} name={name} onClose={onClose} />;
  return (
    <Sheet
      title={name}
      onClose={onClose}
      actions={
        hasWays ? (
          <Ways
            review={review}
            busy={busy}
            onDecide={(decision) => void decide(decision)}
            onWithdraw={() => setWithdrawing(true)}
            onDone={onClose}
          />
        ) : undefined
      }
    >
      <Submission review={review} />
      <div className="mt-5 grid gap-4">
        <Unreadable review={review} />
        {own && <Notice>This is your own submission. Another operator must decide.</Notice>}
        {firstWord !== null && <SaidFirst word={firstWord} wish="approved it" />}
        {open && (
          <Field
            label="Reason"
            hint="Required to reject. The person reads it."
            maxLength={500}
            value={reason}
            error={fault}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </div>
    </Sheet>
  );
}

/** Nobody approves what nobody can read. */
function Unreadable({ review: { personalData, kycStatus } }: { review: OperatorReview }) {
  if (personalData !== 'unreadable') return null;
  return (
    <Notice tone="bad">
      This submission was sealed under a different EVIDENCE_KEY and cannot be read.
      {kycStatus === 'pending' && ' Reject it so that the person can submit again.'}
    </Notice>
  );
}

type WaysProps = {
  readonly review: OperatorReview;
  readonly busy: boolean;
  readonly onDecide: (decision: 'approve' | 'reject') => void;
  readonly onWithdraw: () => void;
  readonly onDone: () => void;
};

/** Offers an operator's actions. Whoever decided first may retract that, but not decide twice. */
function Ways({ review, busy, onDecide, onWithdraw, onDone }: WaysProps) {
  const { id, kycStatus, firstWord, personalData } = review;
  const { account } = useSession();
  const spoke = firstWord?.by === account.walletAddress;
  switch (kycStatus) {
    case 'rejected':
      return null;
    case 'approved':
      return (
        <Button kind="danger" onClick={onWithdraw}>
          Withdraw approval
        </Button>
      );
    case 'pending':
      return (
        <>
          {spoke && <TakeBack deed="approve" subject={id} onDone={onDone} />}
          <Button kind="danger" busy={busy} onClick={() => onDecide('reject')}>
            Reject
          </Button>
          {!spoke && personalData === 'kept' && (
            <Button kind="primary" busy={busy} onClick={() => onDecide('approve')}>
              Approve
            </Button>
          )}
        </>
      );
  }
}

function useDecision({ id, ...person }: OperatorReview, onDecided: () => void) {
  const { run, ...state } = useDeed(
    'POST /api/kyc/reviews/:id/decide',
    '/api/kyc',
    '/api/compliance/history',
  );
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const decide = async (decision: 'approve' | 'reject') => {
    const given = reason.trim();
    if (decision === 'reject' && given === '') return setFault('Enter a reason so that they can correct it.');
    setFault(null);
    const body = { decision, ...(given !== '' && { reason: given }) };
    const decided = await run({ params: { id }, body });
    if (decided === null) return;
    const waits = decided.review.firstWord !== null;
    const outcome = decision === 'approve' ? 'verified' : 'rejected';
    const text = waits
      ? 'Recorded. A second operator must approve too.'
      : `${personName(person)} is ${outcome}.`;
    showToast({ tone: 'ok', text });
    onDecided();
  };
  return { ...state, decide, reason, setReason, fault };
}

function Submission({ review }: { review: OperatorReview }) {
  const { country, documentType, documentNumber, walletAddress } = review;
  const { createdAt, decidedAt, validUntil, reason } = review;
  return (
    <Facts>
      <Fact name="State">
        <ReviewState review={review} />
      </Fact>
      {country !== null && <Fact name="Country">{countryName(country)}</Fact>}
      {documentType !== null && <Fact name="Document">{documentNames[documentType]}</Fact>}
      {documentNumber !== null && (
        <Fact name="Number">
          <span className="font-mono [overflow-wrap:anywhere]">
            <Verbatim text={documentNumber} />
          </span>
        </Fact>
      )}
      <Fact name="Wallet">
        <Address value={walletAddress} name="wallet" />
      </Fact>
      <Fact name="Submitted">
        <Time at={createdAt} />
      </Fact>
      {decidedAt !== null && (
        <Fact name="Decided">
          <Time at={decidedAt} />
        </Fact>
      )}
      {validUntil !== null && (
        <Fact name="Valid until">
          <Time at={validUntil} />
        </Fact>
      )}
      {reason !== null && (
        <Fact name="Reason">
          <span className="[overflow-wrap:anywhere]">
            <Verbatim text={reason} />
          </span>
        </Fact>
      )}
      <Fact name="Earlier decisions">
        <Link
          to="/compliance"
          search={{ view: 'history', wallet: walletAddress }}
          className="font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          View wallet history
        </Link>
      </Fact>
    </Facts>
  );
}
