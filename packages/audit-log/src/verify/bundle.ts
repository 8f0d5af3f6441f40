import type { KeyObject } from 'node:crypto';
import { canonicalText } from '../chain.ts';
import { beforeFirst, isSigned, linkProblem } from '../chain-check.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { publicKeyText } from '../keys.ts';
import { isConsistent, rootFromInclusion } from '../proof.ts';
import { type Anchor, isBundleSigned, type ProofBundle, readBundle } from '../proof-bundle.ts';
import { rotationOf } from '../rotation.ts';
import { leafHash } from '../tree-hash.ts';
import { checkKey, keyOf, noKey, readAttestation } from './check-key.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { isTrusted, keyLine } from './key-line.ts';
import { Receipts } from './receipts.ts';
import { fails, holds, type Report, type Step, step, told } from './report.ts';

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
  return { kind: 'proof-bundle', steps, isSimulated, head: bundle === null ? null : anchoredHead(bundle) };
}

/** What the chain has to have: the anchor's root, or the checkpoint's where there is no anchor. */
function anchoredHead({ anchor, checkpoint }: ProofBundle): Checkpoint | null {
  const head = headOf(checkpoint);
  if (anchor === null || head === null) return head;
  return { origin: head.origin, size: anchor.size, root: bytesOf(anchor.root) };
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
    anchorStep(bundle.anchor, head),
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

function anchorStep(anchor: Anchor | null, head: Checkpoint): Step {
  if (anchor === null) return told('the bundle names no root on chain that contains these records');
  const anchored = { size: anchor.size, root: bytesOf(anchor.root) };
  const path = anchor.consistency.map((hash) => Buffer.from(hash, 'hex'));
  const isOfLog = bytesOf(anchor.logId).equals(logIdOf(head.origin));
  return step(
    isOfLog && isConsistent(anchored, head, path),
    `the root of ${anchor.size} records that transaction ${anchor.transactionHash} published belongs to the same tree`,
    'the root that is said to be on chain is not of the same tree',
  );
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
