import type { KeyObject } from 'node:crypto';
import { beforeFirst } from '../chain-check.ts';
import { MerkleTree } from '../merkle-tree.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Rotation } from '../rotation.ts';
import type { Place } from './frame.ts';
import { QueryIndex } from './query-index.ts';

/** The end of a tenant's chain. */
export type ChainEnd = Pick<AuditRecord, 'tenantId' | 'seq' | 'leafIndex' | 'chainHash'>;

/** What is known of the records on disk, and nothing of those that are not yet there. */
export class LogState {
  readonly tree = new MerkleTree();
  readonly index = new QueryIndex();
  readonly ends = new Map<string, ChainEnd>();
  /** Keys that came after the log's first one, and the leaf from which each signs. */
  readonly #rotations: (Rotation & { readonly from: number })[] = [];

  /** Where the tenant's next record is chained to. */
  endOf(tenantId: string): ChainEnd {
    return this.ends.get(tenantId) ?? beforeFirst(tenantId);
  }

  add(record: AuditRecord, leaf: Uint8Array, place: Place): void {
    const { tenantId, seq, leafIndex, chainHash } = record;
    this.tree.append(leaf);
    this.index.add(record, place);
    this.ends.set(tenantId, { tenantId, seq, leafIndex, chainHash });
  }

  /** All tenants go over at once, so only the first record of it counts. */
  noteRotation(rotation: Rotation, leaf: number): void {
    if (this.#rotations.at(-1)?.key.equals(rotation.key) !== true)
      this.#rotations.push({ ...rotation, from: leaf });
  }

  /** The key that signed this leaf; `current` is the newest. */
  keyAt(leaf: number, current: KeyObject): KeyObject {
    const rotation = this.#rotations.findLast(({ from }) => from <= leaf);
    return rotation?.key ?? this.#rotations[0]?.previousKey ?? current;
  }
}
