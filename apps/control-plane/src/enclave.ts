import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';
import type { EnclaveClient } from '@countersign/service/enclave-client';

/** All that the control plane can do with the enclave. */
export type Enclave = Pick<EnclaveClient, 'call' | 'connected'>;

/** The answer to a question that the enclave has no reason to refuse. Throws when it does: nobody out there can mend that. */
export async function ask<C extends EnclaveCommand>(
  enclave: Enclave,
  command: C,
  request: CommandRequest<C>,
): Promise<CommandReply<C>> {
  const answer = await enclave.call(command, request);
  if (!answer.ok) throw new Error(`the enclave refused ${command}: ${answer.error.code}`);
  return answer.value.reply;
}
