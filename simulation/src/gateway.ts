import { type DashboardClient, dashboardPorts } from '@countersign/gateway/adapters/dashboard';
import { Calls } from '@countersign/gateway/calls/calls';
import { keepReconciling } from '@countersign/gateway/payment/reconcile';
import type { ChainPort, ExpiryPort } from '@countersign/gateway/ports/chain';
import type { GatewayPorts } from '@countersign/gateway/ports/gateway-ports';
import type { ServicesPort } from '@countersign/gateway/ports/services';
import { configurationInput } from '@countersign/gateway/receipts/inputs';
import { openReceipts } from '@countersign/gateway/receipts/store';
import { openLmdbState } from '@countersign/gateway/state/lmdb';
import { startOutbox } from '@countersign/gateway/state/outbox';
import type { Environment } from '@countersign/gateway/state/environment';
import type { GatewayState } from '@countersign/gateway/state/state';
import type { Wallet } from '@countersign/gateway/ports/wallet';
import { sha256 } from '@countersign/gateway/canonical';
import type { Logger } from '@countersign/service/logger';
import type { Timers } from '@countersign/service/timers';
import { silentTracer } from '@countersign/service/trace';
import { serviceTimeoutMs } from './merchant.ts';
import { payer, policy, type Signed } from './samples.ts';
import type { Life } from './schedule.ts';

/** What one process is made of: the parts that reach the world are the simulation's, all others are the gateway's. */
export type Parts = {
  readonly life: Life;
  /** Opens the state directory. */
  readonly open: (life: Life) => Environment;
  readonly now: () => number;
  readonly timers: Timers;
  /** Another one each time. */
  readonly newId: () => string;
  readonly dashboard: DashboardClient;
  readonly services: ServicesPort;
  readonly chain: (ChainPort & ExpiryPort) | null;
  readonly signed: Signed;
  readonly log: Logger;
};

/** A mistake that is put back: it stands between the gateway's code and what this code leans on. */
export type Bug = {
  readonly parts?: (parts: Parts) => Parts;
  readonly state?: (state: GatewayState) => GatewayState;
  readonly ports?: (ports: GatewayPorts) => GatewayPorts;
};

/** Starts a gateway as `apps/gateway/src/app.ts` does. It stops only by the end of its life. */
export function startGateway(given: Parts, bug: Bug = {}): GatewayPorts {
  const parts = bug.parts?.(given) ?? given;
  const { life, open, now, timers, newId, services, chain, signed, log } = parts;
  const environment = open(life);
  const opened = openLmdbState(environment, payer, now, newId);
  const state = bug.state?.(opened) ?? opened;
  const about = { chain: 'base-sepolia', tracer: silentTracer, timers };
  const dashboard = dashboardPorts(parts.dashboard, about);
  startOutbox(state, dashboard.report, timers, log);
  const receipts = openReceipts({
    environment,
    key: signed.receiptKey,
    configuration: configurationInput(policy, [], chain !== null),
    reporting: state,
    now,
    log,
  });
  const calls = new Calls({ state, now, timers, isFree: services.isFree, process: newId(), log });
  const reconciled = { state, unnamed: calls.unnamed, chain, now, timers, patienceMs: serviceTimeoutMs };
  keepReconciling(reconciled, serviceTimeoutMs, log);
  const ports: GatewayPorts = {
    discovery: { search: () => null },
    services,
    compliance: dashboard,
    mandates: dashboard,
    holds: dashboard,
    approvals: dashboard,
    state,
    calls,
    receipts,
    chain,
    wallet,
    owner: null,
    policy,
    approvers: [],
    sendsArguments: true,
    chainName: about.chain,
    now,
    timers,
    randomId: newId,
    tracer: silentTracer,
  };
  return bug.ports?.(ports) ?? ports;
}

/** Nobody checks its signatures here but the chain, which believes them: what counts is which texts are signed. */
const wallet: Wallet = {
  address: payer,
  sign: () => `0x${'1b'.repeat(65)}`,
  derive: (text) => `0x${sha256(text)}`,
};
