import { maxMaskWith } from '@countersign/protocol/enclave/session-commands';
import type { Told } from './mask-told.ts';

type Expected = { readonly tenantId: string; readonly told: Told[]; readonly since: number };

/** Most sessions that a tenant announces at a time; its own before them are not opened any more. */
const maxOfTenant = 32;
/**
 * Longest time between announcing a session and opening it, in milliseconds. After that it cannot be opened.
 */
const maxWaitMs = 5 * 60_000;

/** Collects the news about credentials between a session's announcement and its opening. Decrypts nothing. */
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

  /** Adds news for the tenant's announced sessions. A session with too much of it can no longer be opened. */
  tell(tenantId: string, told: Told): void {
    for (const [sessionId, expected] of this.#sessions) {
      if (expected.tenantId !== tenantId) continue;
      expected.told.push(told);
      if (expected.told.length > maxMaskWith) this.#sessions.delete(sessionId);
    }
  }

  /** Returns the news since the last call; null if the session is no longer expected. */
  take(sessionId: string): readonly Told[] | null {
    return this.#sessions.get(sessionId)?.told.splice(0) ?? null;
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
