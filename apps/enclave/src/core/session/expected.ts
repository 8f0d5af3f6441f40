import { maxMaskWith } from '@countersign/protocol/enclave/session-commands';
import type { Told } from './mask-told.ts';

type Expected = { readonly tenantId: string; readonly told: Told[]; readonly since: number };

/** Most sessions that a tenant announces at a time; its own before them are not opened any more. */
const maxOfTenant = 32;
/** One that is not opened for so long never is, in milliseconds. */
const maxWaitMs = 5 * 60_000;

/** What was told of credentials since a session was announced, until it is open and hears for itself. Nothing here is opened. */
export class ExpectedSessions {
  readonly #sessions = new Map<string, Expected>();
  readonly #elapsed: () => number;

  /** `elapsed`: milliseconds of a clock that nobody sets. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  expect(tenantId: string, sessionId: string): void {
    const now = this.#elapsed();
    for (const [id, { since }] of this.#sessions) if (now - since > maxWaitMs) this.#sessions.delete(id);
    this.#sessions.set(sessionId, { tenantId, told: [], since: now });
    const [oldest = '', ...others] = [...this.#sessions].flatMap(([id, one]) =>
      one.tenantId === tenantId ? [id] : [],
    );
    if (others.length >= maxOfTenant) this.#sessions.delete(oldest);
  }

  isExpected(tenantId: string, sessionId: string): boolean {
    return this.#sessions.get(sessionId)?.tenantId === tenantId;
  }

  /** One that would have to hear too much is not opened any more. */
  tell(tenantId: string, told: Told): void {
    for (const [sessionId, expected] of this.#sessions) {
      if (expected.tenantId !== tenantId) continue;
      expected.told.push(told);
      if (expected.told.length > maxMaskWith) this.#sessions.delete(sessionId);
    }
  }

  /** What was told since this was asked last; null where it is not known any more. */
  take(sessionId: string): readonly Told[] | null {
    return this.#sessions.get(sessionId)?.told.splice(0) ?? null;
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
