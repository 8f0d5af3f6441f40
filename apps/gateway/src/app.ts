import type { Logger } from '@countersign/service/logger';
import { systemTimers as timers } from '@countersign/service/timers';
import { newTraceId as randomId, type Tracer } from '@countersign/service/trace';
import { connectChain } from './adapters/chain.ts';
import { createOwner } from './adapters/owner.ts';
import { type Access, openAccess } from './access/open.ts';
import { keepAnnouncing } from './announce.ts';
import { Calls } from './calls/calls.ts';
import { connectDashboard, type DashboardState, refuseAll } from './adapters/dashboard.ts';
import type { GatewayConfig } from './config.ts';
import { type Discovery, watchDiscovery } from './discovery/discovery.ts';
import { servedBy } from './discovery/proposals.ts';
import { readInThread } from './http-services/documents/in-thread.ts';
import { addressesOf } from './http-services/settings.ts';
import { connectServices, type Services } from './downstream/services.ts';
import { openPins } from './pinning/pins.ts';
import type { GatewayPorts } from './ports/gateway-ports.ts';
import type { Wallet } from './ports/wallet.ts';
import { configurationInput } from './receipts/inputs.ts';
import { openReceiptKey } from './receipts/receipt-key.ts';
import { openReceipts } from './receipts/store.ts';
import { keepReconciling } from './payment/reconcile.ts';
import { keepForgetting } from './state/forget.ts';
import { type Environment, openEnvironment } from './state/environment.ts';
import { openLmdbState } from './state/lmdb.ts';
import { startOutbox } from './state/outbox.ts';
import { openPostgresState } from './state/postgres.ts';
import type { GatewayState } from './state/state.ts';
import { createWallet } from './wallet.ts';

export type Gateway = {
  readonly ports: GatewayPorts;
  /** Judges the access tokens of connected clients; null without OAuth. */
  readonly judgeToken: Access['judge'];
  readonly services: Services;
  readonly catalogues: Discovery['statuses'];
  readonly dashboardAnswers: () => Promise<DashboardState | 'not configured'>;
  readonly stop: () => Promise<void>;
};

/** `program` is the file that runs: documents are read in threads of it. */
type World = { readonly log: Logger; readonly tracer: Tracer; readonly program: string };

const maxReconcileIntervalMs = 15_000;
const now = Date.now;

/** The gateway, wired. It connects to its services in the background and sends what an earlier run left in the outbox. */
export async function createGateway(config: GatewayConfig, world: World): Promise<Gateway> {
  const { log, tracer, program } = world;
  const wallet = createWallet(config.privateKey);
  const environment = openEnvironment(config.stateDir);
  const state = await openState(config, environment, wallet, log);
  const pins = config.toolPinning === 'off' ? null : openPins(config.stateDir);
  const discovery = watchCatalogues(config, log);
  const dashboard = config.compliance && connectDashboard(config, config.compliance, tracer, timers);
  const judging = dashboard ?? refuseAll;
  const services = connectServices(config, log, pins, discovery, judging, readInThread(program, log));
  const outbox = dashboard === null ? null : startOutbox(state, dashboard.report, timers, log);
  const chain = config.rpcUrl === null ? null : connectChain(config.rpcUrl, config.complianceTimeoutMs, log);
  const configuration = configurationOf(config, chain !== null);
  const key = openReceiptKey(config.stateDir);
  const receipts = openReceipts({ environment, key, configuration, reporting: state, now, log });
  const calls = new Calls({ state, now, timers, isFree: services.isFree, process: randomId(), log });
  const reconciled = { state, unnamed: calls.unnamed, chain, now, timers };
  const stopReconciling = reconcile({ ...reconciled, patienceMs: config.paymentTimeoutMs }, log);
  const stopForgetting = keepForgetting(state, timers, log);
  const announcing = keepAnnouncing(config.ownerAddress, wallet, dashboard?.announcing ?? null, log);
  const access = openAccess(config.access, dashboard, wallet, log);
  const ports: GatewayPorts = {
    discovery,
    services,
    compliance: judging,
    mandates: judging,
    holds: judging,
    approvals: judging,
    state,
    calls,
    receipts,
    chain,
    wallet,
    owner: config.ownerAddress && createOwner(config.ownerAddress, chain),
    policy: config.payment,
    approvers: config.approvers,
    sendsArguments: config.approvalArguments === 'send',
    chainName: config.complianceChain,
    now,
    timers,
    randomId,
    tracer,
  };
  return {
    ports,
    judgeToken: access.judge,
    services,
    catalogues: discovery.statuses,
    dashboardAnswers: async () => (dashboard === null ? 'not configured' : dashboard.answers()),
    async stop() {
      await calls.close();
      await Promise.all([services.close(), discovery.close()]);
      await Promise.all([stopReconciling(), stopForgetting(), announcing.stop(), access.stop()]);
      await outbox?.stop();
      await Promise.all([dashboard?.close(), chain?.close()]);
      await Promise.all([state.close(), pins?.close()]);
      await environment.close();
    },
  };
}

const reconcile = (parts: Parameters<typeof keepReconciling>[0], log: Logger) =>
  keepReconciling(parts, Math.min(parts.patienceMs, maxReconcileIntervalMs), log);

const configurationOf = ({ payment, approvers, ownerAddress }: GatewayConfig, confirmsOnChain: boolean) =>
  configurationInput(payment, approvers, confirmsOnChain, ownerAddress);

const watchCatalogues = (
  { discoveryUrls: urls, downstreams, httpServices, payment }: GatewayConfig,
  log: Logger,
): Discovery =>
  watchDiscovery({
    urls,
    served: servedBy(
      downstreams.map(({ url }) => url),
      httpServices.flatMap(addressesOf),
    ),
    tokens: payment.tokens,
    now,
    log,
  });

/** Each wallet has a state of its own: a report goes out with the API key of the one who paid. */
async function openState(
  config: GatewayConfig,
  environment: Environment,
  wallet: Wallet,
  log: Logger,
): Promise<GatewayState> {
  return config.databaseUrl === null
    ? openLmdbState(environment, wallet.address, now, randomId)
    : openPostgresState({ url: config.databaseUrl, wallet: wallet.address, now, newId: randomId, log });
}
