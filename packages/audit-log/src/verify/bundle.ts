import type { KeyObject } from 'node:crypto';
import { canonicalText } from '../chain.ts';
import { beforeFirst, isSigned, linkProblem } from '../chain-check.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { publicKeyText } from '../keys.ts';
import { rootFromInclusion } from '../proof.ts';
import { isBundleSigned, type ProofBundle, readBundle } from '../proof-bundle.ts';
import { rotationOf } from '../rotation.ts';
import { leafHash } from '../tree-hash.ts';
import { anchoredHead, anchorStep } from './anchor-step.ts';
import { checkKey, keyOf, noKey, readAttestation } from './check-key.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { isTrusted, keyLine } from './key-line.ts';
import { Receipts } from './receipts.ts';
import { fails, holds, type Report, type Step, told } from './report.ts';

/** Checks a proof bundle without any help from outside. `trusted` are the keys the caller believes in. */
export function verifyBundle(text: string, trusted: readonly KeyObject[]): Report {
  const bundle = readBundle(text);
  const steps =
    bundle === null
      ? [fails('this is no proof bundle, or a byte of it was changed')]
      : stepsOf(bundle, trusted);
  const isSimulated =
    bundle?.records.some(({ record }) => record.tee.trust === 'simulated') === true ||
    readAttestation(bundle?.attestation)?.hardware === false;
  const head = headOf(bundle?.checkpoint ?? '');
  return {
    kind: 'proof-bundle',
    steps,
    isSimulated,
    head: head === null ? null : anchoredHead(bundle?.anchor ?? null, head),
  };
}

function stepsOf(bundle: ProofBundle, trusted: readonly KeyObject[]): readonly Step[] {
  const keys = keysOf(bundle, trusted);
  if (keys === null) return [noKey(bundle.attestation)];
  const signing = keys.at(-1);
  const head = signing === undefined ? null : openCheckpoint(bundle.checkpoint, signing);
  if (signing === undefined || !isBundleSigned(bundle, signing))
    return [fails('the bundle is not signed by the log: a byte of it was changed, or another key signed')];
  if (trusted.length > 0 && !isTrusted(keys, trusted))
    return [fails('another key signed than the one you gave')];
  if (head === null) return [fails('the checkpoint is not signed by the log')];
  return [
    holds(`the bundle is whole, and signed by ${publicKeyText(signing)}`),
    ...recordSteps(bundle, keys, head),
    ...receiptSteps(bundle, keys),
    holds(`the checkpoint of ${head.origin} has ${head.size} records, root ${head.root.toString('hex')}`),
    bundle.anchor === null
      ? told('the bundle names no root on chain that contains these records')
      : anchorStep(bundle.anchor, head),
    ...checkKey(signing, trusted, bundle.attestation),
  ];
}

/** The keys that signed, in their order; null when none is known. */
function keysOf({ records, checkpoint, attestation }: ProofBundle, trusted: readonly KeyObject[]) {
  const first = keyOf(readAttestation(attestation)) ?? trusted[0] ?? null;
  const logId = logIdOf(headOf(checkpoint)?.origin ?? '');
  const rotations = records.flatMap(({ record }) => rotationOf(record, logId) ?? []);
  return first === null ? null : (keyLine(rotations, first) ?? [first]);
}

function recordSteps(
  { records }: ProofBundle,
  keys: readonly KeyObject[],
  head: Checkpoint,
): readonly Step[] {
  const problems = records.flatMap(({ record, inclusion }) => {
    const bad = (what: string): Step[] => [fails(`${record.auditId}: ${what}`)];
    const before = { ...beforeFirst(record.tenantId), seq: record.seq - 1, chainHash: record.prevChainHash };
    const text = canonicalText(record);
    if (linkProblem({ record, text }, before) !== null)
      return bad('the chain hash does not follow from the record');
    if (!keys.some((key) => isSigned(record, key))) return bad('it is not signed by a key of the log');
    const path = inclusion.map((hash) => Buffer.from(hash, 'hex'));
    const root = rootFromInclusion(leafHash(text), record.leafIndex, head.size, path);
    return root !== null && head.root.equals(root) ? [] : bad('it is not in the tree of the checkpoint');
  });
  return problems.length > 0
    ? problems
    : [holds(`${records.length} records, each chained, signed and in the tree of the checkpoint`)];
}

function receiptSteps({ records }: ProofBundle, keys: readonly KeyObject[]): readonly Step[] {
  const receipts = new Receipts();
  const problems = records.flatMap(({ record }) => {
    const problem = receipts.check(record, keys);
    return problem === null ? [] : [fails(`${record.auditId}: ${problem}`)];
  });
  return problems.length > 0 ? problems : receipts.steps();
}
