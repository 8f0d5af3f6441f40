import type { Address } from '@countersign/protocol/address';
import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { ok } from '@countersign/protocol/result';
import { usdcOn } from '@countersign/protocol/dashboard/usdc';
import { contractWallets } from '@countersign/service/ethereum/contract-wallet';
import { type Every } from '@countersign/service/every';
import { createHttpApp } from '@countersign/service/http';
import { type Logger } from '@countersign/service/logger';
import { createMetrics } from '@countersign/service/metrics';
import { createRateLimit } from '@countersign/service/rate-limit';
import { type Site } from '@countersign/service/site';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import { type Tracer } from '@countersign/service/trace';
import { accountHandlers } from './accounts/routes.ts';
import { findAccount } from './accounts/store.ts';
import { kycProvider, kytProvider } from './providers.ts';
import { agentHandlers } from './agents/routes.ts';
import { alertHandlers } from './alerts/routes.ts';
import { approvalHandlers, inboxHandlers } from './approvals/routes.ts';
import { dashboardRoutesByRole } from './auth/allowed.ts';
import { keyIdentifier, keyIn } from './auth/identify-key.ts';
import { keyHandlers } from './auth/key-routes.ts';
import { identifyReader } from './auth/identify-reader.ts';
import { authHandlers } from './auth/routes.ts';
import { createSessions, type Sessions } from './auth/session.ts';
import { signatureJudge, walletJudge } from './auth/wallet-signature.ts';
import { businessHandlers } from './business/routes.ts';
import type { DashboardCallers, DashboardHandlers } from './callers.ts';
import { erasedIdentities } from './compliance/erased-identity.ts';
import { createEvidence } from './compliance/evidence.ts';
import { createKyc, type Kyc } from './compliance/kyc.ts';
import { createKyt, type Kyt } from './compliance/kyt.ts';
import { complianceHandlers } from './compliance/routes.ts';
import { type Sealer } from './compliance/seal.ts';
import { findWithdrawal } from './compliance/withdrawal-store.ts';
import type { ReviewConfig } from './compliance/operators.ts';
import type { KybConfig, KycConfig, KytConfig } from './provider-config.ts';
import { docsSite } from './docs/site.ts';
import { type Events } from './events/events.ts';
import type { FetchPublic } from './fetch-public.ts';
import { eventHandlers } from './events/routes.ts';
import type { RandomBytes } from './ids.ts';
import { holdHandlers } from './holds/routes.ts';
import type { Kyb } from './kyb/kyb.ts';
import { kybHandlers } from './kyb/routes.ts';
import { managementHandlers } from './mandates/management.ts';
import { mandateHandlers } from './mandates/routes.ts';
import { type FetchDocument } from './oauth/fetch-document.ts';
import { openOauth, serveOauth } from './oauth/serve.ts';
import { connectionHandlers, type OauthParts } from './oauth/routes.ts';
import { gatewayHandlers } from './oauth/gateway-routes.ts';
import { overviewHandlers } from './overview/routes.ts';
import { onRecord } from './people/on-record.ts';
import { createPasskeys } from './people/passkeys.ts';
import { createPasswords } from './people/passwords.ts';
import { invitationHandlers } from './people/invitation-routes.ts';
import { peopleHandlers } from './people/routes.ts';
import { signInHandlers } from './people/sign-in-routes.ts';
import { providerLoginHandlers } from './provider-login/routes.ts';
import type { ProviderSettings } from './provider-login/settings.ts';
import { personalDataHandlers } from './personal/routes.ts';
import { recoveryHandlers } from './recovery/routes.ts';
import type { Delays } from './recovery/show.ts';
import { reviewOpener } from './payees/open-review.ts';
import { partyLookUp } from './payees/look-up.ts';
import { payeeHandlers } from './payees/routes.ts';
import { transactionHandlers } from './transactions/routes.ts';
import { sumHandlers } from './transactions/sums-routes.ts';
import { type Claimed, transferOf } from './transfers/transfer.ts';

/** The dashboard's dependencies besides its database. */
export type World = {
  readonly now: () => Date;
  readonly random: RandomBytes;
  readonly log: Logger;
  readonly tracer: Tracer;
  readonly every: Every;
  /** The console; null serves the API alone. */
  readonly site: Site | null;
  /** Fetches a client's metadata document. */
  readonly fetchDocument: FetchDocument;
  /** Fetches a payee's domain file. */
  readonly fetchPublic: FetchPublic;
};

export type DashboardSettings = {
  readonly chainId: number;
  readonly chainIsLocal: boolean;
  /** Origins under which browsers reach us; the first is the public one. */
  readonly origins: readonly [string, ...string[]];
  /** A node of that chain; null: wallets that are contracts can neither log in nor sign. */
  readonly rpcUrl: URL | null;
  readonly operators: ReadonlySet<Address>;
  readonly limits: { readonly logins: number; readonly requests: number };
  readonly kyc: KycConfig;
  readonly kyb: KybConfig;
  readonly review: ReviewConfig;
  readonly kyt: KytConfig;
  /** Whether clients can be connected by OAuth. */
  readonly oauth: boolean;
  /** The OpenID Connect provider through which people sign in; null: none. */
  readonly providerLogin: ProviderSettings | null;
  /** Null: nobody can hand in an identity, and no arguments of approvals are kept. */
  readonly sealer: Sealer | null;
  /** So long after the decision the personal data of a rejected submission are kept. */
  readonly kycRetentionDays: number;
  readonly recovery: Delays;
};

