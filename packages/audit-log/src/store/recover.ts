import type { KeyObject } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { SealedRecord } from '../chain.ts';
import { isSigned, linkProblem, readRecord } from '../chain-check.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import { rotationOf } from '../rotation.ts';
import { leafHash } from '../tree-hash.ts';
import { hasFrameAfter, type Place, readFrame } from './frame.ts';
import { LogState } from './log-state.ts';
import type { Segments } from './segments.ts';

/** The log is not what it was: smaller, or different from this leaf on (null where only the whole is known to be). */
export type Rollback = {
  readonly code: 'AUDIT_ROLLBACK';
  readonly leafIndex: number | null;
  /** For the operator's log. */
  readonly reason: string;
};

export const rollback = (leafIndex: number | null, reason: string) =>
  fail<Rollback>({ code: 'AUDIT_ROLLBACK', leafIndex, reason });

export type Trust = {
  /** The log's own last checkpoint: what it covers needs no more than its root. */
  readonly checkpoint: Checkpoint;
  /** The key that signs now, or signed until a rotation that is in the log already. */
  readonly key: KeyObject;
  readonly logId: Uint8Array;
};

/**
 * Reads the whole log. A frame that the end of the process tore is cut off, for nobody was told that it is there;
 * anything else that is not as it was is a rollback.
 */
export async function recover(segments: Segments, trust: Trust): Promise<Result<LogState, Rollback>> {
  const { size, root } = trust.checkpoint;
  const read = await readAll(segments, trust, { doubted: size, keys: null });
  if (!read.ok) return read;
  const { state, tornAt } = read.value;
  if (state.tree.size < size)
    return rollback(state.tree.size, `the log has ${state.tree.size} records, its own checkpoint ${size}`);
  if (!state.tree.root(size).equals(root)) {
    // Which record it was is worth a second reading, with every signature.
    const found = await readAll(segments, trust, { doubted: 0, keys: state });
    return found.ok ? rollback(null, `the first ${size} records are not those of the checkpoint`) : found;
  }
  if (tornAt !== null) await segments.cutLast(tornAt);
  return ok(state);
}

type Reading = {
  /** Records from this leaf on are verified one by one. */
  readonly doubted: number;
  /**
   * The keys that an earlier pass found; null if each record is read after the one that introduces its key.
   */
  readonly keys: LogState | null;
};
type Read = {
  readonly state: LogState;
  /** The offset of a torn frame in the last file. */
  readonly tornAt: number | null;
};

async function readAll(segments: Segments, trust: Trust, reading: Reading): Promise<Result<Read, Rollback>> {
  const state = new LogState();
  let tornAt: number | null = null;
  for await (const { firstLeaf, bytes } of segments.read()) {
    const { size } = state.tree;
    if (tornAt !== null) return rollback(size, changed);
    if (firstLeaf !== size) return rollback(size, `the file that begins with record ${size} is missing`);
    let at = 0;
    for (let frame = readFrame(bytes, at); frame !== null; frame = readFrame(bytes, at)) {
      for (const place of frame.places) {
        const problem = take(state, trust, reading, { bytes, place });
        if (problem !== null) return rollback(state.tree.size, problem);
      }
      at = frame.end;
    }
    if (hasFrameAfter(bytes, at)) return rollback(state.tree.size, changed);
    if (at < bytes.length) tornAt = at;
  }
  return ok({ state, tornAt });
}

const changed = 'a record was changed on disk';

/** Takes the next record. Returns what is wrong with it, null if it was taken. */
function take(
  state: LogState,
  trust: Trust,
  reading: Reading,
  { bytes, place }: { readonly bytes: Buffer; readonly place: Place },
): string | null {
  const leaf = state.tree.size;
  const text = bytes.subarray(place.offset, place.offset + place.length);
  const sealed = leaf < reading.doubted ? readTrusted(text.toString()) : readRecord(text.toString());
  if (sealed?.record.leafIndex !== leaf) return changed;
  const { record } = sealed;

  const isVouchedFor = leaf < reading.doubted;
  const rotation = rotationOf(record, trust.logId);
  if (rotation !== null && (isVouchedFor || rotation.previousKey.equals(state.keyAt(leaf, trust.key))))
    state.noteRotation(rotation, leaf);
  if (!isVouchedFor) {
    const link = linkProblem(sealed, state.endOf(record.tenantId));
    if (link !== null) return `a record does not follow in its chain (${link})`;
    const key = (reading.keys ?? state).keyAt(leaf, trust.key);
    if (!isSigned(record, key)) return 'a record is not signed by the key of the log';
  }
  state.add(record, leafHash(text), place);
  return null;
}

/** A record whose bytes the checkpoint's root vouches for, once all are read. */
function readTrusted(text: string): SealedRecord | null {
  try {
    return { record: JSON.parse(text) as AuditRecord, text };
  } catch {
    return null;
  }
}
