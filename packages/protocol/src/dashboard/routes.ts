import { accessRoutes } from './access.ts';
import { alertRoutes } from './alerts.ts';
import { approvalRoutes } from './approvals.ts';
import { complianceRoutes } from './compliance-routes.ts';
import { correctionRoutes } from './correction-routes.ts';
import { eventRoutes } from './events.ts';
import { holdRoutes } from './holds.ts';
import { mandateRoutes } from './mandate-routes.ts';
import { overviewRoutes } from './overview.ts';
import { personalDataRoutes } from './personal-data.ts';
import { siteRoutes } from './site.ts';
import { transactionRoutes } from './transaction-routes.ts';

/** Every endpoint of the dashboard API, by name (document 2, Endpoints). */
export const dashboardRoutes = {
  ...accessRoutes,
  ...complianceRoutes,
  ...correctionRoutes,
  ...mandateRoutes,
  ...holdRoutes,
  ...approvalRoutes,
  ...alertRoutes,
  ...eventRoutes,
  ...transactionRoutes,
  ...overviewRoutes,
  ...personalDataRoutes,
  ...siteRoutes,
} as const;
