import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SignedFields } from '../wallet/signed-fields.tsx';
import { SigningFailure, useSigning } from '../wallet/signing.tsx';
import { TimeLeft } from './time-left.tsx';

type Props = { readonly approval: Approval; readonly onClose: () => void };

const words = {
  approvalId: 'Approval',
  serviceId: 'Service',
  toolName: 'Tool',
  argumentsHash: 'Hash of the call’s arguments',
  payer: 'Paying wallet',
  payTo: 'Paid to',
  asset: 'Token',
  amount: 'Amount, in the token’s smallest unit',
  expiresAt: 'Valid until (UTC)',
};

/** Shows exactly what will be signed, asks the wallet, and lets the agent make this one payment. */
export function SignApproval({ approval, onClose }: Props) {
  const { busy, failure, sign } = useApprovalSigning(approval, onClose);
  return (
    <Sheet
      title="Review and sign"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" busy={busy} onClick={() => void sign()}>
            {busy ? 'Answer in your wallet' : 'Sign with wallet'}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-2xl font-medium tracking-tight">
          <Money amount={approval.amount} currency={approval.currency} />
        </p>
        <p className="text-sm">
          <TimeLeft until={approval.expiresAt} />
        </p>
      </div>
      <p className="mt-2 text-pretty text-muted">
        You allow this one payment and nothing else: these fields are what you sign, and your wallet shows the
        same.
      </p>
      <SignedFields typedData={approval.typedData} words={words} />
      {failure !== null && (
        <div className="mt-5">
          <SigningFailure failure={failure} again={() => void sign()} />
        </div>
      )}
    </Sheet>
  );
}

function useApprovalSigning({ approvalId, typedData }: Approval, onSigned: () => void) {
  const queries = useQueryClient();
  return useSigning(typedData, async (signature) => {
    const answer = await call('POST /api/approvals/:approvalId/approve', {
      params: { approvalId },
      body: { signature },
    });
    void refresh(queries, '/api/approvals', '/api/overview');
    if (!answer.ok) return answer.error;
    showToast({ tone: 'ok', text: 'Approved. Your agent can make this payment.' });
    onSigned();
    return null;
  });
}
