import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import type { Result } from '@countersign/protocol/result';
import type { Place } from '@countersign/protocol/vault/credential-use';
import type { OperationResult } from '@countersign/protocol/vault/sandbox';
import type { Session } from '../session.ts';
import { type Attempt, roundMs } from './attempt.ts';

/** `learned`: where its secret was allowed for the first time. */
export type Done = { readonly operation: OperationResult; readonly learned?: Place };
export type Answer = Result<Done, EnclaveRefusal>;

type Finish = Pick<OperationResult, 'status' | 'audit_id' | 'review'> &
  Partial<Pick<OperationResult, 'result' | 'error' | 'left'>>;

/** The answer to an attempt, which is told to whoever watches. */
export function finish(session: Session, attempt: Attempt, finished: Finish): Done {
  const duration_ms = roundMs(session.clock.elapsed() - attempt.startedAt);
  const { status, audit_id } = finished;
  const operation_id = attempt.operationId;
  session.tell({
    type: 'operation.finished',
    at: session.at(),
    operation_id,
    status,
    audit_id,
    duration_ms,
  });
  void session.tellState();
  return { operation: { operation_id, result: null, duration_ms, ...finished } };
}
