import type { KeyObject } from 'node:crypto';
import { beforeFirst, isSigned, linkProblem, readRecord } from '../chain-check.ts';
import { rootFromInclusion } from '../proof.ts';
import { leafHash } from '../tree-hash.ts';
import type { LogState } from './log-state.ts';

/** Verdict about one record, as the API answers it (spec: vault.audit). */
export type RecordVerification = {
  readonly auditId: string;
  readonly signatureValid: boolean;
  readonly chainHashValid: boolean;
  readonly merklePathValid: boolean;
};

type Subject = {
  readonly tenantId: string;
  readonly auditId: string;
  readonly leaf: number;
  readonly state: LogState;
  /** The newest key of the log. */
  readonly key: KeyObject;
  /** The text of a leaf as it is on disk now. */
  readonly textAt: (leaf: number) => string;
};

/** Checks a record as it is on disk now: by its signature, by its chain from the start, by its path to the root. */
export async function verifyRecord(subject: Subject): Promise<RecordVerification> {
  const { auditId, leaf, state, key, textAt } = subject;
  const text = textAt(leaf);
  const record = readRecord(text)?.record;
  const { size } = state.tree;
  const root = rootFromInclusion(leafHash(text), leaf, size, state.tree.inclusionProof(leaf, size));
  return {
    auditId,
    signatureValid: record?.auditId === auditId && isSigned(record, state.keyAt(leaf, key)),
    chainHashValid: await isChained(subject),
    merklePathValid: root !== null && state.tree.root(size).equals(root),
  };
}

async function isChained({ tenantId, leaf, state, textAt }: Subject): Promise<boolean> {
  let before = beforeFirst(tenantId);
  for (const at of state.index.leavesOf(tenantId)) {
    const sealed = readRecord(textAt(at));
    if (sealed?.record.leafIndex !== at || linkProblem(sealed, before) !== null) return false;
    if (at === leaf) return true;
    before = sealed.record;
    // A long chain leaves time for other work.
    if (before.seq % 256 === 0) await new Promise(setImmediate);
  }
  return false;
}
