import { ended, type ExecutionStatus } from '@countersign/protocol/control/execution';

/** The transitions between states. INVARIANT: an end is final, and only a `pending` execution can run. */
const next: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  pending_hitl: ['pending', 'denied', 'expired', 'cancelled'],
  // Where an attempt was cut off before, nothing but `running` and `outcome_unknown` follows.
  pending: ['running', 'denied', 'failed', 'cancelled', 'outcome_unknown'],
  // Back to `pending` only where doing it again is safe.
  running: ['completed', 'failed', 'outcome_unknown', 'pending'],
  completed: [],
  failed: [],
  denied: [],
  expired: [],
  cancelled: [],
  outcome_unknown: [],
};

/** States from which one may go over to `status`. */
export const before = (status: ExecutionStatus): ExecutionStatus[] =>
  (Object.keys(next) as ExecutionStatus[]).filter((from) => next[from].includes(status));

export const isEnded = (status: ExecutionStatus): boolean =>
  (ended as readonly ExecutionStatus[]).includes(status);
