import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { Button } from '../ui/button.tsx';
import { RejectApproval } from './reject-approval.tsx';
import { SignApproval } from './sign-approval.tsx';

/** The decision that the owner is about to make, and about which payment. */
export type Answer = { readonly kind: 'sign' | 'reject'; readonly approval: Approval };

type Props = {
  readonly approval: Approval;
  /** Whether it is the one thing to do in this view. */
  readonly alone?: boolean;
  readonly onAnswer: (answer: Answer) => void;
};

/** The owner's two answers to a payment that waits. */
export function Decide({ approval, alone = false, onAnswer }: Props) {
  return (
    <>
      <Button kind="danger" onClick={() => onAnswer({ kind: 'reject', approval })}>
        Reject
      </Button>
      <Button kind={alone ? 'primary' : 'plain'} onClick={() => onAnswer({ kind: 'sign', approval })}>
        Review and sign
      </Button>
    </>
  );
}

/**
 * Asks for the decision. It belongs to the page, not the list, so that it stays open when the payment ends
 * meanwhile.
 */
export function AnswerSheet({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  return answer.kind === 'sign' ? (
    <SignApproval approval={answer.approval} onClose={onClose} />
  ) : (
    <RejectApproval approval={answer.approval} onClose={onClose} />
  );
}
