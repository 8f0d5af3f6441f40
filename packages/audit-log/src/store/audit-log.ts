import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Anchor, OnChain } from '../anchored.ts';
import { type Checkpoint, logIdOf, signCheckpoint } from '../checkpoint.ts';
import type { ExportEnd } from '../export-end.ts';
import type { Signer } from '../keys.ts';
import type { AuditRecord, RecordDraft, Tee } from '@countersign/protocol/vault/audit-record';
import { rotationDraft } from '../rotation.ts';
import { signTenantHead, type TenantHead } from '../tenant-head.ts';
import { tlogProofText } from '../tlog-proof.ts';
import { leafOfAuditId } from './audit-id.ts';
import type { Lock } from './lock.ts';
import type { LogState } from './log-state.ts';
import { writeOwnCheckpoint } from './own-checkpoint.ts';
import type { AuditFilter } from './query-index.ts';
import { type RecordVerification, verifyRecord } from './verify-record.ts';
import type { Segments } from './segments.ts';
import { type Appended, type AppendRefusal, Writer } from './writer.ts';

export type AuditLogParts = {
  readonly origin: string;
  readonly tee: Tee;
  /** Who signed last. */
  readonly signer: Signer;
  readonly now: () => number;
  readonly state: LogState;
  readonly segments: Segments;
  readonly lock: Lock;
  /** Path of the log's own checkpoint. */
  readonly checkpointFile: string;
};

export type AuditPage = { readonly items: readonly AuditRecord[]; readonly total: number };

export type ProvenRecord = {
  readonly record: AuditRecord;
  /** RFC 8785 text of the record. */
  readonly text: string;
  readonly inclusion: readonly Buffer[];
};

const closed: AppendRefusal = { code: 'AUDIT_UNAVAILABLE', reason: 'the log is closed' };

/** Longest time in which records are on disk, but not yet under a checkpoint that is. */
const checkpointAfterMs = 1000;

