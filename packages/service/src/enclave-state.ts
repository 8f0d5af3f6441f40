import { setTimeout as sleep } from 'node:timers/promises';
import type { EnclaveClient } from './enclave-client.ts';

export type EnclaveState = {
  /** Records of the audit log. */
  readonly size: number;
  /** How often its core was restarted, because it had died or did not respond. */
  readonly restarts: number;
};

/** Who has not answered by then, in milliseconds, does not answer. */
const patienceMs = 2_000;

/** Returns the enclave's state; null if it cannot be reached or does not answer within 2 s. */
export async function enclaveState(enclave: Pick<EnclaveClient, 'call'>): Promise<EnclaveState | null> {
  const asked = Promise.all([enclave.call('audit.checkpoint', {}), enclave.call('describe', {})]);
  const waiting = new AbortController();
  const late = sleep(patienceMs, null, { signal: waiting.signal }).catch(() => null);
  const answers = await Promise.race([asked.catch(() => null), late]);
  waiting.abort();
  if (answers === null) return null;
  const [audit, described] = answers;
  if (!audit.ok || !described.ok) return null;
  return { size: audit.value.reply.size, restarts: described.value.reply.restarts };
}
