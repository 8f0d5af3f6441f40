import type { actionTokenRoutes } from '@countersign/protocol/control/action-token-routes';
import type { decisionRoutes } from '@countersign/protocol/control/decision-routes';
import { type UseParts, useBatch } from '../batches/use.ts';
import type { ControlHandlers } from '../callers.ts';
import type { Approvals } from '../executions/create.ts';
import type { Jobs } from '../jobs.ts';
import { type DecideParts, decideExecution } from './decide.ts';
import { watchExpiry } from './expiry.ts';
import { actionKey, verifyActionToken } from './verify-token.ts';

/** What executions ask of people through: a batch where one fits, else whoever decides in time. */
export const approvalsBy = (parts: UseParts & { readonly jobs: Pick<Jobs, 'add'> }): Approvals => ({
  useBatch: (db, execution, params) => useBatch(parts, db, execution, params),
  begin: (db, execution) => watchExpiry(parts.jobs, db, execution),
});

/** What people say of executions, and what is asked about action tokens. */
export const decisionHandlers = (
  parts: DecideParts,
): Pick<ControlHandlers, keyof typeof decisionRoutes | keyof typeof actionTokenRoutes> => ({
  decideExecution: decideExecution(parts),
  verifyActionToken: verifyActionToken(parts),
  actionKey: actionKey(parts),
});
