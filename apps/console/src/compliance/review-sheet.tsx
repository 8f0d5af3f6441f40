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
import { countryName, documentNames } from './names.ts';
import { ReviewState } from './state.tsx';
import { Withdraw } from './withdraw.tsx';

type Props = { readonly review: OperatorReview; readonly onClose: () => void };

/** One submission, and the operator's word on it. Nobody decides about oneself. */
export function ReviewSheet({ review, onClose }: Props) {
  const { account } = useSession();
  const { decide, busy, problem, reason, setReason, fault } = useDecision(review, onClose);
  const [withdrawing, setWithdrawing] = useState(false);
  const { id, fullName, kycStatus, walletAddress, firstWord } = review;
  const own = review.accountId === account.id;
  const open = kycStatus === 'pending' && !own;
  const spoke = firstWord?.by === account.walletAddress;
  if (withdrawing) return <Withdraw wallet={walletAddress} name={fullName} onClose={onClose} />;
  return (
    <Sheet
      title={fullName}
      onClose={onClose}
      actions={
        open ? (
          <>
            {spoke && <TakeBack deed="approve" subject={id} onDone={onClose} />}
            <Button kind="danger" busy={busy} onClick={() => void decide('reject')}>
              Reject
            </Button>
            {!spoke && (
              <Button kind="primary" busy={busy} onClick={() => void decide('approve')}>
                Approve
              </Button>
            )}
          </>
        ) : (
          kycStatus === 'approved' &&
          !own && (
            <Button kind="danger" onClick={() => setWithdrawing(true)}>
              Withdraw
            </Button>
          )
        )
      }
    >
      <Submission review={review} />
      <div className="mt-5 grid gap-4">
        {own && <Notice>This is your own. Another operator decides about it.</Notice>}
        {firstWord !== null && <SaidFirst word={firstWord} wish="approved it" />}
        {open && (
          <Field
            label="Reason"
            hint="Needed to reject; its owner reads it."
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

function useDecision({ id, fullName }: OperatorReview, onDecided: () => void) {
  const { run, ...state } = useDeed(
    'POST /api/kyc/reviews/:id/decide',
    '/api/kyc',
    '/api/compliance/history',
  );
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const decide = async (decision: 'approve' | 'reject') => {
    const given = reason.trim();
    if (decision === 'reject' && given === '') return setFault('Say why, so that they can put it right.');
    setFault(null);
    const body = { decision, ...(given !== '' && { reason: given }) };
    const decided = await run({ params: { id }, body });
    if (decided === null) return;
    const waits = decided.review.firstWord !== null;
    const outcome = decision === 'approve' ? 'verified' : 'rejected';
    const text = waits ? 'Noted. A second operator has to approve too.' : `${fullName} is ${outcome}.`;
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
      <Fact name="Country">{countryName(country)}</Fact>
      <Fact name="Document">{documentNames[documentType]}</Fact>
      <Fact name="Number">
        <span className="font-mono [overflow-wrap:anywhere]">{documentNumber}</span>
      </Fact>
      <Fact name="Wallet">
        <Address value={walletAddress} name="wallet" />
      </Fact>
      <Fact name="Handed in">
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
          <span className="[overflow-wrap:anywhere]">{reason}</span>
        </Fact>
      )}
      <Fact name="What was decided before">
        <Link
          to="/compliance"
          search={{ view: 'history', wallet: walletAddress }}
          className="font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          History of this wallet
        </Link>
      </Fact>
    </Facts>
  );
}
