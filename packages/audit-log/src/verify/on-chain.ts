import type { AnchorReader } from '../anchor/anchor-chain.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { fails, holds, missing, type Step } from './report.ts';

/** Returns whether the chain has the root of a file. */
export async function checkOnChain(head: Checkpoint | null, chain: AnchorReader): Promise<Step> {
  if (head === null) return missing('there is no checkpoint to look for on chain');
  try {
    return await compare(head, chain);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return missing(`the chain could not be queried: ${why}`);
  }
}

async function compare({ origin, size, root }: Checkpoint, chain: AnchorReader): Promise<Step> {
  const logId = logIdOf(origin);
  const published = await chain.published(logId, size);
  if (published !== null) {
    return published.root.equals(root)
      ? holds(`the chain has this root of ${size} records: transaction ${published.transactionHash}`)
      : fails(`the chain has another root of ${size} records: transaction ${published.transactionHash}`);
  }
  const latest = await chain.latest(logId);
  return latest === null
    ? missing(`no root of ${origin} is on chain at this address`)
    : missing(
        `the chain has no root of exactly ${size} records, its newest is of ${latest.size}: take a proof bundle, which joins the two`,
      );
}
