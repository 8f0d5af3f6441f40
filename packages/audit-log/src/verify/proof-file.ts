import type { KeyObject } from 'node:crypto';
import type { SealedRecord } from '../chain.ts';
import { beforeFirst, isSigned, linkProblem, readRecord } from '../chain-check.ts';
import { rootFromInclusion } from '../proof.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { readTlogProof, type TlogProof } from '../tlog-proof.ts';
import { leafHash } from '../tree-hash.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { fails, holds, missing, type Report, type Step, step } from './report.ts';

/** Checks a tlog-proof of one record, which stands in its extra line. `trusted` are the keys the caller believes in. */
export function verifyProofFile(text: string, trusted: readonly KeyObject[]): Report {
  const proof = readTlogProof(text);
  const sealed = proof?.extra ? readRecord(proof.extra.toString()) : null;
  const steps =
    proof === null
      ? [fails('this is no tlog-proof, or a byte of it was changed')]
      : stepsOf(proof, sealed, trusted);
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
        ? missing('there is no record of ours in the proof')
        : fails('there is no record in the proof, or a byte of it was changed'),
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
      'it is not at that place in the tree of the checkpoint',
    ),
    checkpoint,
  ];
}

function signatureStep(record: AuditRecord, isIncluded: boolean, trusted: readonly KeyObject[]): Step {
  if (trusted.length === 0)
    return missing('without a key no signature can be checked: give the log’s with --key');
  if (trusted.some((key) => isSigned(record, key))) return holds('it is signed by the key you gave');
  // The tree covers the signature too: what is in it, the log wrote, perhaps with a key that it has changed since.
  return isIncluded
    ? missing(
        'it is signed by another key than the one you gave; if the log changed its key since, give the older one too',
      )
    : fails('it is not signed by the key you gave');
}

function checkpointStep({ checkpoint }: TlogProof, trusted: readonly KeyObject[]): Step {
  if (trusted.length === 0) return missing('the checkpoint is signed by a key that nobody has named');
  const isSignedBy = trusted.some((key) => openCheckpoint(checkpoint, key) !== null);
  return step(
    isSignedBy,
    'the checkpoint is signed by the key you gave',
    'the checkpoint is not signed by the key you gave',
  );
}
