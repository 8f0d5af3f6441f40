import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { logIdOf } from '../checkpoint.ts';
import type { Signer } from '../keys.ts';
import type { Tee } from '@countersign/protocol/vault/audit-record';
import { emptyRoot } from '../tree-hash.ts';
import { AuditLog } from './audit-log.ts';
import { type Lock, takeLock } from './lock.ts';
import type { LogState } from './log-state.ts';
import { type OwnCheckpoint, readOwnCheckpoint, writeOwnCheckpoint } from './own-checkpoint.ts';
import { type Rollback, recover, rollback } from './recover.ts';
import { Segments } from './segments.ts';

export type AuditLogOptions = {
  readonly dir: string;
  /** Names the log for ever, whatever key signs: a host and path of the deployment, without blanks or plus signs. */
  readonly origin: string;
  readonly tee: Tee;
  readonly signer: Signer;
  /** The key before, until a log was opened with both: it endorses its successor. */
  readonly previousSigner?: Signer;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long to wait for another writer that is about to exit, in milliseconds; absent: not at all. */
  readonly lockPatienceMs?: number;
  /** The last root on chain; null when there is none. */
  readonly anchored?: () => Promise<{ readonly size: number; readonly root: Uint8Array } | null>;
};

export type OpenRefusal =
  | Rollback
  /** Another process writes to this log. */
  | { readonly code: 'AUDIT_LOCKED'; readonly reason: string }
  /** The log was signed by a key that was not handed in. */
  | { readonly code: 'AUDIT_SIGNER_UNKNOWN'; readonly reason: string };

/**
 * Opens the log of a directory, or begins one. It is read whole: what a crash tore is cut off, and a log that is
 * smaller than or different from its own last checkpoint or the last root on chain is refused.
 */
export async function openAuditLog(options: AuditLogOptions): Promise<Result<AuditLog, OpenRefusal>> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(options.dir, 'lock'), options.lockPatienceMs ?? 0);
  if (lock === null)
    return fail({ code: 'AUDIT_LOCKED', reason: `another process writes to ${options.dir}` });
  try {
    const opened = await openLocked(options, lock);
    if (!opened.ok) lock.release();
    return opened;
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openLocked(options: AuditLogOptions, lock: Lock): Promise<Result<AuditLog, OpenRefusal>> {
  const segments = await Segments.open(join(options.dir, 'segments'));
  const checkpointFile = join(options.dir, 'checkpoint');
  const known = await readKnown(options, segments, checkpointFile);
  if (!known.ok) {
    await segments.close();
    return known;
  }
  const log = new AuditLog({ ...options, ...known.value, segments, lock, checkpointFile });
  // A change of keys that was begun is brought to its end.
  const rotated = options.previousSigner === undefined ? ok(null) : await log.rotate(options.signer);
  if (!rotated.ok) throw new Error(`the log's key cannot be changed: ${rotated.error.reason}`);
  return ok(log);
}

type Known = {
  readonly state: LogState;
  /** Who signed last. */
  readonly signer: Signer;
};

async function readKnown(
  options: AuditLogOptions,
  segments: Segments,
  checkpointFile: string,
): Promise<Result<Known, OpenRefusal>> {
  const { origin, signer, previousSigner = signer } = options;
  const signers = [signer, previousSigner];
  const own = await readOwnCheckpoint(checkpointFile, origin, signers);
  if (own === null && !segments.isEmpty)
    return rollback(0, 'the log has records, but no checkpoint of its own');
  if (own === 'foreign') return fail(unknownSigner(checkpointFile));
  if (own === 'changed') return rollback(null, 'the checkpoint of the log was changed on disk');
  const { checkpoint, signer: lastSigner } = own ?? (await beginLog(options, checkpointFile));

  const trust = { checkpoint, key: lastSigner.publicKey, logId: logIdOf(origin) };
  const recovered = await recover(segments, trust);
  if (!recovered.ok) return recovered;
  const state = recovered.value;
  const gone = await missingOnDisk(state, options);
  if (gone !== null) return gone;

  const lastKey = state.keyAt(state.tree.size, lastSigner.publicKey);
  const signedLast = signers.find(({ publicKey }) => publicKey.equals(lastKey));
  if (signedLast === undefined) return fail(unknownSigner(checkpointFile));
  return ok({ state, signer: signedLast });
}

async function beginLog({ origin, signer }: AuditLogOptions, file: string): Promise<OwnCheckpoint> {
  const checkpoint = { origin, size: 0, root: emptyRoot };
  // Before the first record, so that records without a checkpoint are always a rollback.
  await writeOwnCheckpoint(file, checkpoint, signer);
  return { checkpoint, signer };
}

async function missingOnDisk({ tree }: LogState, { anchored }: AuditLogOptions) {
  const onChain = (await anchored?.()) ?? null;
  if (onChain === null) return null;
  const { size, root } = onChain;
  if (tree.size < size)
    return rollback(tree.size, `the log has ${tree.size} records, the chain says ${size}`);
  return tree.root(size).equals(root)
    ? null
    : rollback(null, `the first ${size} records are not those whose root is on chain`);
}

const unknownSigner = (file: string): OpenRefusal => ({
  code: 'AUDIT_SIGNER_UNKNOWN',
  reason: `${file} is not signed for this origin by the key at hand; pass its earlier key as well, or the right origin`,
});
