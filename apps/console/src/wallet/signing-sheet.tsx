import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { type Problem, problemText } from '../api/problem.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { WalletProblem } from './problem.ts';
import { signAsAccount } from './sign.ts';
import { SignedFields } from './signed-fields.tsx';
import { WalletFailure } from './wallet-failure.tsx';

type Props = ComponentProps<typeof SignedFields> & {
  /** Hands the signature in; null, or why it was not taken. */
  readonly send: (signature: string) => Promise<Problem | null>;
  readonly onClose: () => void;
  /** Shown below the fields: the effect of signing. */
  readonly consequence?: ReactNode;
  /** Shown above the fields. */
  readonly children: ReactNode;
};

/** Shows exactly what will be signed, letter for letter, and asks the account's wallet for that one signature. */
export function SigningSheet({ typedData, words, send, onClose, consequence, children }: Props) {
  const { busy, failure, sign } = useSigning(typedData, send);
  return (
    <Sheet
      title="Review and sign"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" busy={busy} onClick={() => void sign()}>
            {busy ? 'Confirm in your wallet' : 'Sign with wallet'}
          </Button>
        </>
      }
    >
      {children}
      <SignedFields typedData={typedData} words={words} />
      <div className="mt-5 grid gap-3">
        {consequence}
        {failure !== null && <SigningFailure failure={failure} again={() => void sign()} />}
      </div>
    </Sheet>
  );
}

type Failure =
  | { readonly from: 'wallet'; readonly problem: WalletProblem }
  | { readonly from: 'server'; readonly problem: Problem };

function useSigning(typedData: Props['typedData'], send: Props['send']) {
  const { account } = useSession();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const attempt = async (): Promise<Failure | null> => {
    const signature = await signAsAccount(account.walletAddress, typedData);
    if (!signature.ok) return { from: 'wallet', problem: signature.error };
    const refused = await send(signature.value);
    return refused === null ? null : { from: 'server', problem: refused };
  };
  // A wallet that is asked twice at once queues both.
  const asking = useRef(false);
  const sign = async () => {
    if (asking.current) return;
    asking.current = true;
    setBusy(true);
    setFailure(await attempt());
    asking.current = false;
    setBusy(false);
  };
  return { busy, failure, sign };
}

/** Why there is no signature, or why it was not taken. */
function SigningFailure({ failure, again }: { failure: Failure; again: () => void }) {
  return failure.from === 'wallet' ? (
    <WalletFailure problem={failure.problem} again={again} />
  ) : (
    <Notice tone="bad">{problemText(failure.problem)}</Notice>
  );
}
