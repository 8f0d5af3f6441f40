import { randomUUID } from 'node:crypto';
import type { Logger } from '@countersign/service/logger';
import type { Tracer } from '@countersign/service/trace';
import { connectChain } from './adapters/chain.ts';
import { Calls } from './calls/calls.ts';
import { connectDashboard, type DashboardState, refuseAll } from './adapters/dashboard.ts';
import type { GatewayConfig } from './config.ts';
import { connectServices, type Services } from './downstream/services.ts';
import { openPins } from './pinning/pins.ts';
import type { GatewayPorts, Wallet } from './ports.ts';
import { configurationInput } from './receipts/inputs.ts';
import { openReceiptKey } from './receipts/receipt-key.ts';
import { openReceipts } from './receipts/store.ts';
import { keepReconciling } from './reconcile.ts';
import { keepForgetting } from './state/forget.ts';
import { type Environment, openEnvironment } from './state/environment.ts';
import { openLmdbState } from './state/lmdb.ts';
import { startOutbox } from './state/outbox.ts';
import { openPostgresState } from './state/postgres.ts';
import type { GatewayState } from './state/state.ts';
import { createWallet } from './wallet.ts';

export type Gateway = {
  readonly ports: GatewayPorts;
  readonly services: Services;
  readonly dashboardAnswers: () => Promise<DashboardState | 'not configured'>;
  readonly stop: () => Promise<void>;
};

const longestReconcileIntervalMs = 15_000;
const now = Date.now;
const randomId = () => randomUUID().replaceAll('-', '');

/** The gateway, wired. It connects to its services in the background and sends what an earlier run left in the outbox. */
export async function createGateway(config: GatewayConfig, log: Logger, tracer: Tracer): Promise<Gateway> {
  const wallet = createWallet(config.privateKey);
  const environment = openEnvironment(config.stateDir);
  const state = await openState(config, environment, wallet, log);
  const pins = config.toolPinning === 'off' ? null : openPins(config.stateDir);
  const services = connectServices(config, log, pins);
  const dashboard = config.compliance === null ? null : connectDashboard(config, config.compliance, tracer);
  const outbox = dashboard === null ? null : startOutbox(state, dashboard.report, log);
  const chain = config.rpcUrl === null ? null : connectChain(config.rpcUrl, config.complianceTimeoutMs, log);
  const configuration = configurationInput(config.payment, config.approvers, chain !== null);
  const key = openReceiptKey(config.stateDir);
  const receipts = openReceipts({ environment, key, configuration, reporting: state, now, log });
  const calls = new Calls({ state, now, isFree: services.isFree, process: randomId(), log });
  const patienceMs = config.paymentTimeoutMs;
  const stopReconciling = keepReconciling(
    { state, unnamed: calls.unnamed, chain, now, patienceMs },
    Math.min(patienceMs, longestReconcileIntervalMs),
    log,
  );
  const stopForgetting = keepForgetting(state, log);
  const ports: GatewayPorts = {
    services,
    compliance: dashboard ?? refuseAll,
    mandates: dashboard ?? refuseAll,
    holds: dashboard ?? refuseAll,
    approvals: dashboard ?? refuseAll,
    state,
    calls,
    receipts,
    chain,
    wallet,
    policy: config.payment,
    approvers: config.approvers,
    sendsArguments: config.approvalArguments === 'send',
    chainName: config.complianceChain,
    now,
    randomId,
    tracer,
  };
  return {
    ports,
    services,
    dashboardAnswers: async () => (dashboard === null ? 'not configured' : dashboard.answers()),
    async stop() {
      await calls.close();
      await services.close();
      await Promise.all([stopReconciling(), stopForgetting()]);
      await outbox?.stop();
      await Promise.all([dashboard?.close(), chain?.close()]);
      await Promise.all([state.close(), pins?.close()]);
      await environment.close();
    },
  };
}

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
