import type { CommandReply } from '@countersign/protocol/enclave/commands';
import { background } from '@countersign/service/background';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import type { Logger } from '@countersign/service/logger';

type Described = CommandReply<'describe'>;

/** Describes what protects the keys, for `/health` and the log. */
const toldTee = (described: Described | null): string => {
  if (described === null) return 'unknown: the enclave has not been reached yet';
  const { kind, trust } = described.tee;
  return trust === 'simulated' ? 'SIMULATED: no hardware protects this control plane' : kind;
};

/** Asks the enclave what protects it as soon as it is there, and says so in the log. */
export function introduce(enclave: EnclaveClient, log: Logger): () => string {
  let known: Described | null = null;
  const ask = async () => {
    await enclave.whenConnected();
    const answer = await enclave.call('describe', {});
    if (!answer.ok) return;
    known = answer.value.reply;
    log.info({ tee: known.tee }, `enclave: ${toldTee(known)}`);
  };
  background(log, 'ask the enclave who it is', ask());
  return () => toldTee(known);
}
