import { fail, ok, type Result } from '@countersign/protocol/result';
import { hashMessage } from '@countersign/service/ethereum/message';
import { type ContractSigned, findSigner } from '@countersign/service/ethereum/wallet-signature';
import type { Pool } from '@countersign/service/sql';
import { findAccount } from '../accounts/store.ts';
import { type LoginMessage, type LoginRules, readLoginMessage, whyNotAcceptable } from './siwe.ts';
import { burnNonce } from './store.ts';
import { askedAbout } from './wallet-signature.ts';

export type ProofParts = {
  readonly pool: Pool;
  readonly rules: LoginRules;
  /** Null: wallets that are contracts cannot sign. */
  readonly contractSigned: ContractSigned | null;
  readonly now: () => Date;
};

/** A message of a wallet that was signed just now, for this site. */
type Proof = {
  readonly message: LoginMessage;
  /** Null for a wallet that is a contract. */
  readonly publicKey: string | null;
};

/**
 * Returns whether its wallet signed this EIP-4361 message, for us and now; or why it counts for nothing. It
 * counts once.
 */
export async function proveWallet(
  parts: ProofParts,
  { message: text, signature }: { readonly message: string; readonly signature: string },
): Promise<Result<Proof, string>> {
  const { pool, rules, contractSigned, now } = parts;
  const message = readLoginMessage(text);
  if (message === null) return fail('the message is not an EIP-4361 message in canonical form');
  // Burnt before anything else is looked at: a message gets one try, whatever becomes of it.
  if (!(await burnNonce(pool, message.nonce, now())))
    return fail('the nonce is unknown, already used or too old');
  const why = whyNotAcceptable(message, rules, now());
  if (why !== null) return fail(why);
  const known = await findAccount(pool, message.address);
  if (known !== null && known.closedAt !== null) return fail(closed);
  const asked = askedAbout(known?.publicKey ?? null, contractSigned);
  const signer = await findSigner([message.address], hashMessage(text), signature, asked);
  return signer === null ? fail(whyUnsigned(contractSigned)) : ok({ message, publicKey: signer.publicKey });
}

/** The message for an account that its recovery address has recovered. */
export const closed = 'the account was recovered by its recovery address and is closed for good';

const whyUnsigned = (contractSigned: ContractSigned | null): string => {
  const why = 'the signature was not made by this wallet';
  return contractSigned === null ? `${why} (one that is a contract needs EVM_RPC_URL)` : why;
};
