import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readBatchesSearch } from './actions/batches/search.ts';
import { controlPath } from './actions/location.ts';
import { readActionsSearch } from './actions/search.ts';
import { readApprovalsSearch } from './approvals/search.ts';
import { readComplianceSearch } from './compliance/search.ts';
import { Absent } from './frame/absent.tsx';
import { Frame } from './frame/frame.tsx';
import { Crashed, Lost } from './frame/lost.tsx';
import { readMandatesSearch } from './mandates/search.ts';
import { seemsSignedIn } from './session/memory.ts';
import { readSignInSearch } from './sign-in/search.ts';
import { readTransactionsSearch } from './transactions/search.ts';
import { readAuditSearch } from './vault/audit/search.ts';
import { readCredentialsSearch } from './vault/credentials/search.ts';
import { vaultUrl } from './vault/location.ts';
import { readSessionsSearch } from './vault/sessions/search.ts';
import { readPage } from './vault/tokens/search.ts';

type Context = { readonly queries: QueryClient };

/** Takes out of the address whatever a page's reader leaves out; the router would hand it through unread. */
const only =
  <T extends object>(read: (search: Record<string, unknown>) => T) =>
  (search: Record<string, unknown>): T => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  });

const root = createRootRouteWithContext<Context>()({ notFoundComponent: Lost, errorComponent: Crashed });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: only(readSignInSearch),
  component: lazyRouteComponent(() => import('./sign-in/page.tsx'), 'SignInPage'),
});

/** Everything for which somebody must be signed in. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: ({ location }) => {
    if (seemsSignedIn(new Date())) return;
    const place = location.href === '/' ? {} : { next: location.href };
    throw redirect({ to: '/sign-in', search: place, replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: lazyRouteComponent(() => import('./overview/page.tsx'), 'OverviewPage'),
});

const mandates = createRoute({
  getParentRoute: () => frame,
  path: '/mandates',
  validateSearch: only(readMandatesSearch),
  component: lazyRouteComponent(() => import('./mandates/page.tsx'), 'MandatesPage'),
});

const mandate = createRoute({
  getParentRoute: () => frame,
  path: '/mandates/$mandateId',
  component: lazyRouteComponent(() => import('./mandates/mandate-page.tsx'), 'MandatePage'),
});

const transactions = createRoute({
  getParentRoute: () => frame,
  path: '/transactions',
  validateSearch: only(readTransactionsSearch),
  component: lazyRouteComponent(() => import('./transactions/page.tsx'), 'TransactionsPage'),
});

const approvals = createRoute({
  getParentRoute: () => frame,
  path: '/approvals',
  validateSearch: only(readApprovalsSearch),
  component: lazyRouteComponent(() => import('./approvals/page.tsx'), 'ApprovalsPage'),
});

const approval = createRoute({
  getParentRoute: () => frame,
  path: '/approvals/$approvalId',
  component: lazyRouteComponent(() => import('./approvals/approval-page.tsx'), 'ApprovalPage'),
});

/** Pages of another service, or that the dashboard knows no control plane. */
const control = createRoute({
  getParentRoute: () => frame,
  path: '/actions',
  component: () => (controlPath() === null ? <Absent service="control plane" /> : <Outlet />),
});

const actions = createRoute({
  getParentRoute: () => control,
  path: '/',
  validateSearch: only(readActionsSearch),
  component: lazyRouteComponent(() => import('./actions/page.tsx'), 'ActionsPage'),
});

const batches = createRoute({
  getParentRoute: () => control,
  path: '/batches',
  validateSearch: only(readBatchesSearch),
  component: lazyRouteComponent(() => import('./actions/batches/page.tsx'), 'BatchesPage'),
});

const action = createRoute({
  getParentRoute: () => control,
  path: '/$executionId',
  component: lazyRouteComponent(() => import('./actions/action-page.tsx'), 'ActionPage'),
});

const compliance = createRoute({
  getParentRoute: () => frame,
  path: '/compliance',
  validateSearch: only(readComplianceSearch),
  component: lazyRouteComponent(() => import('./compliance/page.tsx'), 'CompliancePage'),
});

const keys = createRoute({
  getParentRoute: () => frame,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/page.tsx'), 'KeysPage'),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/page.tsx'), 'SettingsPage'),
});

/** Pages of another service, or that the dashboard knows no vault. */
const vault = createRoute({
  getParentRoute: () => frame,
  path: '/vault',
  component: () => (vaultUrl() === null ? <Absent service="vault" /> : <Outlet />),
});

const vaultStart = createRoute({
  getParentRoute: () => vault,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/vault/credentials', replace: true });
  },
});

const credentials = createRoute({
  getParentRoute: () => vault,
  path: '/credentials',
  validateSearch: only(readCredentialsSearch),
  component: lazyRouteComponent(() => import('./vault/credentials/page.tsx'), 'CredentialsPage'),
});

const tokens = createRoute({
  getParentRoute: () => vault,
  path: '/tokens',
  validateSearch: only(readPage),
  component: lazyRouteComponent(() => import('./vault/tokens/page.tsx'), 'TokensPage'),
});

const sessions = createRoute({
  getParentRoute: () => vault,
  path: '/sessions',
  validateSearch: only(readSessionsSearch),
  component: lazyRouteComponent(() => import('./vault/sessions/page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => vault,
  path: '/sessions/$sessionId',
  validateSearch: only(readPage),
  component: lazyRouteComponent(() => import('./vault/sessions/session-page.tsx'), 'SessionPage'),
});

const audit = createRoute({
  getParentRoute: () => vault,
  path: '/audit',
  validateSearch: only(readAuditSearch),
  component: lazyRouteComponent(() => import('./vault/audit/page.tsx'), 'AuditPage'),
});

const attestation = createRoute({
  getParentRoute: () => vault,
  path: '/attestation',
  component: lazyRouteComponent(() => import('./vault/attestation/page.tsx'), 'AttestationPage'),
});

const pages = frame.addChildren([
  overview,
  mandates,
  mandate,
  transactions,
  approvals,
  approval,
  compliance,
  keys,
  settings,
  control.addChildren([actions, batches, action]),
  vault.addChildren([vaultStart, credentials, tokens, sessions, session, audit, attestation]),
]);
const tree = root.addChildren([signIn, pages]);

/** Every page, loaded when it is first gone to. A page's search parameters are typed where the page lives. */
export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({ routeTree: tree, context: { queries }, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
