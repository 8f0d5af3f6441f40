import { fail } from '@countersign/protocol/result';
import { type Checkpoint, logIdOf, signCheckpoint } from '../checkpoint.ts';
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
import { type Appended, Writer } from './writer.ts';

export type AuditLogParts = {
  readonly origin: string;
  readonly tee: Tee;
  readonly signer: Signer;
  readonly now: () => number;
  readonly state: LogState;
  readonly segments: Segments;
  readonly lock: Lock;
  /** Where the log's own checkpoint is kept. */
  readonly checkpointFile: string;
};

export type AuditPage = { readonly items: readonly AuditRecord[]; readonly total: number };

/** Longest time in which records are on disk, but not yet under a checkpoint that is. */
const checkpointAfterMs = 1000;

/** A log that is open: one process writes to it and reads from it. `openAuditLog` makes one. */
export class AuditLog {
  readonly #parts: AuditLogParts;
  readonly #logId: Buffer;
  readonly #writer: Writer;
  #signed: { readonly size: number; readonly note: string } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #kept: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
    this.#logId = logIdOf(parts.origin);
    this.#writer = new Writer({ ...parts, logId: this.#logId });
  }

  /** Lets every tenant's chain go over from the key before, if there was another. */
  async begin(rotateFrom: Signer | null): Promise<void> {
    const { signer, state } = this.#parts;
    if (rotateFrom === null) return;
    const drafts = [...state.ends.keys()].map((tenantId) =>
      rotationDraft(tenantId, this.#logId, rotateFrom, signer),
    );
    const refused = (await this.#writer.appendAll(drafts)).find(({ ok }) => !ok);
    if (refused?.ok === false) throw new Error(`the log's key cannot be changed: ${refused.error.reason}`);
    await this.#keepCheckpoint();
  }

  /** Resolves once the record is on disk; else with why it is not there, and then nothing of it is. */
  async append(draft: RecordDraft): Promise<Appended> {
    if (this.#isClosed) return fail({ code: 'AUDIT_UNAVAILABLE', reason: 'the log is closed' });
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
    if (this.#signed?.size !== size)
      this.#signed = { size, note: signCheckpoint(this.head, this.#parts.signer) };
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

  /** Where the tenant's chain ends now, signed. */
  tenantHead(tenantId: string): TenantHead {
    const { state, signer, now } = this.#parts;
    const { seq, chainHash } = state.endOf(tenantId);
    return signTenantHead({ tenantId, seq, chainHash, at: new Date(now()).toISOString() }, signer);
  }

  /** A C2SP tlog-proof of a record, which stands in it; null when the tenant has none of this id. */
  proof(tenantId: string, auditId: string): string | null {
    const leaf = this.#leafOf(tenantId, auditId);
    if (leaf === null) return null;
    const path = this.#parts.state.tree.inclusionProof(leaf);
    const extra = Buffer.from(this.#textAt(leaf));
    return tlogProofText({ extra, index: leaf, path, checkpoint: this.checkpoint() });
  }

  /** The hashes that prove the tree of the smaller size a prefix of the larger; null when the log has no such sizes. */
  consistency(from: number, to: number): readonly Buffer[] | null {
    const { tree } = this.#parts.state;
    return from >= 1 && from <= to && to <= tree.size ? tree.consistencyProof(from, to) : null;
  }

  /** Recomputes signature, chain and path of a record from what is on disk; null when the tenant has none of this id. */
  async verify(tenantId: string, auditId: string): Promise<RecordVerification | null> {
    const { signer, state } = this.#parts;
    const leaf = this.#leafOf(tenantId, auditId);
    const textAt = (at: number) => this.#textAt(at);
    return leaf === null
      ? null
      : verifyRecord({ tenantId, auditId, leaf, state, key: signer.publicKey, textAt });
  }

  /**
   * The records of a tenant as JSON lines without their newlines, oldest first; the last line says where they end.
   * `attestation` is the report that binds the log's key.
   */
  async *exportLines(tenantId: string, attestation: unknown): AsyncGenerator<string> {
    const leaves = [...this.#parts.state.index.leavesOf(tenantId)];
    const last = { checkpoint: this.checkpoint(), tenantHead: this.tenantHead(tenantId), attestation };
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
    await this.#keepCheckpoint();
    await this.#parts.segments.close();
    this.#parts.lock.release();
  }

  /** Where a record of the tenant stands. */
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
      void this.#keepCheckpoint();
    }, checkpointAfterMs).unref();
  }

  /** Never rejects: on a full disk the records can still be verified one by one, and the next append tries again. */
  #keepCheckpoint(): Promise<void> {
    const { checkpointFile, signer } = this.#parts;
    this.#kept = this.#kept.then(() => writeOwnCheckpoint(checkpointFile, this.head, signer)).catch(() => {});
    return this.#kept;
  }
}
