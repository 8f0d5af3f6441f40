import { MerkleTree } from '@countersign/audit-log/merkle-tree';
import { isConsistent, rootFromInclusion } from '@countersign/audit-log/proof';
import { quantile } from './load.ts';

/** Times are milliseconds. */
export type ProofResult = {
  readonly leaves: number;
  readonly buildSeconds: number;
  readonly memoryMiB: number;
  readonly inclusion: Proofs;
  readonly consistency: Proofs;
};
export type Proofs = {
  readonly p50: number;
  readonly p99: number;
  /** Of the longest. */
  readonly hashes: number;
  readonly checkP50: number;
};

const samples = 2000;

/** Proofs of leaves and sizes all over a tree, each checked. */
export function measureProofs(leaves: number): ProofResult {
  const tree = new MerkleTree();
  const leaf = Buffer.alloc(32);
  const started = performance.now();
  const before = process.memoryUsage().rss;
  for (let i = 0; i < leaves; i += 1) {
    leaf.writeUInt32BE(i);
    tree.append(leaf);
  }
  const buildSeconds = (performance.now() - started) / 1000;
  const memoryMiB = (process.memoryUsage().rss - before) / 2 ** 20;
  const root = tree.root();
  const inclusion = take(
    (at) => tree.inclusionProof(at),
    (at, path) => {
      leaf.writeUInt32BE(at);
      return rootFromInclusion(leaf, at, leaves, path)?.toString() === root.toString();
    },
    leaves,
  );
  const consistency = take(
    (at) => tree.consistencyProof(at + 1),
    (at, path) => isConsistent({ size: at + 1, root: tree.root(at + 1) }, { size: leaves, root }, path),
    leaves,
  );
  return { leaves, buildSeconds, memoryMiB, inclusion, consistency };
}

function take(
  prove: (at: number) => Buffer[],
  check: (at: number, path: Buffer[]) => boolean,
  leaves: number,
): Proofs {
  const [proving, checking] = [[] as number[], [] as number[]];
  let hashes = 0;
  for (let i = 0; i < samples; i += 1) {
    // Spread by the golden ratio: neighbours of one proof warm nothing for the next.
    const at = Math.floor(((i * 0.618_033_988_75) % 1) * leaves);
    const started = performance.now();
    const path = prove(at);
    const proved = performance.now();
    if (!check(at, path)) throw new Error(`the proof for ${at} does not hold`);
    checking.push(performance.now() - proved);
    proving.push(proved - started);
    hashes = Math.max(hashes, path.length);
  }
  const sorted = [proving, checking].map((times) => times.sort((a, b) => a - b));
  return {
    p50: quantile(sorted[0] ?? [], 0.5),
    p99: quantile(sorted[0] ?? [], 0.99),
    hashes,
    checkP50: quantile(sorted[1] ?? [], 0.5),
  };
}
