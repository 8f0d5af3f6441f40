import type { Tee } from '@countersign/protocol/vault/audit-record';
import type { AnchorChain } from './anchor-chain.ts';

/** The log whose roots are published, wherever it is kept. Both reject when it cannot be asked. */
export type AnchoredLog = {
  readonly head: () => Promise<{ readonly size: number; readonly root: Buffer }>;
  /** The root at a size; null when the log never was so large. */
  readonly rootAt: (size: number) => Promise<Buffer | null>;
};

export type Round =
  /** The chain has the newest root; `transactionHash` when this round published it. */
  | { readonly kind: 'anchored'; readonly size: number; readonly transactionHash: string | null }
  /** The chain has a root that is not of this log: someone else publishes, or the log was rolled back. */
  | { readonly kind: 'diverged'; readonly reason: string };

/** `flags` of a log. */
export const anchorFlags = ({ trust }: Tee): number => (trust === 'simulated' ? 1 : 0);

/**
 * Brings the newest root on chain if it is not there. It goes by what the chain says now, and remembers nothing: a
 * root that a reorganisation took away is published again, and one that was mined after all is not. Rejects when log
 * or chain cannot be asked, or the root was not mined; then try again.
 */
export async function publishRound(
  log: AnchoredLog,
  chain: AnchorChain,
  about: { readonly logId: Buffer; readonly flags: number },
  attempt: number,
): Promise<Round> {
  const latest = await chain.latest(about.logId);
  const { size, root } = await log.head();
  const known = latest === null ? null : await log.rootAt(latest.size);
  if (latest !== null && known?.equals(latest.root) !== true) {
    const reason =
      known === null
        ? `the chain has a root of ${latest.size} records, the log only ${size}`
        : `the chain's root of ${latest.size} records is not the log's`;
    return { kind: 'diverged', reason };
  }
  if (size === (latest?.size ?? 0)) return { kind: 'anchored', size, transactionHash: null };
  const prevRoot = latest?.root ?? Buffer.alloc(32);
  const { transactionHash } = await chain.publish({ ...about, size, root, prevRoot }, attempt);
  return { kind: 'anchored', size, transactionHash };
}
