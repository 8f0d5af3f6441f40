import { createHash } from 'node:crypto';

/** RFC 6962, 2.1, word by word: slow, and sharing no line with the tree it judges. */
const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

const split = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

export function mth(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), first);
  const k = split(leaves.length);
  return sha256(Buffer.of(1), mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

export function path(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m < k ? [...path(m, left), mth(right)] : [...path(m - k, right), mth(left)];
}

export const proof = (m: number, leaves: readonly Buffer[]): Buffer[] => subproof(m, leaves, true);

function subproof(m: number, leaves: readonly Buffer[], isKnown: boolean): Buffer[] {
  if (m === leaves.length) return isKnown ? [] : [mth(leaves)];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m <= k ? [...subproof(m, left, isKnown), mth(right)] : [...subproof(m - k, right, false), mth(left)];
}
