import { controlAuditRoutes } from './audit-routes.ts';
import { controlCredentialRoutes } from './credential-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Every endpoint of the control plane. */
export const controlRoutes = {
  ...controlCredentialRoutes,
  ...policyRoutes,
  ...controlAuditRoutes,
  ...webhookRoutes,
} as const;
