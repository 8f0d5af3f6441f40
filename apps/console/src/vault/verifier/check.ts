import './environment.ts';
import { canonicalText } from '@countersign/audit-log/chain';
import { beforeFirst, isSigned, linkProblem, readRecord } from '@countersign/audit-log/chain-check';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import { rotationOf } from '@countersign/audit-log/rotation';
import { headOf, openCheckpoint } from '@countersign/audit-log/verify/checkpoint-note';
import { isTrusted, keyLine } from '@countersign/audit-log/verify/key-line';
import { verifyProofFile } from '@countersign/audit-log/verify/proof-file';
import { readTrustedKey } from '@countersign/audit-log/verify/trusted-key';
import { isConsistent } from '@countersign/audit-log/proof';
import { readTlogProof } from '@countersign/audit-log/tlog-proof';
import { publicKeyText } from '@countersign/audit-log/keys';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { SeenHead } from './pin.ts';

/**
 * The result of verifying one record; `fails` lists what does not hold, in the words of `countersign audit
 * verify`.
 */
export type Checked = {
  readonly head: SeenHead & { readonly origin: string };
  /** The record that the proof is about, as its RFC 8785 text. */
  readonly text: string;
  readonly tenantId: string;
  /** The pinned key, and those that follow it by endorsement. */
  readonly keys: readonly string[];
  /** Whether the pinned key itself signed the record, not another one in its line. */
  readonly byPinned: boolean;
};

export type Refused = { readonly fails: readonly string[] };

/**
 * Recomputes a proof: signature, chain hash, inclusion, and who signed the checkpoint. Believed are the pinned key and the
 * line of keys that the tenant's `rotations` tie to it; a checkpoint only from the pinned key on, because whoever got hold
 * of a key that was replaced could sign another tree.
 */
export function checkProof(
  proof: string,
  pinned: string,
  rotations: readonly AuditRecord[],
): Checked | Refused {
  const trusted = readTrustedKey(pinned)?.publicKey;
  const read = readProof(proof);
  if (trusted === undefined || read === null) return { fails: ['this is not a proof, or it was changed'] };
  const { checkpoint, head, text, record } = read;
  const line = lineOf(trusted, rotations, head.origin);
  const { steps } = verifyProofFile(proof, line);
  const wrong = steps.filter(({ outcome }) => outcome === 'fails' || outcome === 'missing');
  if (wrong.length > 0) return { fails: wrong.map(({ what }) => what) };
  const current = line.slice(line.findIndex((key) => key.equals(trusted)));
  if (!current.some((key) => openCheckpoint(checkpoint, key) !== null))
    return { fails: ['the checkpoint is signed by a key that the pinned key replaced'] };
  const { origin, size, root } = head;
  return {
    head: { origin, size, root: root.toString('base64') },
    text,
    tenantId: record.tenantId,
    keys: current.map(publicKeyText),
    byPinned: isSigned(record, trusted),
  };
}

function readProof(proof: string) {
  const read = readTlogProof(proof);
  if (read === null) return null;
  const { checkpoint, extra } = read;
  const head = headOf(checkpoint);
  const sealed = readRecord(String(extra ?? ''));
  return head === null || sealed === null ? null : { checkpoint, head, ...sealed };
}

type Key = NonNullable<ReturnType<typeof readTrustedKey>>['publicKey'];

/** The keys of the log in the order in which they signed; the pinned one alone where nothing good ties others to it. */
function lineOf(pinned: Key, records: readonly AuditRecord[], origin: string): readonly Key[] {
  const rotations = records
    .toSorted((one, other) => one.seq - other.seq)
    .flatMap((given) => {
      const record = readRecord(textOf(given) ?? '')?.record;
      const rotation = record === undefined ? null : rotationOf(record, logIdOf(origin));
      // The older key endorsed the new one, and the new one signed the record that names the older one.
      const holds = record !== undefined && rotation !== null && isSigned(record, rotation.key);
      return holds ? [rotation] : [];
    });
  const line = keyLine(rotations, pinned);
  return line !== null && isTrusted(line, [pinned]) ? line : [pinned];
}

/** The RFC 8785 text of JSON; null where it has none. */
function textOf(value: unknown): string | null {
  try {
    return canonicalText(value);
  } catch {
    return null;
  }
}

/** Returns whether a record is the one of this text, letter for letter. */
export const isRecord = (record: AuditRecord, text: string): boolean => textOf(record) === text;

/** Returns whether the newer tree has the older one, whole, at its beginning. */
export const continues = (older: SeenHead, newer: SeenHead, path: readonly string[]): boolean =>
  isConsistent(
    headBytes(older),
    headBytes(newer),
    path.map((hash) => Buffer.from(hash, 'base64')),
  );

const headBytes = ({ size, root }: SeenHead) => ({ size, root: Buffer.from(root, 'base64') });

/**
 * Walks a tenant's records, line by line, from the first to the one of this text. In the end `problem` is null when each
 * follows from the one before, and the last is this very record; otherwise what is wrong.
 */
export function chainWalk(text: string) {
  const wanted = readRecord(text)?.record.seq ?? 0;
  let before: ReturnType<typeof beforeFirst> | null = null;
  let problem: string | null = 'the record is not in the chain that the vault exports';
  return {
    /** Takes the next line; whether none is needed any more. */
    isEnough(line: string): boolean {
      const sealed = readRecord(line);
      if (sealed === null) return true;
      before ??= beforeFirst(sealed.record.tenantId);
      if (linkProblem(sealed, before) !== null) {
        problem = `record ${sealed.record.seq} does not follow from the one before it`;
        return true;
      }
      if (line === text) problem = null;
      before = sealed.record;
      return sealed.record.seq >= wanted;
    },
    problem: () => problem,
  };
}

/** The key as it is shown everywhere, whichever way it was written; null for what is none. */
export function readKey(text: string): string | null {
  const key = readTrustedKey(text.trim());
  return key === null ? null : publicKeyText(key.publicKey);
}
