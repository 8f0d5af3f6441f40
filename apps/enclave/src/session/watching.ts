import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Screenshot } from '../browser/browser.ts';
import type { Outcome } from '../core/serve.ts';
import type { Clock } from './clock.ts';
import type { Session } from './session.ts';

/** Who has not looked for so long begins to watch anew. */
const lookedAwayMs = 60_000;

/** Frames of the live view. That somebody watches is recorded when it begins, not with each frame. */
export class Watching {
  readonly #clock: Clock;
  readonly #lastSeen = new WeakMap<Session, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async frame(
    session: Session,
    actor: string,
    take: () => Promise<Result<Screenshot, EnclaveRefusal>>,
  ): Promise<Outcome<'session.screenshot'>> {
    if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
    const begun = await this.#begin(session, actor);
    if (!begun.ok) return begun;
    const taken = await take();
    if (!taken.ok) return taken;
    const { width, height, png } = taken.value;
    return ok({ reply: { width, height, ...begun.value }, body: png });
  }

  async #begin(session: Session, actor: string): Promise<Result<{ auditId?: string }, EnclaveRefusal>> {
    const now = this.#clock.now();
    const seen = this.#lastSeen.get(session) ?? new Map<string, number>();
    this.#lastSeen.set(session, seen);
    const last = seen.get(actor);
    if (last !== undefined && now - last < lookedAwayMs) {
      seen.set(actor, now);
      return ok({});
    }
    const recorded = await session.record({
      eventType: 'sandbox_operation',
      actor,
      detail: { phase: 'intent', operationType: 'watch' },
    });
    if (!recorded.ok) return recorded;
    seen.set(actor, now);
    return ok({ auditId: recorded.value });
  }
}
