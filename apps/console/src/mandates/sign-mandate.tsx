import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoint.ts';
import { problemText } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { showToast } from '../ui/toasts.tsx';
import { WalletFailure } from '../wallet/wallet-failure.tsx';
import type { WalletProblem } from '../wallet/problem.ts';
import { signAsAccount } from '../wallet/sign.ts';
import { activeMandates } from './queries.ts';
import { SignedFields } from './signed-fields.tsx';

type ToSign = AnswerOf<'POST /api/mandates/intent/create'>;
type Failure = { readonly wallet: WalletProblem } | { readonly server: string };

type Props = { readonly toSign: ToSign; readonly onClose: () => void };

/** Shows exactly what will be signed, asks the wallet, and makes the mandate active. */
export function SignMandate({ toSign, onClose }: Props) {
  const { busy, failure, sign } = useSigning(toSign, onClose);
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
      <SignedFields typedData={toSign.typedData} />
      <div className="mt-5 grid gap-3">
        {active !== undefined && active.id !== toSign.mandateId && (
          <Notice tone="warn">This replaces “{active.title}”, which is then revoked for good.</Notice>
        )}
        {failure !== null && 'server' in failure && <Notice tone="bad">{failure.server}</Notice>}
        {failure !== null && 'wallet' in failure && (
          <WalletFailure problem={failure.wallet} again={() => void sign()} />
        )}
      </div>
    </Sheet>
  );
}

function useSigning({ mandateId, typedData }: ToSign, onSigned: () => void) {
  const queries = useQueryClient();
  const { account } = useSession();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const sign = async () => {
    setBusy(true);
    setFailure(await signAndSend());
    setBusy(false);
  };
  const signAndSend = async (): Promise<Failure | null> => {
    const signature = await signAsAccount(account.walletAddress, typedData);
    if (!signature.ok) return { wallet: signature.error };
    const body = { mandateId, signature: signature.value };
    const answer = await call('POST /api/mandates/intent/sign', { body });
    if (!answer.ok) return { server: problemText(answer.error) };
    showToast({ tone: 'ok', text: 'Signed. Your agent can pay within these limits.' });
    void refresh(queries, '/api/mandates', '/api/overview');
    onSigned();
    return null;
  };
  return { busy, failure, sign };
}
