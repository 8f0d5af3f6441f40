import type { KeyObject } from 'node:crypto';
import { canonicalText } from '../chain.ts';
import { beforeFirst, isSigned, linkProblem, logPrefixOf, readRecord } from '../chain-check.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { publicKeyText } from '../keys.ts';
import { rootFromInclusion } from '../proof.ts';
import { isBundleSigned, type ProofBundle, readBundle } from '../proof-bundle.ts';
import { rotationOf } from '../rotation.ts';
import { auditIdOf } from '../store/audit-id.ts';
import { type AuditRecord, signerRotated } from '@countersign/protocol/vault/audit-record';
import { leafHash } from '../tree-hash.ts';
import { anchoredHead, anchorStep } from './anchor-step.ts';
import { checkKey, keyOf, noKey, readAttestation } from './check-key.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { type Hear, hearNothing } from './hear.ts';
import { isTrusted, keyLine } from './key-line.ts';
import { Receipts } from './receipts.ts';
import { fails, holds, type Report, type Step, told } from './report.ts';

/** Verifies a proof bundle offline. `trusted`: the keys that the caller trusts, from outside the file. */
export function verifyBundle(text: string, trusted: readonly KeyObject[], hear: Hear = hearNothing): Report {
  const bundle = readBundle(text);
  const steps =
    bundle === null
      ? [fails('this is not a proof bundle, or it was changed')]
      : stepsOf(bundle, trusted, hear);
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

/**
 * Verifies in this order: the log's signature over the bundle, the caller's trust in its key, the checkpoint, the records,
 * their receipts, the anchor and the key's attestation. Each of the first three failures ends the verification.
 */
function stepsOf(bundle: ProofBundle, trusted: readonly KeyObject[], hear: Hear): readonly Step[] {
  tellRecords(bundle, hear);
  const keys = keysOf(bundle, trusted);
  const signing = keys?.at(-1) ?? null;
  const head = openCheckpoint(bundle.checkpoint, signing);
  if (signing !== null && !isBundleSigned(bundle, signing))
    return [fails('the bundle is not signed by the log: it was changed, or another key signed it')];
  if (keys !== null && trusted.length > 0 && !isTrusted(keys, trusted))
    return [fails('it is signed by a different key than the one you gave')];
  if (head === null) return [fails('the checkpoint is not signed by the log')];
  return [
    ...(signing === null ? [] : [holds(`the bundle is intact and signed by ${publicKeyText(signing)}`)]),
    ...recordSteps(bundle, keys, head),
    ...receiptSteps(bundle, keys),
    holds(`the checkpoint of ${head.origin} has ${head.size} records, root ${head.root.toString('hex')}`),
    bundle.anchor === null
      ? told('the bundle names no on-chain root that contains these records')
      : anchorStep(bundle.anchor, head),
    ...(signing === null ? [noKey(bundle.attestation)] : checkKey(signing, trusted, bundle.attestation)),
  ];
}

function tellRecords({ records }: ProofBundle, hear: Hear): void {
  for (const { record } of records) hear(record);
}

/** Returns the log's signing keys, oldest first; null if none is known. */
function keysOf(bundle: ProofBundle, trusted: readonly KeyObject[]) {
  const { records, checkpoint, attestation } = bundle;
  const only = trusted.find((key) => isBundleSigned(bundle, key)) ?? trusted[0];
  const first = keyOf(readAttestation(attestation)) ?? only ?? null;
  const logId = logIdOf(headOf(checkpoint)?.origin ?? '');
  const rotations = records.flatMap(({ record }) => rotationOf(record, logId) ?? []);
  return first === null ? null : (keyLine(rotations, first) ?? [first]);
}

/** Without keys (null) no signature is judged. */
function recordSteps(
  { records }: ProofBundle,
  keys: readonly KeyObject[] | null,
  head: Checkpoint,
): readonly Step[] {
  const prefix = auditIdOf(logIdOf(head.origin), '');
  let at = 0;
  const problems = records.flatMap(({ record, inclusion }, place) => {
    const bad = (what: string): Step[] => [fails(`${record.auditId}: ${what}`)];
    const text = canonicalText(record);
    const sealed = readRecord(text);
    if (sealed === null || logPrefixOf(record) !== prefix) return bad('it is not a record of this log');
    if (linkProblem(sealed, placeBefore(record, records[place - 1]?.record)) !== null)
      return bad('it does not follow from itself and the record before, or has another place');
    // The record that tells of a new key is the first one that it signs.
    if (record.eventType === signerRotated) at += 1;
    const key = keys === null ? null : keys[at];
    if (key === undefined || (key !== null && !isSigned(record, key)))
      return bad('it is not signed by the log’s key');
    const path = inclusion.map((hash) => Buffer.from(hash, 'hex'));
    const root = rootFromInclusion(leafHash(text), record.leafIndex, head.size, path);
    return root !== null && head.root.equals(root) ? [] : bad('it is not in the tree of the checkpoint');
  });
  return problems.length > 0
    ? problems
    : [
        holds(
          `${records.length} records, each ${keys === null ? 'chained' : 'chained, signed'} and in the tree of the checkpoint`,
        ),
      ];
}

/**
 * Returns what a record must follow: the one before it if none is left out, otherwise what the record itself
 * states.
 */
function placeBefore(record: AuditRecord, before: AuditRecord | undefined) {
  const place = { ...beforeFirst(record.tenantId), seq: record.seq - 1, chainHash: record.prevChainHash };
  if (before === undefined) return place;
  const { tenantId, seq, leafIndex, chainHash } = before;
  if (record.seq <= seq + 1) return { tenantId, seq, leafIndex, chainHash };
  return { ...place, tenantId, leafIndex: leafIndex + record.seq - seq - 1 };
}

function receiptSteps({ records }: ProofBundle, keys: readonly KeyObject[] | null): readonly Step[] {
  const receipts = new Receipts();
  const problems = records.flatMap(({ record }) => {
    const problem = receipts.check(record, keys);
    return problem === null ? [] : [fails(`${record.auditId}: ${problem}`)];
  });
  return problems.length > 0 ? problems : receipts.steps();
}
