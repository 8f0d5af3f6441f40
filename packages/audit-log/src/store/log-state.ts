import type { KeyObject } from 'node:crypto';
import { beforeFirst } from '../chain-check.ts';
import { MerkleTree } from '../merkle-tree.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Rotation } from '../rotation.ts';
import type { Place } from './frame.ts';
import { QueryIndex } from './query-index.ts';

/** The end of a tenant's chain. */
export type ChainEnd = Pick<AuditRecord, 'tenantId' | 'seq' | 'leafIndex' | 'chainHash'>;

/**
 * The state that follows from the records on disk. INVARIANT: records still being written do not count, so
 * that nothing is answered that a crash could undo.
 */
export class LogState {
  readonly tree = new MerkleTree();
  readonly index = new QueryIndex();
  readonly ends = new Map<string, ChainEnd>();
  /** Keys that came after the log's first one, the leaf from which each signs, and the last of those that tell so. */
  readonly #rotations: (Rotation & { readonly from: number; to: number })[] = [];

  /** Returns the end of the tenant's chain, to which its next record is chained. */
  endOf(tenantId: string): ChainEnd {
    return this.ends.get(tenantId) ?? beforeFirst(tenantId);
  }

  add(record: AuditRecord, leaf: Uint8Array, place: Place): void {
    const { tenantId, seq, leafIndex, chainHash } = record;
    this.tree.append(leaf);
    this.index.add(record, place);
    this.ends.set(tenantId, { tenantId, seq, leafIndex, chainHash });
  }

  /** All tenants go over at once, in leaves that follow each other. */
  noteRotation(rotation: Rotation, leaf: number): void {
    const last = this.#rotations.at(-1);
    if (last?.key.equals(rotation.key) !== true) this.#rotations.push({ ...rotation, from: leaf, to: leaf });
    else if (leaf === last.to + 1) last.to = leaf;
  }

  /** The leaves of a tenant that tell of a change of keys. */
  rotationsOf(tenantId: string): number[] {
    const leaves = this.index.leavesOf(tenantId);
    return this.#rotations.flatMap(({ from, to }) => leaves.find((at) => at >= from && at <= to) ?? []);
  }

  /** The key that signed this leaf; `current` is the newest. */
  keyAt(leaf: number, current: KeyObject): KeyObject {
    const rotation = this.#rotations.findLast(({ from }) => from <= leaf);
    return rotation?.key ?? this.#rotations[0]?.previousKey ?? current;
  }
}
