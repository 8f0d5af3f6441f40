import type { actionTokenRoutes } from '@countersign/protocol/control/action-token-routes';
import type { decisionRoutes } from '@countersign/protocol/control/decision-routes';
import { type UseParts, useBatch } from '../batches/use.ts';
import type { ControlHandlers } from '../callers.ts';
import type { Approvals } from '../executions/create.ts';
import type { Jobs } from '../jobs.ts';
import { type DecideParts, decideExecution } from './decide.ts';
import { watchExpiry } from './expiry.ts';
import { actionKey, verifyActionToken } from './verify-token.ts';

/**
 * Answers an execution's request for approval: with a matching batch if there is one, otherwise by asking
 * people.
 */
export const approvalsBy = (parts: UseParts & { readonly jobs: Pick<Jobs, 'add'> }): Approvals => ({
  useBatch: (db, execution, params) => useBatch(parts, db, execution, params),
  begin: (db, execution) => watchExpiry(parts.jobs, db, execution),
});

/** Handles people's decisions about executions, and checks of action tokens. */
export const decisionHandlers = (
  parts: DecideParts,
): Pick<ControlHandlers, keyof typeof decisionRoutes | keyof typeof actionTokenRoutes> => ({
  decideExecution: decideExecution(parts),
  verifyActionToken: verifyActionToken(parts),
  actionKey: actionKey(parts),
});
