import type { Anchor } from '../anchored.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { isConsistent } from '../proof.ts';
import { type Step, step } from './report.ts';

/**
 * Returns whether a checkpoint's tree continues the one whose root is said to be on chain. That it is there,
 * only the chain tells.
 */
export function anchorStep(anchor: Anchor, head: Checkpoint): Step {
  const anchored = { size: anchor.size, root: bytesOf(anchor.root) };
  const path = anchor.consistency.map((hash) => Buffer.from(hash, 'hex'));
  const isOfLog = bytesOf(anchor.logId).equals(logIdOf(head.origin));
  return step(
    isOfLog && isConsistent(anchored, head, path),
    `the tree continues the one of ${anchor.size} records whose root is said to be on chain, in transaction ${anchor.transactionHash}`,
    'the root that is said to be on chain is not of the same tree',
  );
}

/** Returns the head that the chain must have: the anchor's, or the checkpoint's if there is no anchor. */
export const anchoredHead = (anchor: Anchor | null, head: Checkpoint): Checkpoint =>
  anchor === null ? head : { origin: head.origin, size: anchor.size, root: bytesOf(anchor.root) };

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
