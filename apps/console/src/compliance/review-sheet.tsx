import type { KycReview } from '@countersign/protocol/dashboard/compliance';
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
import { countryName, documentNames } from './names.ts';
import { KycState } from './state.tsx';

type Props = { readonly review: KycReview; readonly onClose: () => void };

/** One submission, and the operator's word on it. Nobody decides about oneself. */
export function ReviewSheet({ review, onClose }: Props) {
  const { account } = useSession();
  const { decide, busy, problem, reason, setReason, fault } = useDecision(review, onClose);
  const own = review.accountId === account.id;
  const open = review.kycStatus === 'pending' && !own;
  return (
    <Sheet
      title={review.fullName}
      onClose={onClose}
      actions={
        open && (
          <>
            <Button kind="danger" busy={busy} onClick={() => void decide('reject')}>
              Reject
            </Button>
            <Button kind="primary" busy={busy} onClick={() => void decide('approve')}>
              Approve
            </Button>
          </>
        )
      }
    >
      <Submission review={review} />
      <div className="mt-5 grid gap-4">
        {own && <Notice>This is your own. Another operator decides about it.</Notice>}
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

function useDecision({ id, fullName }: KycReview, onDecided: () => void) {
  const { run, ...state } = useDeed('POST /api/kyc/reviews/:id/decide', '/api/kyc');
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const decide = async (decision: 'approve' | 'reject') => {
    const given = reason.trim();
    if (decision === 'reject' && given === '') return setFault('Say why, so that they can put it right.');
    setFault(null);
    const body = { decision, ...(given !== '' && { reason: given }) };
    if ((await run({ params: { id }, body })) === null) return;
    showToast({ tone: 'ok', text: `${fullName} is ${decision === 'approve' ? 'verified' : 'rejected'}.` });
    onDecided();
  };
  return { ...state, decide, reason, setReason, fault };
}

function Submission({ review }: { review: KycReview }) {
  const { kycStatus, country, documentType, documentNumber, walletAddress } = review;
  const { createdAt, decidedAt, reason } = review;
  return (
    <Facts>
      <Fact name="State">
        <KycState status={kycStatus} />
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
      {reason !== null && (
        <Fact name="Reason">
          <span className="[overflow-wrap:anywhere]">{reason}</span>
        </Fact>
      )}
    </Facts>
  );
}
