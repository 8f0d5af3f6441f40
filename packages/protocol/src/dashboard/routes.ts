import { accessRoutes } from './access.ts';
import { agentRoutes } from './agents.ts';
import { alertRoutes } from './alerts.ts';
import { approvalRoutes } from './approvals.ts';
import { businessRoutes } from './business.ts';
import type { DashboardCode } from './codes.ts';
import { complianceRoutes } from './compliance-routes.ts';
import { correctionRoutes } from './correction-routes.ts';
import type { DashboardAuth } from './dialect.ts';
import { eventRoutes } from './events.ts';
import { holdRoutes } from './holds.ts';
import type { KeyScope } from './key-scopes.ts';
import { kybRoutes } from './kyb-routes.ts';
import { mandateRoutes } from './mandate-routes.ts';
import { oauthRoutes } from './oauth.ts';
import { overviewRoutes } from './overview.ts';
import { peopleRoutes } from './people.ts';
import { payeeRoutes } from './payee-routes.ts';
import { personalDataRoutes } from './personal-data.ts';
import { providerLoginRoutes } from './provider-login.ts';
import { recoveryRoutes } from './recovery.ts';
import { siteRoutes } from './site.ts';
import { transactionRoutes } from './transaction-routes.ts';
import type { Route } from '../route.ts';

/** A route that takes an API key says which scope that key needs: one that does not is a type error. */
type Scoped =
  | (Route<DashboardCode, ByKey> & { readonly scope: KeyScope })
  | (Route<DashboardCode, Exclude<DashboardAuth, ByKey>> & { readonly scope?: never });
type ByKey = 'api-key' | 'session-or-key';

/** Every endpoint of the dashboard API, by name. */
export const dashboardRoutes = {
  ...accessRoutes,
  ...agentRoutes,
  ...complianceRoutes,
  ...correctionRoutes,
  ...payeeRoutes,
  ...businessRoutes,
  ...kybRoutes,
  ...mandateRoutes,
  ...holdRoutes,
  ...approvalRoutes,
  ...alertRoutes,
  ...eventRoutes,
  ...transactionRoutes,
  ...overviewRoutes,
  ...peopleRoutes,
  ...providerLoginRoutes,
  ...personalDataRoutes,
  ...recoveryRoutes,
  ...oauthRoutes,
  ...siteRoutes,
} as const satisfies Readonly<Record<string, Scoped>>;

/** Names of the routes that a session may call. */
export type SessionRoute = {
  [Name in keyof typeof dashboardRoutes]: (typeof dashboardRoutes)[Name]['auth'] extends
    | 'session'
    | 'session-or-key'
    ? Name
    : never;
}[keyof typeof dashboardRoutes];
