import type { SweepAuthorization } from '@countersign/protocol/gateway/sweep';
import {
  type Amount,
  formatAmount,
  fromBaseUnits,
  parseAmount,
  toBaseUnits,
} from '@countersign/protocol/decimal';
import { moneyText } from '../ui/money.tsx';

/** Circle's, on every chain. */
const decimals = 6;

/** Returns one word of calldata. */
const word = (value: bigint): string => value.toString(16).padStart(64, '0');

/** ERC-20 `transfer(address,uint256)` as calldata. */
export const transferData = (to: `0x${string}`, units: bigint): string =>
  `0xa9059cbb${word(BigInt(to))}${word(units)}`;

/** EIP-3009 `transferWithAuthorization` with v, r and s, as calldata; valid from the beginning of time. */
export function authorizedTransferData(given: SweepAuthorization): string {
  const { from, to, value, validBefore, nonce, signature } = given;
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
  const terms = [BigInt(from), BigInt(to), BigInt(value), 0n, BigInt(validBefore)].map(word).join('');
  return `0xe3ee160e${terms}${nonce.slice(2)}${word(BigInt(`0x${v}`))}${r}${s}`;
}

/** ERC-20 `balanceOf(address)` as calldata. */
export const balanceData = (of: `0x${string}`): string => `0x70a08231${word(BigInt(of))}`;

/** The amount that a node answered to `balanceOf`; null for what is no uint256, as where there is no such contract. */
export function readBalance(answer: unknown): Amount | null {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/i.test(answer)) return null;
  return fromBaseUnits(BigInt(answer), decimals);
}

/** Units of the token as decimal text, exactly. */
export const usdcText = (units: bigint): string => formatAmount(fromBaseUnits(units, decimals));

/** Parses an amount to send, in base units of the token; returns what is wrong with it. */
export function readSent(
  text: string,
  held: Amount | null,
): { readonly units: bigint } | { readonly fault: string } {
  const amount = parseAmount(text.trim());
  if (amount === null) return { fault: 'Enter an amount, such as 12.50.' };
  if (amount === 0n) return { fault: 'Enter an amount above zero.' };
  const units = toBaseUnits(amount, decimals);
  if (units === null) return { fault: 'USDC has six digits after the point at most.' };
  if (held !== null && amount > held)
    return { fault: `More than your wallet holds (${moneyText(formatAmount(held))} USDC).` };
  return { units };
}
