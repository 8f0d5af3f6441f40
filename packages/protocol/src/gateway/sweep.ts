import { z } from 'zod';
import { addressText } from '../address.ts';

/**
 * Returns whether the token's contract can represent the amount: a number of 78 digits may exceed uint256.
 */
const isUint256 = (digits: string): boolean => /^\d+$/.test(digits) && BigInt(digits) < 2n ** 256n;

const sweepAuthorization = z.object({
  chainId: z.number().int().positive(),
  usdc: addressText,
  from: addressText,
  to: addressText,
  /** Token base units, decimal text. */
  value: z
    .string()
    .regex(/^[1-9]\d{0,77}$/)
    .refine(isUint256),
  /** Unix seconds, decimal text. */
  validBefore: z.string().regex(/^\d{1,15}$/),
  nonce: z.string().regex(/^0x[0-9a-f]{64}$/),
  /** 65 bytes: r, s, v. */
  signature: z.string().regex(/^0x[0-9a-f]{130}$/),
});
/**
 * An agent wallet's EIP-3009 `TransferWithAuthorization` to its owner, valid from the beginning of time (`validAfter` is
 * 0). Whoever sees it can do no more than send the owner this money.
 */
export type SweepAuthorization = z.infer<typeof sweepAuthorization>;

const prefix = 'csw_';

/** Returns the authorization as one word to copy: `csw_` and its JSON in base64. */
export const sweepText = (authorization: SweepAuthorization): string =>
  prefix + btoa(JSON.stringify(authorization));

/** Null for what is no such word, or not the whole of it. */
export function readSweep(text: string): SweepAuthorization | null {
  const word = text.trim();
  if (!word.startsWith(prefix) || word.length > 2000) return null;
  try {
    return sweepAuthorization.parse(JSON.parse(atob(word.slice(prefix.length))));
  } catch {
    return null;
  }
}
