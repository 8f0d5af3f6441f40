import type { Address } from '@countersign/protocol/address';
import { type PayeeClaim, payeeClaimTypedData } from '@countersign/protocol/dashboard/payee-claim';
import { ok, type Result } from '@countersign/protocol/result';
import type { WalletProblem } from '../wallet/problem.ts';
import { signAsAccount } from '../wallet/sign.ts';

/** A payout address that has signed for this account. */
export type Claimed = { readonly address: Address; readonly issuedAt: string; readonly signature: string };

/** Has the wallet sign for a payout address, which it must stand at. The server judges the address and the signature. */
export async function signClaim(
  { account, address, domain }: Omit<PayeeClaim, 'issuedAt' | 'address'> & { readonly address: string },
  now: Date,
): Promise<Result<Claimed, WalletProblem>> {
  const claim = { account, address: address as Address, domain, issuedAt: now.toISOString() };
  const signed = await signAsAccount(address, payeeClaimTypedData(claim));
  return signed.ok
    ? ok({ address: claim.address, issuedAt: claim.issuedAt, signature: signed.value })
    : signed;
}
