import { controlAuditRoutes } from './audit-routes.ts';
import { controlCredentialRoutes } from './credential-routes.ts';
import { policyRoutes } from './policy-routes.ts';

/** Every endpoint of the control plane. */
export const controlRoutes = { ...controlCredentialRoutes, ...policyRoutes, ...controlAuditRoutes } as const;
