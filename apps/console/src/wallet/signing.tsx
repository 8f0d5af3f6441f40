import { useState } from 'react';
import { type Problem, problemText } from '../api/problem.ts';
import { useSession } from '../session/session.ts';
import { Notice } from '../ui/notice.tsx';
import type { WalletProblem } from './problem.ts';
import { signAsAccount, type TypedData } from './sign.ts';
import { WalletFailure } from './wallet-failure.tsx';

type SigningProblem =
  | { readonly from: 'wallet'; readonly problem: WalletProblem }
  | { readonly from: 'server'; readonly problem: Problem };

/**
 * One signature: asked of the account's wallet over exactly this typed data, then handed to `send`, which gives null or
 * why the server refused it.
 */
export function useSigning(typedData: TypedData, send: (signature: string) => Promise<Problem | null>) {
  const { account } = useSession();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SigningProblem | null>(null);

  const attempt = async (): Promise<SigningProblem | null> => {
    const signature = await signAsAccount(account.walletAddress, typedData);
    if (!signature.ok) return { from: 'wallet', problem: signature.error };
    const refused = await send(signature.value);
    return refused === null ? null : { from: 'server', problem: refused };
  };
  const sign = async () => {
    setBusy(true);
    setFailure(await attempt());
    setBusy(false);
  };
  return { busy, failure, sign };
}

/** Why there is no signature, or why it was not taken. */
export function SigningFailure({ failure, again }: { failure: SigningProblem; again: () => void }) {
  return failure.from === 'wallet' ? (
    <WalletFailure problem={failure.problem} again={again} />
  ) : (
    <Notice tone="bad">{problemText(failure.problem)}</Notice>
  );
}
