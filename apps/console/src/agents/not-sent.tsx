import { Notice } from '../ui/notice.tsx';
import { problemText } from '../api/problem.ts';
import type { WalletProblem } from '../wallet/problem.ts';
import { WalletFailure } from '../wallet/wallet-failure.tsx';
import type { TransferProblem } from './transfer.ts';

type Props<P> = { readonly problem: P; readonly again: () => void };

/** Why nothing was sent, or that the wallet did not say whether it sent it. */
export function NotSent({ problem, again }: Props<TransferProblem>) {
  switch (problem.from) {
    case 'agent':
      return <Notice tone="bad">This agent is no longer active. Nothing was sent.</Notice>;
    case 'expired':
      return <Notice tone="bad">This has expired: run the command again. Nothing was sent.</Notice>;
    case 'server':
      return <Notice tone="bad">{problemText(problem.problem)} Nothing was sent.</Notice>;
    case 'wallet':
      return <NotByWallet problem={problem.problem} again={again} />;
  }
}

function NotByWallet({ problem, again }: Props<WalletProblem>) {
  switch (problem.kind) {
    case 'rejected':
      return <Notice tone="bad">You declined in your wallet. Nothing was sent.</Notice>;
    case 'failed':
      return (
        <Notice tone="bad">
          Your wallet did not confirm that it sent this. Check its activity before you try again, so that you
          do not send twice.
        </Notice>
      );
    case 'unsupported':
      return <Notice tone="bad">This wallet cannot send money from here. Nothing was sent.</Notice>;
    case 'busy':
    case 'no-wallet':
    case 'wrong-chain':
    case 'unknown-chain':
    case 'other-account':
      return <WalletFailure problem={problem} again={again} />;
  }
}
