import { fail, ok, type Result } from '@countersign/protocol/result';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import type { Session } from '../session.ts';
import { WorkerFailed } from '../worker/session-worker.ts';
import type { Attempt } from './attempt.ts';

/** An attempt as it is carried out: an address that the agent read with stand-ins is opened as it stood there. */
export async function withAddress(
  { worker, about }: Session,
  attempt: Attempt,
): Promise<Result<Attempt, OperationProblem>> {
  const { operation } = attempt;
  if (operation.operation_type !== 'navigate' || about.credentials.length === 0) return ok(attempt);
  try {
    const resolved = await worker.ask('resolve', { url: operation.value });
    return 'problem' in resolved
      ? fail({ code: 'not_permitted', message: resolved.problem })
      : ok({ ...attempt, operation: { ...operation, value: resolved.url } });
  } catch (error) {
    if (error instanceof WorkerFailed)
      return fail({ code: 'timeout', message: 'The address could not be read in time.' });
    throw error;
  }
}
