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
  const change = async () => {
    const wallet = walletOfSession();
    if (wallet !== null) await switchChain(wallet.provider, problem.wanted);
    again();
  };
  return (
    <Notice tone="warn">
      <p>{walletProblemText(problem)}</p>
      <Button className="mt-2.5" onClick={() => void change()}>
        Switch to {chainName(problem.wanted)}
      </Button>
    </Notice>
  );
}
