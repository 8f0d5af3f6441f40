import { auditRoutes } from './audit-routes.ts';
import { credentialRoutes } from './credential-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { tokenRoutes } from './token-routes.ts';

/** Every endpoint of the vault. */
export const vaultRoutes = {
  ...tokenRoutes,
  ...credentialRoutes,
  ...requestRoutes,
  ...auditRoutes,
  ...sandboxRoutes,
} as const;