type Settings = DashboardSettings & {
  readonly sessions: Sessions;
  /** Checks of businesses by the chosen provider; null where operators alone check them. */
  readonly checks: Kyb | null;
};

export function openSessions(pool: Pool, origins: DashboardSettings['origins'], { now, random, log }: World) {
  return createSessions({ pool, origins, secureCookie: isSecure(origins), now, random, log });
}

/** Returns whether a cookie of ours is sent over TLS alone. */
const isSecure = (origins: DashboardSettings['origins']): boolean =>
  !isLoopback(origins[0]) || origins.some((origin) => origin.startsWith('https:'));

const nodeTimeoutMs = 5_000;

/** The dashboard's HTTP API on a database that is up to date. Opens no port: see `start.ts`. */
export async function createDashboard(pool: Pool, settings: Settings, events: Events, world: World) {
  const { now, random, log, tracer } = world;
  const { tell } = events;
  const { chainId, origins, operators, sealer, sessions, checks: kyb } = settings;
  const { kyc, kyt } = createCompliance(pool, settings, world);
  const server = await openOauth(pool, settings, world);
  const contractSigned = contractsOf(settings, log);
  const whyNotSigned = signatureJudge(contractSigned);
  const deciding = decisionParts(pool, settings, { kyc, contractSigned }, world);
  const proving = { pool, rules: { origins, chainId }, contractSigned, now };
  const handlers: DashboardHandlers = {
    ...authHandlers({ ...proving, sessions, random, tell }),
    ...(await whoActs({ ...settings, ...world, pool, secureCookie: isSecure(origins), sessions, tell })),
    ...personalDataHandlers({ ...settings, ...proving, sessions, tell, log }),
    ...recoveryHandlers({ ...settings, pool, whyNotSigned, now, random, tell }),
    ...accountHandlers(pool, operators),
    ...mandateHandlers({ pool, chainId, now, random, tell, whyNotSigned }),
    ...managementHandlers({ pool, chainId, now, random, tell }),
    ...holdHandlers(pool, { now, chainId, log, tell, lookUp: kyc.lookUp }),
    ...agentHandlers({ pool, chainId, now, random, tell, whyNotSigned }),
    ...oauthHandlers({ pool, server, now, random, log }),
    ...alertHandlers(pool, now, tell),
    ...eventHandlers(events),
    ...approvalHandlers({ pool, sealer, now, tell }),
    ...inboxHandlers({ pool, sealer, now, tell, whyNotSigned }),
    ...transactionHandlers({ ...deciding, tell, isLookedFor: lookedForBy(settings) }),
    ...sumHandlers(pool, now),
    ...overviewHandlers(pool, now),
    ...complianceHandlers({ ...deciding, kyt, kyb }),
    ...payeeHandlers(deciding),
    ...businessHandlers(deciding),
    ...kybHandlers({ ...deciding, kyb }),
    site: async () => ok(siteOf(settings, origins[0])),
  };
  const { requests, admit } = limitsOf(settings, now);
  const byKey = keyIdentifier(pool, now, log);
  const app = createHttpApp<typeof dashboardRoutes, DashboardCallers, DashboardCode>({
    title: 'Countersign dashboard',
    table: dashboardRoutesByRole,
    dialect: dashboardDialect,
    handlers: onRecord(handlers, pool, now),
    authenticate: {
      'api-key': ({ body, route }) => byKey(keyIn(body), route),
      session: ({ headers, route }) => sessions.identify(headers, route),
      'session-or-key': ({ headers, route }) => identifyReader(headers, route, sessions, byKey),
    },
    admit,
    ready: () => readiness(pool, settings, kyt),
    metrics: createMetrics('dashboard'),
    tracer,
    log,
    site: siteFor(world),
  });
  if (server !== null)
    serveOauth(app, { ...server, requests, arrivals: createRateLimit(settings.limits.logins, now) });
  return app;
}

function siteFor({ site }: World): Site {
  const docs = docsSite();
  return (request) => docs(request) ?? site?.(request) ?? null;
}

/** Asks wallets that are contracts what they signed; null where there is no node to ask. */
export const contractsOf = (
  { rpcUrl, chainId }: Pick<DashboardSettings, 'rpcUrl' | 'chainId'>,
  log: Logger,
) => (rpcUrl === null ? null : contractWallets({ rpcUrl, chainId, timeoutMs: nodeTimeoutMs, log }));

