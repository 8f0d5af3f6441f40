import { randomUUID } from 'node:crypto';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Screenshot } from '../browser/browser.ts';
import type { Outcome } from '../serve.ts';
import type { Clock } from './clock.ts';
import { digestsOf, type LeftParts, tellLeft } from './left.ts';
import { type Who, whoOf } from './records.ts';
import type { Session } from './session.ts';

/** Who has not looked for so long begins to watch anew. */
const lookedAwayMs = 60_000;
/** Pictures are on record so long after the first of them was given, at the latest. */
const unrecordedMs = 60_000;
/** Most that are not on record, of one watcher. */
const maxUnrecorded = 60;

type Picture = { readonly at: string; readonly bytes: number; readonly saltedSha256: string };

/** One watcher, and what it has received. */
type Watcher = {
  readonly who: Who;
  readonly operationId: string;
  /** Id of the record that it began. */
  readonly intent: string;
  lastSeen: number;
  /** Digest of the newest picture: one that is the same again tells nothing. */
  newest: string;
  pictures: number;
  bytes: number;
  page: string | null;
  unrecorded: Picture[];
  recording: Promise<Result<unknown, EnclaveRefusal>> | null;
};

/**
 * The live view. That somebody watches is recorded before the first picture; the pictures within a minute, together, or when the
 * session ends: after each second would be a record a second.
 */
export class Watching {
  readonly #clock: Clock;
  readonly #parts: LeftParts;
  readonly #watchers = new WeakMap<Session, Map<string, Watcher>>();

  constructor(clock: Clock, parts: LeftParts) {
    [this.#clock, this.#parts] = [clock, parts];
  }

  async frame(
    session: Session,
    watching: readonly Who[],
    take: () => Promise<Result<Screenshot, EnclaveRefusal>>,
  ): Promise<Outcome<'session.frame'>> {
    if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
    const watchers: Watcher[] = [];
    for (const who of watching) {
      const begun = await this.#begin(session, whoOf(who));
      if (!begun.ok) return begun;
      watchers.push(begun.value);
    }
    const taken = await take();
    if (!taken.ok) return taken;
    const { width, height, png } = taken.value;
    const page = await session.pageAddress();
    // What is given when it has ended would be on no record.
    if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
    const { sha256, salt, saltedSha256 } = digestsOf(this.#parts, session, session.about.sessionId, png);
    const picture = { at: session.at(), bytes: png.length, saltedSha256 };
    for (const watcher of watchers) this.#note(session, watcher, picture, page);
    return ok({ reply: { width, height, sha256, salt }, body: png });
  }

  /** Whoever watches, once that and all that could not be recorded before is on disk. */
  async #begin(session: Session, who: Who): Promise<Result<Watcher, EnclaveRefusal>> {
    const known = this.#of(session);
    const watcher = known.get(who.actor);
    if (watcher !== undefined) {
      const isAnew = this.#clock.now() - watcher.lastSeen >= lookedAwayMs;
      const isOwed = isAnew || watcher.unrecorded.length >= maxUnrecorded || this.#isLate(watcher);
      const recorded = await (isOwed ? this.#record(session, watcher) : watcher.recording);
      if (recorded?.ok === false) return recorded;
      watcher.lastSeen = this.#clock.now();
      if (!isAnew) return ok(watcher);
    }
    const operationId = randomUUID();
    const recorded = await session.record({
      eventType: 'sandbox_operation',
      who,
      detail: { phase: 'intent', operationType: 'watch', operationId },
    });
    if (!recorded.ok) return recorded;
    // Another process may have begun for the same one meanwhile.
    const other = known.get(who.actor);
    if (other !== undefined && other !== watcher) return ok(other);
    const begun: Watcher = {
      who,
      operationId,
      intent: recorded.value,
      lastSeen: this.#clock.now(),
      newest: '',
      pictures: 0,
      bytes: 0,
      page: null,
      unrecorded: [],
      recording: null,
    };
    known.set(who.actor, begun);
    return ok(begun);
  }

  /** Pictures that could not be recorded when it was time. */
  #isLate({ unrecorded: [first] }: Watcher): boolean {
    return first !== undefined && this.#clock.now() - Date.parse(first.at) >= unrecordedMs;
  }

  #of(session: Session): Map<string, Watcher> {
    const known = this.#watchers.get(session);
    if (known !== undefined) return known;
    const none = new Map<string, Watcher>();
    this.#watchers.set(session, none);
    session.beforeEnd(async () => {
      const recorded = await Promise.all([...none.values()].map((watcher) => this.#record(session, watcher)));
      return recorded.find((one) => !one.ok) ?? ok(null);
    });
    return none;
  }

  #note(session: Session, watcher: Watcher, picture: Picture, page: string | null): void {
    if (watcher.newest === picture.saltedSha256) return;
    watcher.newest = picture.saltedSha256;
    watcher.pictures += 1;
    watcher.bytes += picture.bytes;
    watcher.page = page;
    if (watcher.unrecorded.push(picture) === 1)
      this.#clock.after(unrecordedMs, () => void this.#record(session, watcher));
  }

  /** Those of one watcher, one record at a time. */
  async #record(session: Session, watcher: Watcher): Promise<Result<unknown, EnclaveRefusal>> {
    while (watcher.recording !== null) await watcher.recording;
    watcher.recording = this.#recordNow(session, watcher);
    const recorded = await watcher.recording;
    watcher.recording = null;
    return recorded;
  }

  async #recordNow(session: Session, watcher: Watcher): Promise<Result<unknown, EnclaveRefusal>> {
    const { who, operationId, intent, page } = watcher;
    const pictures = watcher.unrecorded;
    if (pictures.length === 0) return ok(null);
    watcher.unrecorded = [];
    const bytes = pictures.reduce((sum, picture) => sum + picture.bytes, 0);
    const recorded = await session.record({
      eventType: 'content_left',
      who,
      detail: { what: 'live_view', mediaType: 'image/png', page, bytes, pictures, operationId, intent },
    });
    if (!recorded.ok) {
      watcher.unrecorded = [...pictures, ...watcher.unrecorded];
      return recorded;
    }
    const left = { audit_id: recorded.value, what: 'live_view', media_type: 'image/png', page } as const;
    const sum = { pictures: watcher.pictures, bytes: watcher.bytes };
    const asked = { operationId, intent, operation: { operation_type: 'watch' } } as const;
    tellLeft(session, who, asked, { ...left, ...sum });
    return recorded;
  }
}
