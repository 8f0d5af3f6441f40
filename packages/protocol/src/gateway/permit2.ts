import { z } from 'zod';

/** Uniswap's Permit2: the same address on every chain. */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** The contract of x402 that alone may spend what is signed for `exact` by Permit2 (`x402ExactPermit2Proxy`). */
export const exactProxyAddress = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001';

/** The same for `upto` (`x402UptoPermit2Proxy`). */
export const uptoProxyAddress = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const uint256 = z.string().regex(/^\d{1,78}$/);

/**
 * What is signed for Permit2 (`PermitWitnessTransferFrom`), as x402 sends it: integers as decimal text, `deadline` the last Unix
 * second at which it holds. Of `upto` `amount` is the maximum, and `facilitator` alone says how much of it.
 */
export const permit2Authorization = z.object({
  from: address,
  permitted: z.object({ token: address, amount: uint256 }),
  spender: address,
  nonce: uint256,
  deadline: uint256,
  witness: z.object({ to: address, facilitator: address.optional(), validAfter: uint256 }),
});
export type Permit2Authorization = z.infer<typeof permit2Authorization>;

/** The extension of x402 in which a facilitator brings an EIP-2612 approval of Permit2 on chain, and pays for that. */
export const gasSponsoring = 'eip2612GasSponsoring';

/** An EIP-2612 approval as the extension sends it: integers as decimal text. */
export type SponsoredApproval = {
  readonly from: string;
  readonly asset: string;
  readonly spender: string;
  readonly amount: string;
  readonly nonce: string;
  readonly deadline: string;
  readonly signature: string;
  readonly version: '1';
};
