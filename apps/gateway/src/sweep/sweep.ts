import type { Address } from '@countersign/protocol/address';
import type { SweepAuthorization } from '@countersign/protocol/gateway/sweep';
import { hashAuthorization } from '../payment/authorization.ts';
import type { Wallet } from '../ports/wallet.ts';
import type { Token } from '../rules/tokens.ts';

/** Validity of the owner's authorization, in seconds. */
export const sweepSeconds = 3600;

type Money = { readonly token: Token; readonly units: bigint };

/** The agent wallet's signature that all of this goes to its owner. `now` is Unix ms; `nonce` 32 random bytes. */
export function signSweep(
  wallet: Pick<Wallet, 'address' | 'sign'>,
  owner: Address,
  { token, units }: Money,
  now: number,
  nonce: `0x${string}`,
): SweepAuthorization {
  const authorization = {
    from: wallet.address,
    to: owner,
    value: units.toString(),
    validAfter: '0',
    validBefore: String(Math.floor(now / 1000) + sweepSeconds),
    nonce,
  };
  const signature = wallet.sign(hashAuthorization(authorization, token));
  const { from, to, value, validBefore } = authorization;
  return { chainId: token.chainId, usdc: token.address, from, to, value, validBefore, nonce, signature };
}
