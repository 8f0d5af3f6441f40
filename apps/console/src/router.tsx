import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readBatchesSearch } from './actions/batches/search.ts';
import { readServiceCredentialsSearch } from './actions/credentials/search.ts';
import { controlPath } from './actions/location.ts';
import { readActionsSearch } from './actions/search.ts';
import { readAgentsSearch } from './agents/search.ts';
import { readApprovalsSearch } from './approvals/search.ts';
import { readComplianceSearch } from './compliance/search.ts';
import { Absent } from './frame/absent.tsx';
import { Frame } from './frame/frame.tsx';
import { lazyPage } from './frame/lazy-page.tsx';
import { Crashed, Lost } from './frame/lost.tsx';
import { readMandatesSearch } from './mandates/search.ts';
import { seemsSignedIn } from './session/memory.ts';
import { readPeopleSearch } from './people/search.ts';
import { readSignInSearch } from './sign-in/search.ts';
import { readTransactionsSearch } from './transactions/search.ts';
import { readAuditSearch } from './vault/audit/search.ts';
import { readCredentialsSearch } from './vault/credentials/search.ts';
import { vaultUrl } from './vault/location.ts';
import { readSessionSearch, readSessionsSearch } from './vault/sessions/search.ts';
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
  component: lazyPage(() => import('./sign-in/page.tsx'), 'SignInPage'),
});

const signInReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/return',
  component: lazyPage(() => import('./sign-in/return-page.tsx'), 'ReturnPage'),
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('./join/page.tsx'), 'JoinPage'),
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
  component: lazyPage(() => import('./overview/page.tsx'), 'OverviewPage'),
});

const agents = createRoute({
  getParentRoute: () => frame,
  path: '/agents',
  validateSearch: only(readAgentsSearch),
  component: lazyPage(() => import('./agents/page.tsx'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId',
  component: lazyPage(() => import('./agents/agent-page.tsx'), 'AgentPage'),
});

const mandates = createRoute({
  getParentRoute: () => frame,
  path: '/mandates',
  validateSearch: only(readMandatesSearch),
  component: lazyPage(() => import('./mandates/page.tsx'), 'MandatesPage'),
});

const mandate = createRoute({
  getParentRoute: () => frame,
  path: '/mandates/$mandateId',
  component: lazyPage(() => import('./mandates/mandate-page.tsx'), 'MandatePage'),
});

const transactions = createRoute({
  getParentRoute: () => frame,
  path: '/transactions',
  validateSearch: only(readTransactionsSearch),
  component: lazyPage(() => import('./transactions/page.tsx'), 'TransactionsPage'),
});

const approvals = createRoute({
  getParentRoute: () => frame,
  path: '/approvals',
  validateSearch: only(readApprovalsSearch),
  component: lazyPage(() => import('./approvals/page.tsx'), 'ApprovalsPage'),
});

const approval = createRoute({
  getParentRoute: () => frame,
  path: '/approvals/$approvalId',
  component: lazyPage(() => import('./approvals/approval-page.tsx'), 'ApprovalPage'),
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
  component: lazyPage(() => import('./actions/page.tsx'), 'ActionsPage'),
});

const batches = createRoute({
  getParentRoute: () => control,
  path: '/batches',
  validateSearch: only(readBatchesSearch),
  component: lazyPage(() => import('./actions/batches/page.tsx'), 'BatchesPage'),
});

const serviceCredentials = createRoute({
  getParentRoute: () => control,
  path: '/credentials',
  validateSearch: only(readServiceCredentialsSearch),
  component: lazyPage(() => import('./actions/credentials/page.tsx'), 'ServiceCredentialsPage'),
});

const action = createRoute({
  getParentRoute: () => control,
  path: '/$executionId',
  component: lazyPage(() => import('./actions/action-page.tsx'), 'ActionPage'),
});

const compliance = createRoute({
  getParentRoute: () => frame,
  path: '/compliance',
  validateSearch: only(readComplianceSearch),
  component: lazyPage(() => import('./compliance/page.tsx'), 'CompliancePage'),
});

const keys = createRoute({
  getParentRoute: () => frame,
  path: '/keys',
  component: lazyPage(() => import('./keys/page.tsx'), 'KeysPage'),
});

const people = createRoute({
  getParentRoute: () => frame,
  path: '/people',
  validateSearch: only(readPeopleSearch),
  component: lazyPage(() => import('./people/page.tsx'), 'PeoplePage'),
});

const connect = createRoute({
  getParentRoute: () => frame,
  path: '/keys/connect',
  component: lazyPage(() => import('./connect/page.tsx'), 'ConnectPage'),
});

const connectClient = createRoute({
  getParentRoute: () => frame,
  path: '/connect/$uid',
  component: lazyPage(() => import('./connections/page.tsx'), 'ConnectClientPage'),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  component: lazyPage(() => import('./settings/page.tsx'), 'SettingsPage'),
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
  component: lazyPage(() => import('./vault/credentials/page.tsx'), 'CredentialsPage'),
});

const tokens = createRoute({
  getParentRoute: () => vault,
  path: '/tokens',
  validateSearch: only(readPage),
  component: lazyPage(() => import('./vault/tokens/page.tsx'), 'TokensPage'),
});

const sessions = createRoute({
  getParentRoute: () => vault,
  path: '/sessions',
  validateSearch: only(readSessionsSearch),
  component: lazyPage(() => import('./vault/sessions/page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => vault,
  path: '/sessions/$sessionId',
  validateSearch: only(readSessionSearch),
  component: lazyPage(() => import('./vault/sessions/session-page.tsx'), 'SessionPage'),
});

const audit = createRoute({
  getParentRoute: () => vault,
  path: '/audit',
  validateSearch: only(readAuditSearch),
  component: lazyPage(() => import('./vault/audit/page.tsx'), 'AuditPage'),
});

const attestation = createRoute({
  getParentRoute: () => vault,
  path: '/attestation',
  component: lazyPage(() => import('./vault/attestation/page.tsx'), 'AttestationPage'),
});

const pages = frame.addChildren([
  overview,
  agents,
  agent,
  mandates,
  mandate,
  transactions,
  approvals,
  approval,
  compliance,
  keys,
  people,
  connect,
  connectClient,
  settings,
  control.addChildren([actions, batches, serviceCredentials, action]),
  vault.addChildren([vaultStart, credentials, tokens, sessions, session, audit, attestation]),
]);
const tree = root.addChildren([signIn, signInReturn, join, pages]);

/** Every page, loaded when it is first gone to. A page's search parameters are typed where the page lives. */
export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({ routeTree: tree, context: { queries }, defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
