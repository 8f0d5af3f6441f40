import { ok, type Result } from '@countersign/protocol/result';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { actorOf, type Caller } from '../callers.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';

type Draft = CommandRequest<'vault.record'>['draft'];
type Change = Pick<Draft, 'eventType' | 'credentialId' | 'detail'>;

/** Ok once the record is on disk: a change that cannot be recorded is not to be made. Throws where no record can be written. */
export async function recordChange(
  enclave: Enclave,
  caller: Caller,
  change: Change,
): Promise<Result<null, Refusal>> {
  const { tenantId, agentDid } = caller;
  const who = { tenantId, actor: actorOf(caller), ...(agentDid !== null && { agentDid }) };
  const recorded = await enclave.call('vault.record', { draft: { ...change, ...who } });
  if (recorded.ok) return ok(null);
  if (recorded.error.code === 'INVALID_COMMAND') return tooLong;
  throw new EnclaveFailed('vault.record', recorded.error);
}

const tooLong = refusal('invalid_request', 'the change is too long to be recorded: make it in several steps');
