import { chainName } from './chains.ts';

/** Why the wallet did not do what it was asked. Every one of these is an ordinary day. */
export type WalletProblem =
  | { readonly kind: 'rejected' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'no-wallet' }
  | { readonly kind: 'wrong-chain'; readonly wanted: number; readonly actual: number }
  | { readonly kind: 'unknown-chain'; readonly wanted: number }
  | { readonly kind: 'other-account'; readonly wanted: string; readonly actual: string | null }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed' };

/** Returns what happened and what to do. It never includes the wallet's own text. */
export function walletProblemText(problem: WalletProblem): string {
  switch (problem.kind) {
    case 'rejected':
      return 'You declined in your wallet. Nothing was signed.';
    case 'busy':
      return 'Your wallet is waiting for you. Open it and respond to the request.';
    case 'no-wallet':
      return 'This account’s wallet is not available in this browser. Unlock or install it, then reload the page.';
    case 'wrong-chain':
      return `Your wallet is on ${chainName(problem.actual)}. Switch it to ${chainName(problem.wanted)}.`;
    case 'unknown-chain':
      return `Your wallet does not know ${chainName(problem.wanted)}. Add this network to it, then try again.`;
    case 'other-account':
      return `Select ${short(problem.wanted)} in your wallet. It is currently set to ${short(problem.actual)}.`;
    case 'unsupported':
      return 'This wallet cannot do this. Use another wallet.';
    case 'failed':
      return 'Your wallet could not complete this. Try again, or use another wallet.';
  }
}

const short = (address: string | null): string =>
  address === null ? 'no account' : `${address.slice(0, 6)}…${address.slice(-4)}`;
