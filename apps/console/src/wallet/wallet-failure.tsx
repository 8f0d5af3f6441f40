import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { chainName } from './chains.ts';
import { type WalletProblem, walletProblemText } from './problem.ts';
import { switchChain } from './requests.ts';
import { walletOfSession } from './sign.ts';

type Props = {
  readonly problem: WalletProblem;
  /** Does what failed once more. */
  readonly again: () => void;
};

/** Why the wallet did not sign, and the way on where there is one. */
export function WalletFailure({ problem, again }: Props) {
  if (problem.kind !== 'wrong-chain') return <Notice tone="bad">{walletProblemText(problem)}</Notice>;
  return <Switch problem={problem} again={again} />;
}

type SwitchProps = Props & { readonly problem: Extract<WalletProblem, { readonly kind: 'wrong-chain' }> };

/** Asks the wallet once, however often it is pressed, and does nothing more once it is gone from the page. */
function Switch({ problem, again }: SwitchProps) {
  const [busy, setBusy] = useState(false);
  const asked = useRef(false);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const change = async () => {
    if (asked.current) return;
    asked.current = true;
    setBusy(true);
    const wallet = walletOfSession();
    if (wallet !== null) await switchChain(wallet.provider, problem.wanted);
    asked.current = false;
    setBusy(false);
    if (shown.current) again();
  };
  return (
    <Notice tone="warn">
      <p>{walletProblemText(problem)}</p>
      <Button className="mt-2.5" busy={busy} onClick={() => void change()}>
        Switch to {chainName(problem.wanted)}
      </Button>
    </Notice>
  );
}
