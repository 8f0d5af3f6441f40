import {
  exactProxyAddress,
  gasSponsoring,
  type Permit2Authorization,
  permit2Address,
  type SponsoredApproval,
  uptoProxyAddress,
} from '@countersign/protocol/gateway/permit2';
import type { Wallet } from '../ports/wallet.ts';
import type { Demand } from '../rules/demand.ts';
import { hashApprovalOfPermit2, hashPermit2 } from './authorization.ts';

/** What a payment by Permit2 sends: its signed payload, and the approval beside it where the service brings that on chain. */
export type Permitted = {
  readonly payload: { readonly signature: string; readonly permit2Authorization: Permit2Authorization };
  readonly info: { readonly [gasSponsoring]?: SponsoredApproval };
};

type About = {
  /** The payment's, 32 bytes as hex. */
  readonly nonce: string;
  /** Unix seconds; from then on it cannot settle. */
  readonly validBefore: number;
  /** Of the wallet's next EIP-2612 approval; null where none is signed. */
  readonly approvalNonce: bigint | null;
};

/**
 * Signs for Permit2 what was judged, and nothing wider: the proxy of x402 as spender, token and amount of the price, its payee as
 * witness. The approval is of exactly the amount.
 */
export function signPermitted(
  wallet: Wallet,
  demand: Demand,
  { nonce, validBefore, approvalNonce }: About,
): Permitted {
  const { by, token, units, payTo: to } = demand;
  // Permit2 and EIP-2612 still take what comes in the second of the deadline; EIP-3009 does not.
  const deadline = String(validBefore - 1);
  const permit2Authorization: Permit2Authorization = {
    from: wallet.address,
    permitted: { token: token.address, amount: units.toString() },
    spender: by.kind === 'upto' ? uptoProxyAddress : exactProxyAddress,
    nonce: BigInt(nonce).toString(),
    deadline,
    witness: { to, ...(by.kind === 'upto' && { facilitator: by.facilitator }), validAfter: '0' },
  };
  const signature = wallet.sign(hashPermit2(permit2Authorization, token.chainId));
  return {
    payload: { signature, permit2Authorization },
    info: approvalNonce === null ? {} : sponsored(wallet, demand, approvalNonce, deadline),
  };
}

function sponsored(
  wallet: Wallet,
  { token, units }: Demand,
  nonce: bigint,
  deadline: string,
): Permitted['info'] {
  const approval = { owner: wallet.address, value: units, nonce, deadline: BigInt(deadline) };
  const info: SponsoredApproval = {
    from: wallet.address,
    asset: token.address,
    spender: permit2Address,
    amount: units.toString(),
    nonce: nonce.toString(),
    deadline,
    signature: wallet.sign(hashApprovalOfPermit2(token, approval)),
    version: '1',
  };
  return { [gasSponsoring]: info };
}
