import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as reference from '../test/reference-tree.ts';
import { MerkleTree } from './merkle-tree.ts';
import { isConsistent, rootFromInclusion } from './proof.ts';
import { leafHash } from './tree-hash.ts';

const leavesOf = (count: number) => Array.from({ length: count }, (_, i) => Buffer.from(`leaf ${i}`));

function treeOf(leaves: readonly Uint8Array[]): MerkleTree {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  return tree;
}
const hexOf = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

const maxSize = 300;
const leaves = leavesOf(maxSize);
const tree = treeOf(leaves);
const roots = Array.from({ length: maxSize + 1 }, (_, size) => tree.root(size));
const twoSizes = fc
  .tuple(fc.integer({ min: 1, max: maxSize }), fc.integer({ min: 1, max: maxSize }))
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const leafAndSize = twoSizes.map(({ from, to }) => ({ index: from - 1, size: to }));

describe('the tree is the recursive definition of RFC 6962', () => {
  test('at every size the root [vault.audit.tree.leaf]', () => {
    for (let size = 0; size <= maxSize; size += 1)
      expect(tree.root(size)).toEqual(reference.mth(leaves.slice(0, size)));
  });

  test('inclusion proofs', () => {
    fc.assert(
      fc.property(leafAndSize, ({ index, size }) => {
        const expected = reference.path(index, leaves.slice(0, size));
        expect(hexOf(tree.inclusionProof(index, size))).toEqual(hexOf(expected));
      }),
    );
  });

  test('consistency proofs', () => {
    fc.assert(
      fc.property(twoSizes, ({ from, to }) => {
        const expected = reference.proof(from, leaves.slice(0, to));
        expect(hexOf(tree.consistencyProof(from, to))).toEqual(hexOf(expected));
      }),
    );
  });

  test.each([
    [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ])('%i leaves of the test data that Certificate Transparency logs share', (size, root) => {
    const shared = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const tree = treeOf(shared.map((hex) => Buffer.from(hex, 'hex')));
    expect(tree.root(size).toString('hex')).toBe(root);
  });
});

describe('a proof', () => {
  test('of inclusion leads to the root, and with any other leaf, place or hash does not', () => {
    fc.assert(
      fc.property(leafAndSize, fc.nat(), ({ index, size }, salt) => {
        const path = tree.inclusionProof(index, size);
        const leads = (leaf: Uint8Array, at: number, in_: number, by: readonly Buffer[]) => {
          const root = rootFromInclusion(leaf, at, in_, by);
          return root !== null && roots[size]?.equals(root) === true;
        };
        const leaf = leafHash(leaves[index] ?? '');
        expect(leads(leaf, index, size, path)).toBe(true);
        expect(leads(leafHash('another'), index, size, path)).toBe(false);
        expect(leads(leaf, size, size, path)).toBe(false);
        expect(leads(leaf, index, size, [...path, leaf])).toBe(false);
        if (path.length === 0) return;
        expect(leads(leaf, (index + 1 + (salt % (size - 1))) % size, size, path)).toBe(false);
        expect(leads(leaf, index, size, path.slice(1))).toBe(false);
        expect(leads(leaf, index, size, flippedIn(path, salt))).toBe(false);
      }),
    );
  });

  test('of consistency joins two roots, and no others', () => {
    fc.assert(
      fc.property(twoSizes, fc.nat(), ({ from, to }, salt) => {
        const head = (size: number) => ({ size, root: roots[size] ?? Buffer.alloc(32) });
        const path = tree.consistencyProof(from, to);
        expect(isConsistent(head(from), head(to), path)).toBe(true);
        expect(isConsistent({ size: from, root: leafHash('fork') }, head(to), path)).toBe(false);
        expect(isConsistent(head(from), { size: to, root: leafHash('fork') }, path)).toBe(false);
        expect(isConsistent(head(from), head(to), [...path, leafHash('more')])).toBe(false);
        if (from === to) return;
        expect(isConsistent(head(to), head(from), path)).toBe(false);
        expect(isConsistent(head(from), head(to), path.slice(1))).toBe(false);
        expect(isConsistent(head(from), head(to), flippedIn(path, salt))).toBe(false);
      }),
    );
  });

  test('from the empty tree is empty, and only from its one root', () => {
    const head = { size: 9, root: roots[9] ?? Buffer.alloc(0) };
    expect(isConsistent({ size: 0, root: roots[0] ?? Buffer.alloc(0) }, head, [])).toBe(true);
    expect(isConsistent({ size: 0, root: leafHash('') }, head, [])).toBe(false);
  });
});

test('a size or leaf that is not in the tree is refused', () => {
  expect(() => tree.root(maxSize + 1)).toThrow(RangeError);
  expect(() => tree.inclusionProof(5, 5)).toThrow(RangeError);
  expect(() => tree.consistencyProof(6, 5)).toThrow(RangeError);
  expect(() => tree.hashesAt(0, maxSize, 1)).toThrow(RangeError);
});

function flippedIn(path: readonly Buffer[], salt: number): Buffer[] {
  const at = salt % path.length;
  return path.map((hash, i) => {
    const copy = Buffer.from(hash);
    if (i === at) copy[salt % 32] = (copy[salt % 32] ?? 0) ^ 1;
    return copy;
  });
}
