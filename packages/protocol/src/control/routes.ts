import { actionTokenRoutes } from './action-token-routes.ts';
import { controlAuditRoutes } from './audit-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { controlCredentialRoutes } from './credential-routes.ts';
import { connectorRoutes } from './connector-routes.ts';
import { decisionRoutes } from './decision-routes.ts';
import { executionRoutes } from './execution-routes.ts';
import { personRoutes } from './person-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Every endpoint of the control plane. */
export const controlRoutes = {
  ...controlCredentialRoutes,
  ...policyRoutes,
  ...batchRoutes,
  ...connectorRoutes,
  ...executionRoutes,
  ...decisionRoutes,
  ...actionTokenRoutes,
  ...controlAuditRoutes,
  ...webhookRoutes,
  ...personRoutes,
} as const;
