import { emptyRoot, nodeHash, splitOf } from './tree-hash.ts';

/** Heights whose nodes are kept: every fourth. Those between are made again, from at most 16 hashes. */
const step = 4;
const perStep = 2 ** step;

/**
 * The Merkle tree of RFC 6962 that only grows. It keeps 34 bytes a leaf; a proof at 10 million leaves takes some
 * dozens of hashes. Sizes that are not there are the caller's bug, and throw.
 */
export class MerkleTree {
  /** The roots of complete subtrees, left to right, by height divided by `step`. */
  readonly #kept: HashColumn[] = [new HashColumn()];

  get size(): number {
    return this.#kept[0]?.length ?? 0;
  }

  append(leaf: Uint8Array): void {
    for (let level = 0, hash = leaf; ; level += 1) {
      const column = (this.#kept[level] ??= new HashColumn());
      column.push(hash);
      if (column.length % perStep !== 0) return;
      hash = this.#made(level * step + step, column.length / perStep - 1);
    }
  }

  /** The root of the first `size` leaves. */
  root(size = this.size): Buffer {
    this.#assertHas(size);
    return size === 0 ? emptyRoot : this.#range(0, size);
  }

  /** PATH(m, D[n]) of RFC 6962, 2.1.1: from the leaf's sibling up. */
  inclusionProof(index: number, size = this.size): Buffer[] {
    this.#assertHas(size);
    if (index < 0 || index >= size) throw new RangeError(`leaf ${index} is not among the first ${size}`);
    const path: Buffer[] = [];
    for (let [begin, end] = [0, size]; end - begin > 1; ) {
      const middle = begin + splitOf(end - begin);
      path.push(index < middle ? this.#range(middle, end) : this.#range(begin, middle));
      if (index < middle) end = middle;
      else begin = middle;
    }
    return path.reverse();
  }

  /** PROOF(m, D[n]) of RFC 6962, 2.1.2: that the first `from` leaves are a prefix of the first `to`. */
  consistencyProof(from: number, to = this.size): Buffer[] {
    this.#assertHas(to);
    if (from < 1 || from > to) throw new RangeError(`a proof from ${from} to ${to} leaves is none`);
    const path: Buffer[] = [];
    let [begin, end] = [0, to];
    while (end !== from) {
      const middle = begin + splitOf(end - begin);
      path.push(from <= middle ? this.#range(middle, end) : this.#range(begin, middle));
      if (from <= middle) end = middle;
      else begin = middle;
    }
    // The part that both trees share is known to the reader only if it is the whole smaller tree.
    if (begin > 0) path.push(this.#range(begin, end));
    return path.reverse();
  }

  /** So many hashes at a height, beginning with the first-th, one after another: what a tile holds. */
  hashesAt(height: number, first: number, count: number): Buffer {
    return Buffer.concat(Array.from({ length: count }, (_, i) => this.#node(height, first + i)));
  }

  /** MTH(D[begin:end]), where `begin` is a multiple of the smallest power of two that is not less than the length. */
  #range(begin: number, end: number): Buffer {
    const length = end - begin;
    if (length === 1) return this.#node(0, begin);
    const split = splitOf(length);
    if (split * 2 === length) return this.#node(Math.log2(length), begin / length);
    return nodeHash(this.#range(begin, begin + split), this.#range(begin + split, end));
  }

  /** The root of the complete subtree of 2^height leaves at this place among its like. */
  #node(height: number, index: number): Buffer {
    const kept = height % step === 0 ? this.#kept[height / step]?.at(index) : undefined;
    return kept ?? this.#made(height, index);
  }

  #made(height: number, index: number): Buffer {
    if (height === 0) throw new RangeError(`leaf ${index} is not in the tree`);
    return nodeHash(this.#node(height - 1, index * 2), this.#node(height - 1, index * 2 + 1));
  }

  #assertHas(size: number): void {
    if (size < 0 || size > this.size) throw new RangeError(`the tree has ${this.size} leaves, not ${size}`);
  }
}

const hashBytes = 32;
const perBlock = 32_768;

/** Hashes one after another, in blocks that never move. */
class HashColumn {
  length = 0;
  readonly #blocks: Buffer[] = [];

  push(hash: Uint8Array): void {
    const place = this.length % perBlock;
    if (place === 0) this.#blocks.push(Buffer.allocUnsafeSlow(perBlock * hashBytes));
    this.#blocks.at(-1)?.set(hash, place * hashBytes);
    this.length += 1;
  }

  at(index: number): Buffer | undefined {
    if (index >= this.length) return undefined;
    const place = (index % perBlock) * hashBytes;
    return this.#blocks[Math.floor(index / perBlock)]?.subarray(place, place + hashBytes);
  }
}
