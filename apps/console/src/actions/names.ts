import type { ExecutionStatus } from '@countersign/protocol/control/execution';
import type { BadgeTone } from '../ui/badge.tsx';
import type { ControlAnswer } from './http.ts';

export type Execution = ControlAnswer<'GET /v1/executions'>['items'][number];
export type WholeExecution = ControlAnswer<'GET /v1/executions/:execution_id'>;

/** The label of each state. */
export const statusNames: Readonly<Record<ExecutionStatus, string>> = {
  pending_hitl: 'Waiting for approval',
  pending: 'Approved, about to run',
  running: 'Running',
  completed: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  expired: 'Expired',
  cancelled: 'Cancelled',
  outcome_unknown: 'Outcome unknown',
};

export const statusTones: Readonly<Record<ExecutionStatus, BadgeTone>> = {
  pending_hitl: 'warn',
  pending: 'accent',
  running: 'accent',
  completed: 'ok',
  failed: 'bad',
  denied: 'plain',
  expired: 'plain',
  cancelled: 'plain',
  outcome_unknown: 'bad',
};

/** Returns the number of approvals so far. */
export const approvalsOf = ({ approval }: Pick<Execution, 'approval'>): number =>
  approval?.decisions.filter(({ decision }) => decision === 'approve').length ?? 0;

/** Returns whether only wallets are named: then a key alone cannot decide. */
export const needsWallet = ({ approval }: Pick<Execution, 'approval'>): boolean =>
  approval?.approvers.every((one) => /^0x[0-9a-fA-F]{40}$/.test(one)) ?? false;