function limitsOf({ limits }: DashboardSettings, now: () => Date) {
  // Whoever guesses passwords from a shared address locks nobody's wallet out there.
  const [logins, wallets] = [createRateLimit(limits.logins, now), createRateLimit(limits.logins, now)];
  const ways = (route: string | null) => (route === 'login' ? wallets : isLogin(route) ? logins : null);
  const requests = createRateLimit(limits.requests, now);
  // A gateway asks about tokens and pays from one address: neither takes the other's room.
  const questions = createRateLimit(limits.requests, now);
  const admit = (address: string, route: string | null) =>
    route === 'introspectTokens'
      ? questions.take(address)
      : (requests.take(address) ?? ways(route)?.take(address) ?? null);
  return { requests, admit };
}

/**
 * Returns the parts that operators' decisions use, and the links from business records to look-ups and
 * reports.
 */
function decisionParts(
  pool: Pool,
  settings: DashboardSettings,
  { kyc, contractSigned }: { readonly kyc: Kyc; readonly contractSigned: ReturnType<typeof contractsOf> },
  { now, random, log, fetchPublic }: World,
) {
  const { operators, review, sealer, chainId } = settings;
  const chain = `eip155:${chainId}`;
  const lookUpParty = partyLookUp({ pool, kyc, validity: { days: review.validDays }, chain, now });
  return {
    pool,
    kyc,
    sealer,
    operators,
    review,
    chain,
    now,
    random,
    log,
    fetchPublic,
    signedBy: walletJudge(pool, contractSigned),
    fourEyes: { required: review.fourEyes, operators },
    lookUpParty,
    openReview: reviewOpener({ pool, chain, lookUp: kyc.lookUp, lookUpParty, now }),
  };
}

const oauthHandlers = (parts: OauthParts) => ({ ...connectionHandlers(parts), ...gatewayHandlers(parts) });

/** Ways in without the wallet, and what a guess costs. */
const isLogin = (route: string | null): boolean =>
  route !== null &&
  ['passwordLogin', 'passkeyLogin', 'acceptInvitation', 'beginProviderLogin', 'providerLogin'].includes(
    route,
  );

async function whoActs(parts: ComingIn) {
  const passwords = await createPasswords(parts.pool, parts.now);
  return {
    ...keyHandlers(parts),
    ...peopleHandlers(parts),
    ...invitationHandlers(parts),
    ...signInHandlers({ ...parts, passwords, passkeys: createPasskeys(parts) }),
    ...providerLoginHandlers(parts),
  };
}

type ComingIn = Parameters<typeof peopleHandlers>[0] &
  Parameters<typeof createPasskeys>[0] &
  Parameters<typeof providerLoginHandlers>[0];

function createCompliance(pool: Pool, settings: DashboardSettings, { now, random }: World) {
  const evidence = createEvidence({ pool, sealer: settings.sealer, now, random });
  const { providers, ...policy } = settings.kyt;
  const findSubject = async (wallet: Address) => {
    const account = await findAccount(pool, wallet);
    return account === null || account.closedAt !== null ? null : { accountId: account.id, wallet };
  };
  return {
    kyc: createKyc(kycProvider(settings, pool, now), {
      evidence,
      findSubject,
      erased: erasedIdentities(pool),
      isWithdrawn: async (accountId) => (await findWithdrawal(pool, accountId)) !== null,
      now,
    }),
    kyt: createKyt({
      pool,
      providers: providers.map((config) => kytProvider(config, pool, now)),
      policy,
      evidence,
      now,
    }),
  };
}

const siteOf = ({ chainId, chainIsLocal }: DashboardSettings, publicUrl: string) => ({
  publicUrl,
  chain: `eip155:${chainId}`,
  chainIsLocal,
  usdc: usdcOn(chainId),
});

/** The token that payments on our chain are made in, where there is a node to ask about it. */
export function lookedAt({ rpcUrl, chainId }: Pick<DashboardSettings, 'rpcUrl' | 'chainId'>) {
  const address = usdcOn(chainId);
  return rpcUrl === null || address === null ? null : { rpcUrl, token: { chainId, address } };
}

function lookedForBy(settings: DashboardSettings): (claimed: Claimed) => boolean {
  const at = lookedAt(settings);
  return (claimed) => at !== null && transferOf(claimed, at.token) !== null;
}

export const isLoopbackHost = (host: string): boolean =>
  ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host);
const isLoopback = (origin: string): boolean => isLoopbackHost(new URL(origin).hostname);

const ping = statement('ready.ping', 'select 1');

export const namesOf = ({ providers }: KytConfig): string =>
  providers.map(({ provider }) => provider).join(',');

async function readiness(pool: Pool, settings: DashboardSettings, kyt: Kyt) {
  const names = { kyc: { provider: settings.kyc.provider }, kyt: { provider: namesOf(settings.kyt) } };
  try {
    await firstRow(pool, ping, []);
    const [list, allFails] = await Promise.all([kyt.listState(), kyt.allFails()]);
    return { ready: !allFails, database: 'up', kyc: names.kyc, kyt: { ...names.kyt, ...list } };
  } catch {
    return { ready: false, database: 'down', ...names };
  }
}
