import { auditRoutes } from './audit-routes.ts';
import { credentialRoutes } from './credential-routes.ts';
import { tokenRoutes } from './token-routes.ts';

/** Every endpoint of the vault but those of browser sessions. */
export const vaultRoutes = { ...tokenRoutes, ...credentialRoutes, ...auditRoutes } as const;
