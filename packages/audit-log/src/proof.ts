import { emptyRoot, nodeHash } from './tree-hash.ts';

type Hash = Uint8Array;

/**
 * The root that an inclusion proof leads to (RFC 9162, 2.1.3.2); null when the proof has not the right length or the
 * leaf is not in a tree of this size. Compare it with a root that is signed.
 */
export function rootFromInclusion(
  leaf: Hash,
  index: number,
  size: number,
  path: readonly Hash[],
): Hash | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  const sides = sidesOf(index, size - 1, path.length);
  return sides === null ? null : climb(leaf, path, sides);
}

export type TreeHead = { readonly size: number; readonly root: Hash };

/**
 * Returns whether the smaller tree is a prefix of the larger (RFC 9162, 2.1.4.2). Trees of equal size need no
 * proof.
 */
export function isConsistent(from: TreeHead, to: TreeHead, path: readonly Hash[]): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return path.length === 0 && same(from.root, to.root);
  if (from.size === 0) return path.length === 0 && same(from.root, emptyRoot);

  // Up to the largest subtree that both trees share; a whole smaller tree is not repeated in the proof.
  let [node, last] = [from.size - 1, to.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [shared, ...rest] = node === 0 ? [from.root, ...path] : path;
  const sides = sidesOf(node, last, rest.length);
  if (shared === undefined || sides === null) return false;

  const inBoth = (_: unknown, i: number): boolean => sides[i] === 'left';
  const smaller = climb(shared, rest.filter(inBoth), sides.filter(inBoth));
  return same(smaller, from.root) && same(climb(shared, rest, sides), to.root);
}

type Side = 'left' | 'right';

/**
 * Returns on which side each hash of a proof is combined, from the node upwards; null if the number of hashes
 * is impossible.
 */
function sidesOf(from: number, lastNode: number, count: number): readonly Side[] | null {
  const sides: Side[] = [];
  for (let [node, last] = [from, lastNode]; last > 0; [node, last] = [half(node), half(last)]) {
    // The right edge has no sibling while it is a left child: it rises alone.
    if (node % 2 === 0 && node === last) continue;
    sides.push(node % 2 === 1 ? 'left' : 'right');
  }
  return sides.length === count ? sides : null;
}

const climb = (from: Hash, path: readonly Hash[], sides: readonly Side[]): Hash =>
  path.reduce(
    (hash, sibling, i) => (sides[i] === 'left' ? nodeHash(sibling, hash) : nodeHash(hash, sibling)),
    from,
  );

const half = (n: number): number => Math.floor(n / 2);
const same = (a: Hash, b: Hash): boolean => Buffer.compare(a, b) === 0;
