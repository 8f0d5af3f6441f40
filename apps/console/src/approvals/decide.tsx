import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { Button } from '../ui/button.tsx';
import { RejectApproval } from './reject-approval.tsx';
import { SignApproval } from './sign-approval.tsx';

/** What the owner is about to answer, and to which payment. */
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

/** Where the answer is given. It stands in the page, not in the list: a payment that ends meanwhile does not take it away. */
export function AnswerSheet({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  return answer.kind === 'sign' ? (
    <SignApproval approval={answer.approval} onClose={onClose} />
  ) : (
    <RejectApproval approval={answer.approval} onClose={onClose} />
  );
}
