import type { KeyObject } from 'node:crypto';
import type { SealedRecord } from '../chain.ts';
import { beforeFirst, isSigned, linkProblem, logPrefixOf, readRecord } from '../chain-check.ts';
import { logIdOf } from '../checkpoint.ts';
import { rootFromInclusion } from '../proof.ts';
import { rotationOf } from '../rotation.ts';
import { auditIdOf } from '../store/audit-id.ts';
import { type AuditRecord, signerRotated } from '@countersign/protocol/vault/audit-record';
import { readTlogProof, type TlogProof } from '../tlog-proof.ts';
import { leafHash } from '../tree-hash.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { type Hear, hearNothing } from './hear.ts';
import { notSigned, Receipts } from './receipts.ts';
import { fails, holds, missing, type Report, type Step, step } from './report.ts';

/** Checks a tlog-proof of one record, which stands in its extra line. `trusted` are the keys the caller believes in. */
export function verifyProofFile(
  text: string,
  trusted: readonly KeyObject[],
  hear: Hear = hearNothing,
): Report {
  const proof = readTlogProof(text);
  // Read as text, what is no UTF-8 would look like another leaf.
  const sealed = proof?.extra && isText(proof.extra) ? readRecord(proof.extra.toString()) : null;
  if (sealed !== null) hear(sealed.record);
  const steps =
    proof === null ? [fails('this is not a tlog-proof, or it was changed')] : stepsOf(proof, sealed, trusted);
  return {
    kind: 'tlog-proof',
    steps,
    isSimulated: sealed?.record.tee.trust === 'simulated',
    head: headOf(proof?.checkpoint ?? ''),
  };
}

function stepsOf(
  proof: TlogProof,
  sealed: SealedRecord | null,
  trusted: readonly KeyObject[],
): readonly Step[] {
  const extra = proof.extra ?? Buffer.alloc(0);
  const head = headOf(proof.checkpoint);
  if (head === null) return [fails('the checkpoint cannot be read')];
  const root = rootFromInclusion(leafHash(extra), proof.index, head.size, proof.path);
  const isIncluded = root !== null && head.root.equals(root);
  const checkpoint = checkpointStep(proof, trusted);
  if (sealed === null) {
    const isForeign = isIncluded || extra.length === 0;
    return [
      isForeign
        ? missing('the proof contains no record of this kind of log')
        : fails('the proof contains no record, or the record was changed'),
      checkpoint,
    ];
  }
  const { record } = sealed;
  return [
    holds(`a record ${record.eventType} of ${record.tenantId}, ${record.auditId}, at ${record.at}`),
    step(
      linkProblem(sealed, {
        ...beforeFirst(record.tenantId),
        seq: record.seq - 1,
        chainHash: record.prevChainHash,
      }) === null,
      'its chain hash follows from it',
      'its chain hash does not follow from it: something in it was changed',
    ),
    signatureStep(record, isIncluded, trusted),
    step(
      isIncluded && record.leafIndex === proof.index,
      `it is record ${proof.index} of the ${head.size} of ${head.origin}`,
      'it is not at that position in the tree of the checkpoint',
    ),
    checkpoint,
    ...aboutSteps(record, head.origin, trusted),
  ];
}

/** Checks what a record states about its log, a change of key or an execution. */
function aboutSteps(record: AuditRecord, origin: string, trusted: readonly KeyObject[]): readonly Step[] {
  const logId = logIdOf(origin);
  const receipts = new Receipts();
  const problem = receipts.check(record, trusted);
  const steps: (Step | null)[] = [
    logPrefixOf(record) === auditIdOf(logId, '') ? null : fails('the record belongs to another log'),
    record.eventType === signerRotated && rotationOf(record, logId) === null
      ? fails('the old key does not endorse the new one')
      : null,
    // Signed by none of the keys given: perhaps by one that the log has changed since.
    problem === null ? null : problem === notSigned ? missing(problem) : fails(problem),
  ];
  return [...steps.filter((said) => said !== null), ...receipts.steps()];
}

function signatureStep(record: AuditRecord, isIncluded: boolean, trusted: readonly KeyObject[]): Step {
  if (trusted.length === 0)
    return missing('without a key no signature can be checked: pass the log’s key with --key');
  if (trusted.some((key) => isSigned(record, key))) return holds('it is signed by the key you gave');
  // The tree covers the signature too: what is in it, the log wrote, perhaps with a key that it has changed since.
  return isIncluded
    ? missing(
        'it is signed by a different key than the one you gave; if the log has changed its key since, pass the older key too',
      )
    : fails('it is not signed by the key you gave');
}

function checkpointStep({ checkpoint }: TlogProof, trusted: readonly KeyObject[]): Step {
  if (trusted.length === 0) return missing('the checkpoint is signed by an unknown key');
  return step(
    openCheckpoint(checkpoint, ...trusted) !== null,
    'the checkpoint is signed by the key you gave',
    'the checkpoint is not signed by the key you gave',
  );
}

/** Returns whether bytes are UTF-8; browsers, which run this too, have no `isUtf8`. */
const isText = (bytes: Buffer): boolean => Buffer.from(bytes.toString()).equals(bytes);