/** A log that is open: one process writes to it and reads from it. `openAuditLog` makes one. */
export class AuditLog {
  readonly #parts: AuditLogParts;
  readonly #logId: Buffer;
  readonly #writer: Writer;
  #signed: { readonly size: number; readonly by: Signer; readonly note: string } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #kept: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    this.#logId = logIdOf(parts.origin);
    this.#writer = new Writer({ ...parts, logId: this.#logId });
  }

  /** Who signs now: another one after each change of keys. */
  get signer(): Signer {
    return this.#writer.signer;
  }

  /**
   * Lets every tenant's chain go over to a new key, which the one of now endorses. Once it resolves well, that is on disk
   * under a checkpoint by the new key, and the old one is needed no more. Else both are, until a later try with the
   * same key, by this process or the next, has brought it to its end.
   */
  async rotate(next: Signer): Promise<Result<null, AppendRefusal>> {
    if (this.#isClosed) return fail(closed);
    const rotated = this.signer.publicKey.equals(next.publicKey) ? ok(null) : await this.#goOverTo(next);
    if (!rotated.ok) return rotated;
    try {
      await this.#keepCheckpoint();
      return ok(null);
    } catch {
      return fail({
        code: 'AUDIT_UNAVAILABLE',
        reason: 'the checkpoint of the new key could not be written',
      });
    }
  }

  #goOverTo(next: Signer): Promise<Result<null, AppendRefusal>> {
    return this.#writer.rotate(next, () =>
      [...this.#parts.state.ends.keys()].map((tenantId) =>
        rotationDraft(tenantId, this.#logId, this.signer, next),
      ),
    );
  }

  /** Resolves once the record is on disk; else with why it is not there, and then nothing of it is. */
  async append(draft: RecordDraft): Promise<Appended> {
    if (this.#isClosed) return fail(closed);
    const appended = await this.#writer.append(draft);
    this.#keepCheckpointSoon();
    return appended;
  }

  /** The head of the tree, over records on disk only. */
  get head(): Checkpoint {
    const { origin, state } = this.#parts;
    return { origin, size: state.tree.size, root: state.tree.root() };
  }

  /** The head as a C2SP signed note. */
  checkpoint(): string {
    const { size } = this.head;
    const by = this.signer;
    if (this.#signed?.size !== size || this.#signed.by !== by)
      this.#signed = { size, by, note: signCheckpoint(this.head, by) };
    return this.#signed.note;
  }

  /** The root that the log had at a size; null when it never was so large. */
  rootAt(size: number): Buffer | null {
    const { tree } = this.#parts.state;
    return size <= tree.size ? tree.root(size) : null;
  }

  /** Null when the tenant has no record of this id. */
  find(tenantId: string, auditId: string): AuditRecord | null {
    const leaf = this.#leafOf(tenantId, auditId);
    return leaf === null ? null : this.#recordAt(leaf);
  }

  /** Newest first. */
  query(filter: AuditFilter, page: { readonly limit: number; readonly offset: number }): AuditPage {
    const leaves = this.#parts.state.index.select(filter).toReversed();
    const wanted = leaves.slice(page.offset, page.offset + page.limit);
    return {
      items: wanted.map((leaf) => this.#recordAt(leaf)),
      total: leaves.length,
    };
  }

  /** The texts of a tenant's records from a `seq` on, oldest first. */
  *textsFrom(tenantId: string, fromSeq: number): Generator<string> {
    const leaves = this.#parts.state.index.leavesOf(tenantId);
    for (let i = fromSeq - 1; i < leaves.length; i += 1) yield this.#textAt(leaves[i] ?? 0);
  }

  /**
   * Returns the current end of the tenant's chain, signed, with the current checkpoint and the report that
   * binds the log's key.
   */
  #tenantHead(tenantId: string, attestation: unknown, checkpoint: string): TenantHead {
    const { state, now } = this.#parts;
    const { seq, chainHash } = state.endOf(tenantId);
    const head = { tenantId, seq, chainHash, at: new Date(now()).toISOString() };
    return signTenantHead(head, { attestation, checkpoint }, this.signer);
  }

  /** A C2SP tlog-proof of a record, which stands in it; null when the tenant has none of this id. */
  proof(tenantId: string, auditId: string): string | null {
    const leaf = this.#leafOf(tenantId, auditId);
    if (leaf === null) return null;
    const path = this.#parts.state.tree.inclusionProof(leaf);
    const extra = Buffer.from(this.#textAt(leaf));
    return tlogProofText({ extra, index: leaf, path, checkpoint: this.checkpoint() });
  }

  /**
   * Records of a tenant, oldest first, with their paths to the head of now, and with those that tell of changes of the
   * log's key: so whoever trusts one of its keys can trust them all. Null when the tenant has none of one of these ids.
   */
  proven(tenantId: string, auditIds: readonly string[]): readonly ProvenRecord[] | null {
    const asked = auditIds.map((auditId) => this.#leafOf(tenantId, auditId));
    if (!asked.every((leaf) => leaf !== null)) return null;
    const { state } = this.#parts;
    const rotations = state.rotationsOf(tenantId);
    return [...new Set([...asked, ...rotations])]
      .sort((a, b) => a - b)
      .map((leaf) => {
        const text = this.#textAt(leaf);
        const record = JSON.parse(text) as AuditRecord;
        return { record, text, inclusion: state.tree.inclusionProof(leaf) };
      });
  }

  /** The hashes that prove the tree of the smaller size a prefix of the larger; null when the log has no such sizes. */
  consistency(from: number, to: number): readonly Buffer[] | null {
    const { tree } = this.#parts.state;
    return from >= 1 && from <= to && to <= tree.size ? tree.consistencyProof(from, to) : null;
  }

  /** Recomputes signature, chain and path of a record from what is on disk; null when the tenant has none of this id. */
  async verify(tenantId: string, auditId: string): Promise<RecordVerification | null> {
    const { state } = this.#parts;
    const leaf = this.#leafOf(tenantId, auditId);
    const textAt = (at: number) => this.#textAt(at);
    return leaf === null
      ? null
      : verifyRecord({ tenantId, auditId, leaf, state, key: this.signer.publicKey, textAt });
  }

  /**
   * The last line of an export of now: where the tenant's chain ends, and that its newest record is in the tree. `onChain` is the newest
   * root that the chain has; one that is none of this log is left out.
   */
  exportEnd(tenantId: string, attestation: unknown, onChain: OnChain | null): ExportEnd {
    const { state } = this.#parts;
    const newest = state.index.leavesOf(tenantId).at(-1);
    const inclusion = newest === undefined ? [] : state.tree.inclusionProof(newest);
    const checkpoint = this.checkpoint();
    return {
      checkpoint,
      tenantHead: this.#tenantHead(tenantId, attestation, checkpoint),
      attestation,
      inclusion: inclusion.map(hexOf),
      anchor: onChain === null ? null : this.anchored(onChain),
    };
  }

  /** A root on chain with the proof that this log continues it; null for one that is none of this log. */
  anchored(onChain: OnChain): Anchor | null {
    const { origin, size } = this.head;
    const root = this.rootAt(onChain.size);
    const consistency = this.consistency(onChain.size, size);
    if (root === null || consistency === null || onChain.root !== `0x${hexOf(root)}`) return null;
    return { ...onChain, logId: `0x${hexOf(logIdOf(origin))}`, consistency: consistency.map(hexOf) };
  }

  /**
   * The records of a tenant as JSON lines without their newlines, oldest first; the last line says where they end.
   * `attestation` is the report that binds the log's key, `onChain` the newest root that the chain has.
   */
  async *exportLines(
    tenantId: string,
    attestation: unknown,
    onChain: OnChain | null = null,
  ): AsyncGenerator<string> {
    const leaves = [...this.#parts.state.index.leavesOf(tenantId)];
    const last = this.exportEnd(tenantId, attestation, onChain);
    for (const [i, leaf] of leaves.entries()) {
      yield this.#textAt(leaf);
      if (i % 256 === 255) await new Promise(setImmediate);
    }
    yield JSON.stringify(last);
  }

  /** Lets appends end that were begun, and gives the log to whoever comes next. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writer.idle();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#tryToKeepCheckpoint();
    await this.#parts.segments.close();
    this.#parts.lock.release();
  }

  /** Returns the leaf index of a record; null if the tenant has no such record. */
  #leafOf(tenantId: string, auditId: string): number | null {
    const leaf = leafOfAuditId(this.#logId, auditId);
    return leaf !== null && this.#parts.state.index.isOf(tenantId, leaf) ? leaf : null;
  }

  #recordAt(leaf: number): AuditRecord {
    return JSON.parse(this.#textAt(leaf)) as AuditRecord;
  }

  #textAt(leaf: number): string {
    const { index } = this.#parts.state;
    return this.#parts.segments.text(leaf, index.place(leaf) ?? { offset: 0, length: 0 });
  }

  #keepCheckpointSoon(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#tryToKeepCheckpoint();
    }, checkpointAfterMs).unref();
  }

  /** Never rejects: on a full disk the records can still be verified one by one, and the next append tries again. */
  #tryToKeepCheckpoint(): Promise<void> {
    return this.#keepCheckpoint().catch(() => {});
  }

  #keepCheckpoint(): Promise<void> {
    const write = () => writeOwnCheckpoint(this.#parts.checkpointFile, this.head, this.signer);
    const kept = this.#kept.then(write);
    this.#kept = kept.catch(() => {});
    return kept;
  }
}

const hexOf = (bytes: Buffer): string => bytes.toString('hex');
