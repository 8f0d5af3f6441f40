import { fail, ok, type Result } from '@countersign/protocol/result';
import { call } from '../api/call.ts';
import type { Problem } from '../api/problem.ts';
import type { WalletProblem } from '../wallet/problem.ts';
import { connect, requireChain, signText } from '../wallet/requests.ts';
import type { Wallet } from '../wallet/wallets.ts';
import { rememberSession } from './memory.ts';

export type SignInProblem =
  | { readonly from: 'wallet'; readonly problem: WalletProblem }
  | { readonly from: 'server'; readonly problem: Problem };

/** The statement that the owner reads in the wallet. */
const statement = 'Sign in to Countersign. This costs nothing and moves no money.';

/** Signs in with a wallet (EIP-4361): its account, the right chain, one signature. */
export async function signIn(wallet: Wallet, now: Date): Promise<Result<null, SignInProblem>> {
  const { provider } = wallet;
  const account = await connect(provider);
  if (!account.ok) return fail({ from: 'wallet', problem: account.error });
  const proof = await signMessage({ provider, account: account.value, statement, now });
  if (!proof.ok) return proof;
  const session = await call('POST /api/auth/login', { body: proof.value });
  if (!session.ok) return fail({ from: 'server', problem: session.error });
  rememberSession(session.value.expiresAt, wallet.id);
  return ok(null);
}

type Asking = {
  readonly provider: Wallet['provider'];
  readonly account: string;
  readonly statement: string;
  readonly now: Date;
};

/** A message (EIP-4361) as text, and the signature of it. */
export type SignedMessage = { readonly message: string; readonly signature: string };

/** A fresh message (EIP-4361) of this account that says just this, and its wallet's signature. It counts once. */
export async function signMessage({
  provider,
  account,
  statement,
  now,
}: Asking): Promise<Result<SignedMessage, SignInProblem>> {
  const terms = await call('POST /api/auth/nonce', {});
  if (!terms.ok) return fail({ from: 'server', problem: terms.error });
  const { nonce, chainId } = terms.value;
  const chain = await requireChain(provider, chainId);
  if (!chain.ok) return fail({ from: 'wallet', problem: chain.error });

  const { signInMessage } = await import('./sign-in-message.ts');
  const { host, origin } = window.location;
  const message = signInMessage({ account, host, origin, chainId, nonce, statement, now });
  const signature = await signText(provider, account, message);
  return signature.ok
    ? ok({ message, signature: signature.value })
    : fail({ from: 'wallet', problem: signature.error });
}
