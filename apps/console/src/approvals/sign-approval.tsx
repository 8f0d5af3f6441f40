import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { Problem } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Money } from '../ui/money.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SigningSheet } from '../wallet/signing-sheet.tsx';
import { CallArguments } from './call-arguments.tsx';
import { ApprovalTimeLeft } from './time-left.tsx';

type Props = { readonly approval: Approval; readonly onClose: () => void };

const words = {
  approvalId: 'Approval',
  serviceId: 'Service',
  toolName: 'Tool',
  argumentsHash: 'Hash of the arguments',
  payer: 'Paying wallet',
  payTo: 'Paid to',
  asset: 'Token',
  amount: 'Amount, in the token’s smallest unit',
  expiresAt: 'Valid until (UTC)',
};

/** The signature that lets the agent make this one payment. */
export function SignApproval({ approval, onClose }: Props) {
  const { approvalId, typedData, amount, currency, expiresAt } = approval;
  const queries = useQueryClient();
  const send = async (signature: string): Promise<Problem | null> => {
    const answer = await call('POST /api/approvals/:approvalId/approve', {
      params: { approvalId },
      body: { signature },
    });
    void refresh(queries, '/api/approvals', '/api/overview');
    if (!answer.ok) return answer.error;
    showToast({ tone: 'ok', text: 'Payment approved. Your agent can make it.' });
    onClose();
    return null;
  };
  return (
    <SigningSheet typedData={typedData} words={words} send={send} onClose={onClose}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-2xl font-medium tracking-tight">
          <Money amount={amount} currency={currency} />
        </p>
        <p className="text-sm">
          <ApprovalTimeLeft until={expiresAt} />
        </p>
      </div>
      <p className="mt-2 text-pretty text-muted">
        You allow this one payment and nothing else. These are the fields you sign, and your wallet shows the
        same.
      </p>
      <div className="mt-4">
        <CallArguments approval={approval} />
      </div>
    </SigningSheet>
  );
}
