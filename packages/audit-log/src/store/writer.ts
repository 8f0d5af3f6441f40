import { fail, ok, type Result } from '@countersign/protocol/result';
import { chain, type SealedRecord } from '../chain.ts';
import type { Signer } from '../keys.ts';
import {
  type AnyDraft,
  type AuditRecord,
  maxRecordBytes,
  recordDraft,
  type Tee,
} from '@countersign/protocol/vault/audit-record';
import { rotationOf } from '../rotation.ts';
import { leafHash } from '../tree-hash.ts';
import { auditIdOf } from './audit-id.ts';
import { makeFrame } from './frame.ts';
import type { ChainEnd, LogState } from './log-state.ts';
import type { Segments } from './segments.ts';

/** Why a record is not in the log. Nothing of it is, and what it would have recorded must not happen. */
export type AppendRefusal = {
  /** `AUDIT_UNAVAILABLE`: the disk or the signer failed; a later try may succeed. */
  readonly code: 'AUDIT_UNAVAILABLE' | 'AUDIT_RECORD_INVALID';
  /** For the operator's log. */
  readonly reason: string;
};
export type Appended = Result<AuditRecord, AppendRefusal>;

export type WriterParts = {
  readonly state: LogState;
  readonly segments: Segments;
  /** Who signs until the first change of keys. */
  readonly signer: Signer;
  readonly logId: Buffer;
  readonly tee: Tee;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** Most records of one flush: what is signed at a stretch, in about 10 ms. */
const maxPerFlush = 256;

type Waiting = { readonly draft: AnyDraft; readonly resolve: (appended: Appended) => void };

/** Adds to the log, one flush after another. What is asked for during a flush goes into the next. */
export class Writer {
  readonly #parts: WriterParts;
  #signer: Signer;
  #waiting: Waiting[] = [];
  #work: Promise<void> | null = null;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#signer = parts.signer;
  }

  /** Whose key signs now. */
  get signer(): Signer {
    return this.#signer;
  }

  /** Resolves when the record is on disk, or with why it is not. */
  append(draft: AnyDraft): Promise<Appended> {
    return new Promise((resolve) => {
      this.#waiting.push({ draft, resolve });
      this.#work ??= this.#flushAll();
    });
  }

  /**
   * Adds all of the drafts in one flush, signed by `next`, who signs whatever comes after them; else none, and nothing
   * changes. They are asked for when nothing else is under way.
   */
  async rotate(next: Signer, drafts: () => readonly AnyDraft[]): Promise<Result<null, AppendRefusal>> {
    while (this.#work !== null) await this.#work;
    const rotated = this.#flushRotation(next, drafts());
    this.#work = rotated.then(() => this.#flushAll());
    return rotated;
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  async #flushAll(): Promise<void> {
    // Callers that were answered together ask together: let all of them speak first.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, maxPerFlush);
      this.#waiting = this.#waiting.slice(maxPerFlush);
      const appended = await this.#flush(batch.map(({ draft }) => draft));
      batch.forEach(({ resolve }, i) => resolve(appended[i] ?? fail(unavailable('lost'))));
      await new Promise(setImmediate);
    }
    this.#work = null;
  }

  async #flushRotation(next: Signer, drafts: readonly AnyDraft[]): Promise<Result<null, AppendRefusal>> {
    const sealed: SealedRecord[] = [];
    for (const one of this.#sealAll(drafts, next)) {
      if (!one.ok) return one;
      sealed.push(one.value);
    }
    try {
      if (sealed.length > 0) await this.#write(sealed, next);
      this.#signer = next;
      return ok(null);
    } catch (error) {
      return fail(unwritten(error));
    }
  }

  async #flush(drafts: readonly AnyDraft[]): Promise<readonly Appended[]> {
    const sealed = this.#sealAll(drafts, this.#signer);
    const good = sealed.flatMap((one) => (one.ok ? [one.value] : []));
    try {
      if (good.length > 0) await this.#write(good, this.#signer);
      return sealed.map((one) => (one.ok ? ok(one.value.record) : one));
    } catch (error) {
      const refusal = fail(unwritten(error));
      return sealed.map((one) => (one.ok ? refusal : one));
    }
  }

  /** A draft that is refused takes no place: the next one follows in its stead. */
  #sealAll(drafts: readonly AnyDraft[], signer: Signer): readonly Result<SealedRecord, AppendRefusal>[] {
    const ends = new Map<string, ChainEnd>();
    let leaf = this.#parts.state.tree.size;
    return drafts.map((draft) => {
      const end = ends.get(draft.tenantId) ?? this.#parts.state.endOf(draft.tenantId);
      const sealed = this.#seal(draft, signer, end, leaf);
      if (sealed.ok) {
        ends.set(draft.tenantId, sealed.value.record);
        leaf += 1;
      }
      return sealed;
    });
  }

  #seal(
    draft: AnyDraft,
    signer: Signer,
    end: ChainEnd,
    leafIndex: number,
  ): Result<SealedRecord, AppendRefusal> {
    const { logId, tee, now } = this.#parts;
    if (!recordDraft.safeParse(draft).success)
      return fail(invalid('a field is missing, unknown or too long'));
    const body = {
      ...draft,
      auditId: auditIdOf(logId, leafIndex),
      seq: end.seq + 1,
      leafIndex,
      at: new Date(now()).toISOString(),
      tee,
      prevChainHash: end.chainHash,
    };
    const chained = tryTo(() => chain(body));
    if (!chained.ok) return fail(invalid(`detail has no RFC 8785 text: ${chained.error}`));
    const signature = tryTo(() => signer.sign(chained.value.digest));
    if (!signature.ok) return fail(unavailable(`the signer failed: ${signature.error}`));
    const sealed = chained.value.signedWith(signature.value);
    const bytes = Buffer.byteLength(sealed.text);
    return bytes <= maxRecordBytes ? ok(sealed) : fail(invalid(`${bytes} bytes are too many`));
  }

  /** From the moment that the records are known, `signer` is who signs. */
  async #write(sealed: readonly SealedRecord[], signer: Signer): Promise<void> {
    const { segments, state, logId } = this.#parts;
    const { bytes, places } = makeFrame(sealed.map(({ text }) => text));
    const begin = await segments.append(bytes, state.tree.size);
    sealed.forEach(({ record, text }, i) => {
      const { offset, length } = places[i] ?? { offset: 0, length: 0 };
      const rotation = rotationOf(record, logId);
      if (rotation !== null) state.noteRotation(rotation, record.leafIndex);
      state.add(record, leafHash(text), { offset: begin + offset, length });
    });
    this.#signer = signer;
  }
}

const invalid = (reason: string): AppendRefusal => ({ code: 'AUDIT_RECORD_INVALID', reason });
const unwritten = (error: unknown): AppendRefusal =>
  unavailable(`the record could not be written: ${messageOf(error)}`);
const unavailable = (reason: string): AppendRefusal => ({ code: 'AUDIT_UNAVAILABLE', reason });

function tryTo<T>(act: () => T): Result<T, string> {
  try {
    return ok(act());
  } catch (error) {
    return fail(messageOf(error));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
