import type { ExecutionProblem, ExecutionStatus } from '@countersign/protocol/control/execution';
import type { RotationState } from '@countersign/protocol/control/rotation';

/** A fact learned about a rotation, or a decision about it. */
export type RotationEvent =
  /** Whether the service took the next value; `check`: there is an action that can tell. */
  | { readonly of: 'operation'; readonly outcome: 'done' | 'not_done' | 'unknown'; readonly check: boolean }
  | { readonly of: 'check'; readonly answer: 'works' | 'unknown' }
  | { readonly of: 'person'; readonly valid: 'next' | 'current' | 'check' }
  /** Another value was put, or the credential deleted. */
  | { readonly of: 'credential' };

/** The state that follows; null where the event does not fit this one, and nothing changes. */
export function step(state: RotationState, event: RotationEvent): RotationState | null {
  switch (state) {
    case 'running':
      return event.of === 'operation' ? afterOperation(event) : null;
    case 'checking':
      // That it is refused now is no proof: the operation may still be under way there, and be done later.
      if (event.of !== 'check') return null;
      return event.answer === 'works' ? 'confirmed' : 'unresolved';
    case 'unresolved':
      if (event.of === 'person') return said[event.valid];
      return event.of === 'credential' ? 'superseded' : null;
    case 'confirmed':
    case 'failed':
    case 'superseded':
      return null;
  }
}

/** A 2xx alone does not prove that the value was taken: 202 promises, and unknown members are often ignored. So a check has the last word. */
function afterOperation({ outcome, check }: Extract<RotationEvent, { of: 'operation' }>): RotationState {
  if (outcome === 'not_done') return 'failed';
  if (check) return 'checking';
  return outcome === 'done' ? 'confirmed' : 'unresolved';
}

const said = { next: 'confirmed', current: 'failed', check: 'checking' } as const;

/** Returns whether the rotation is open: both values are kept, and the current one is used. */
export const isOpen = (state: RotationState): boolean =>
  state === 'running' || state === 'checking' || state === 'unresolved';

type Ended = { readonly status: ExecutionStatus; readonly problem: ExecutionProblem | null };

/** Statuses that may come from a proxy in front of the service, before the service has acted. */
const ambiguous = new Set([408, 409, 425, 429]);
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !ambiguous.has(status);

/**
 * Returns whether an operation that ended was done. Only what is sure to have changed nothing is `not_done`.
 */
export function outcomeOf({ status, problem }: Ended): 'done' | 'not_done' | 'unknown' {
  switch (status) {
    case 'completed':
      return 'done';
    case 'denied':
    case 'expired':
    case 'cancelled':
      return 'not_done';
    case 'failed':
      return afterFailure(problem);
    case 'outcome_unknown':
    case 'pending':
    case 'pending_hitl':
    case 'running':
      return 'unknown';
  }
}

function afterFailure(problem: ExecutionProblem | null): 'not_done' | 'unknown' {
  const answered = problem?.target_status;
  if (answered !== undefined) return isRefusal(answered) ? 'not_done' : 'unknown';
  // With an answer of which no status is told nobody knows; without one nothing was sent, or it would be `outcome_unknown`.
  return problem === null || problem.code === 'target_error' ? 'unknown' : 'not_done';
}

/** Returns whether a check says that the next value works. */
export const answerOf = ({ status }: Pick<Ended, 'status'>): 'works' | 'unknown' =>
  status === 'completed' ? 'works' : 'unknown';
