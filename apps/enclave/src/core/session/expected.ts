import { maxMaskWith } from '@countersign/protocol/enclave/session-commands';
import type { Told } from './mask-told.ts';

type Expected = { readonly tenantId: string; readonly told: Told[] };

/** Most sessions that are announced at a time; the ones before are not opened any more. */
const maxExpected = 256;

/** What was told of credentials since a session was announced, until it is open and hears for itself. Nothing here is opened. */
export class ExpectedSessions {
  readonly #sessions = new Map<string, Expected>();

  expect(tenantId: string, sessionId: string): void {
    this.#sessions.set(sessionId, { tenantId, told: [] });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxExpected && oldest !== undefined) this.#sessions.delete(oldest);
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
