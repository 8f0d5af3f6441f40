import { Verbatim } from '../ui/verbatim.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { Problem } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SigningSheet } from '../wallet/signing-sheet.tsx';
import { activeMandates } from './queries.ts';
import type { ToSign } from './save-edit.ts';

type Props = { readonly toSign: ToSign; readonly onClose: () => void };

const words = {
  id: 'Mandate',
  accountId: 'Account',
  payerAddress: 'Paying wallet',
  perTxLimit: 'Limit per payment, USDC',
  totalBudget: 'Total budget, USDC',
  expiresAt: 'Valid until (UTC)',
};

/** The signature that makes a mandate active. */
export function SignMandate({ toSign: { mandateId, typedData, mandate }, onClose }: Props) {
  const queries = useQueryClient();
  const active = useQuery(activeMandates).data?.data.find(
    ({ agentWallet }) => (agentWallet ?? null) === (mandate.agentWallet ?? null),
  );
  const send = async (signature: string): Promise<Problem | null> => {
    const answer = await call('POST /api/mandates/intent/sign', { body: { mandateId, signature } });
    if (!answer.ok) return answer.error;
    showToast({ tone: 'ok', text: 'Signed. Your agent can pay within these limits.' });
    void refresh(queries, '/api/mandates', '/api/agents', '/api/overview');
    onClose();
    return null;
  };
  const replaced = active !== undefined && active.id !== mandateId && (
    <Notice tone="warn">
      This replaces “<Verbatim text={active.title} />
      ”, which is then revoked permanently.
    </Notice>
  );
  return (
    <SigningSheet typedData={typedData} words={words} send={send} onClose={onClose} consequence={replaced}>
      <p className="text-pretty text-muted">
        You sign these fields and nothing else. Your wallet shows the same. Signing costs nothing and moves no
        money.
      </p>
    </SigningSheet>
  );
}
