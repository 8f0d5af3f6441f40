import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SignedFields } from '../wallet/signed-fields.tsx';
import { SigningFailure, useSigning } from '../wallet/signing.tsx';
import { activeMandates } from './queries.ts';
import type { ToSign } from './save-edit.ts';

type Props = { readonly toSign: ToSign; readonly onClose: () => void };

const words = {
  id: 'Mandate',
  accountId: 'Account',
  payerAddress: 'Paying wallet',
  perTxLimit: 'Limit per payment, USDC',
  totalBudget: 'Whole budget, USDC',
  expiresAt: 'Valid until (UTC)',
};

/** Shows exactly what will be signed, asks the wallet, and makes the mandate active. */
export function SignMandate({ toSign, onClose }: Props) {
  const { busy, failure, sign } = useMandateSigning(toSign, onClose);
  const active = useQuery(activeMandates).data?.data[0];
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
      <p className="text-pretty text-muted">
        You sign these fields and nothing else. Your wallet shows the same. Signing costs nothing and moves no
        money.
      </p>
      <SignedFields typedData={toSign.typedData} words={words} />
      <div className="mt-5 grid gap-3">
        {active !== undefined && active.id !== toSign.mandateId && (
          <Notice tone="warn">This replaces “{active.title}”, which is then revoked for good.</Notice>
        )}
        {failure !== null && <SigningFailure failure={failure} again={() => void sign()} />}
      </div>
    </Sheet>
  );
}

function useMandateSigning({ mandateId, typedData }: ToSign, onSigned: () => void) {
  const queries = useQueryClient();
  return useSigning(typedData, async (signature) => {
    const answer = await call('POST /api/mandates/intent/sign', { body: { mandateId, signature } });
    if (!answer.ok) return answer.error;
    showToast({ tone: 'ok', text: 'Signed. Your agent can pay within these limits.' });
    void refresh(queries, '/api/mandates', '/api/overview');
    onSigned();
    return null;
  });
}
