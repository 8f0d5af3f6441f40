import { setTimeout as sleep } from 'node:timers/promises';
import { connectEnclave, type EnclaveClient } from './enclave-client.ts';
import type { Logger } from './logger.ts';

const patienceMs = 3_000;

/** A connection for a command, which has nothing to do without one. Throws one sentence when there is none in 3 s. */
export async function reachEnclave(socket: string, log: Logger): Promise<EnclaveClient> {
  const enclave = connectEnclave(socket, log);
  const timer = new AbortController();
  const late = sleep(patienceMs, 'late', { signal: timer.signal }).catch(() => 'given up');
  const first = await Promise.race([enclave.whenConnected(), late]);
  timer.abort();
  if (first !== 'late') return enclave;
  enclave.close();
  throw new Error(`the enclave does not answer at ${socket}: is "countersign enclave" running?`);
}
