import type { ServiceList } from '@countersign/protocol/gateway/tools';
import type { Logger } from '@countersign/service/logger';
import type { DownstreamConfig, GatewayConfig } from '../config.ts';
import type { ServicesPort } from '../ports/services.ts';
import type { Pins } from '../pinning/pins.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { connectHttp } from '../http-services/connect.ts';
import type { DocumentReader } from '../http-services/documents/read-text.ts';
import { remembered } from '../http-services/documents/remembered.ts';
import type { LoginDashboard, SignIn } from '../http-services/sign-in.ts';
import type { HttpServiceSetting } from '../http-services/settings.ts';
import { type ThroughVault, throughVault } from '../http-services/through-vault.ts';
import { connectMcp } from './connect-mcp.ts';
import { hidden } from './known-tools.ts';
import { shownPrice } from './prices.ts';
import { DownstreamService } from './service.ts';
import type { Way } from './service-connection.ts';
import { idsOf, nameAll } from './service-ids.ts';
import { type ListedTool, plain } from './tool-list.ts';
import { createWallet } from '../wallet.ts';
import { within } from '../within.ts';

/** How long after its start the gateway waits for services that are still connecting, in milliseconds. */
const startPatienceMs = 3000;

export type Services = ServicesPort & {
  readonly statuses: () => ReadonlyArray<{ serviceId: string; status: Status }>;
  readonly close: () => Promise<void>;
};
type ListedService = ServiceList['services'][number];
type Status = ListedService['status'];

/** All services behind the gateway. Starts connecting at once; a dead one never delays or hides another. */
export function connectServices(
  config: GatewayConfig,
  log: Logger,
  pins: Pins | null,
  discovery: Pick<Discovery, 'priceOf'>,
  dashboard: LoginDashboard,
  readDocument: DocumentReader,
): Services {
  const vault = config.vault && throughVault(config.vault, config);
  const services = openAll(config, log, pins, dashboard, { vault, readDocument });
  let hasStarted = false;
  const started = allReady(services).then(() => void (hasStarted = true));
  const ids = (): readonly string[] => {
    if (hasStarted) nameAll(services);
    return idsOf(services);
  };
  const named = (serviceId: string): DownstreamService | undefined =>
    services.find((service) => service.serviceId === serviceId);
  const byId = (serviceId: string): DownstreamService | undefined =>
    named(serviceId) ?? services[ids().indexOf(serviceId)];
  // An id that is not known yet may be the name of a service that is just connecting.
  const find = (serviceId: string): DownstreamService | undefined | Promise<DownstreamService | undefined> =>
    named(serviceId) ?? started.then(() => byId(serviceId));

  return {
    async list({ serviceId, query }) {
      await started;
      for (const service of services) service.refreshIfOld();
      const all = ids().map((id, n) => describe(id, services[n] as DownstreamService, discovery, query));
      return all.filter((service) => serviceId === undefined || service.serviceId === serviceId);
    },
    async check(call) {
      const service = await find(call.serviceId);
      if (service === undefined) return { code: 'SERVICE_NOT_FOUND' };
      const tools = (await service.open())?.tools;
      if (tools === undefined) return { code: 'DOWNSTREAM_UNAVAILABLE', failure: service.failure };
      const tool = tools.get(call.toolName);
      if (tool === undefined) return { code: 'TOOL_NOT_FOUND' };
      if (!service.keeper.isAccepted(tool)) return { code: 'TOOL_DEFINITION_CHANGED' };
      const fault = tool.check(call.arguments);
      if (fault !== null) return { code: 'INVALID_ARGUMENTS', fault };
      service.calls.judged(call, tool);
      return null;
    },
    asksForMoney: ({ serviceId, toolName }) => byId(serviceId)?.priceOf(toolName)?.paid ?? false,
    isFree: ({ serviceId, toolName }) => byId(serviceId)?.calls.lastAsked(toolName)?.paid === false,
    hostOf: ({ serviceId }) => byId(serviceId)?.url.hostname ?? null,
    call: async (call) =>
      (await byId(call.serviceId)?.calls.call(call, config.downstreamTimeoutMs)) ?? { kind: 'unavailable' },
    callPaid: async (call, payment) =>
      (await byId(call.serviceId)?.calls.callPaid(call, config.paymentTimeoutMs, payment)) ?? {
        kind: 'unavailable',
      },
    statuses() {
      return ids().map((serviceId, n) => ({ serviceId, status: services[n]?.state.kind ?? 'unavailable' }));
    },
    close: () => closeAll(services, vault),
  };
}

/** Waiting for all of them keeps the order of names; a service that hangs must not hold up the others. */
const allReady = (services: readonly DownstreamService[]): Promise<unknown> =>
  within(Promise.all(services.map((service) => service.ready())), startPatienceMs);

async function closeAll(services: readonly DownstreamService[], vault: ThroughVault | null): Promise<void> {
  await Promise.all(services.map((service) => service.close()));
  await vault?.close();
}

/** Those of MCP first, each in the order of its variable. */
function openAll(
  config: GatewayConfig,
  log: Logger,
  pins: Pins | null,
  dashboard: LoginDashboard,
  { vault, readDocument }: { readonly vault: ThroughVault | null; readonly readDocument: DocumentReader },
): readonly DownstreamService[] {
  const open = (at: DownstreamConfig, way: Way) => new DownstreamService(at, way, config, log, pins);
  const signIn = signInOf(config, log, dashboard);
  const challengesAt = config.schemes.includes('mpp') ? Date.now : null;
  const connect = (setting: HttpServiceSetting) => {
    const offerHosts = config.offerHosts.get(setting.serviceId) ?? [];
    const by = (setting.credential && vault?.with(setting.credential)) ?? null;
    const means = {
      signIn,
      offerHosts,
      challengesAt,
      by,
      readDocument: remembered(readDocument, Date.now),
    };
    return () => connectHttp(setting, config.downstreamTimeoutMs, means);
  };
  return [
    ...config.downstreams.map((downstream) => open(downstream, wayTo(downstream, config))),
    ...config.httpServices.map((setting) => open(setting, { transport: 'http', connect: connect(setting) })),
  ];
}

/** Headers by the configured id only: a service must not get another one's key by taking its name. */
function wayTo({ serviceId, url }: DownstreamConfig, config: GatewayConfig): Way {
  const headers = serviceId === null ? {} : (config.downstreamHeaders[serviceId] ?? {});
  const transport = config.transport === 'sse' ? 'sse' : 'streamable-http';
  return { transport, connect: () => connectMcp(url, headers, config) };
}

function describe(
  serviceId: string,
  service: DownstreamService,
  discovery: Pick<Discovery, 'priceOf'>,
  query: string | undefined,
): ListedService {
  const { state, name, address } = service;
  const tools = state.kind === 'connected' ? [...state.tools.values()] : [];
  return {
    serviceId,
    name: plain(name ?? serviceId),
    url: address,
    transport: service.transport,
    status: state.kind,
    ...(state.kind === 'unavailable' && { error: state.error, failure: state.failure }),
    ...(state.kind === 'connected' &&
      state.connection.instructions !== null && { instructions: plain(state.connection.instructions) }),
    tools: tools
      .map((tool) => (service.keeper.isAccepted(tool) ? tool.listed : hidden(tool)))
      .filter((tool) => matches(tool, query?.toLowerCase()))
      .map((tool) => ({
        ...tool,
        ...shownPrice(service.priceOf(tool.name), discovery.priceOf(service.url, tool.name)),
      })),
  };
}

const matches = ({ name, description }: ListedTool, query: string | undefined): boolean =>
  query === undefined || `${name}\n${description}`.toLowerCase().includes(query);

/** Null unless the owner said so. At the dashboard and at who issues tokens a login would be more than goods. */
function signInOf(
  { schemes, privateKey, payment, compliance, access }: GatewayConfig,
  log: Logger,
  dashboard: LoginDashboard,
): SignIn | null {
  if (!schemes.includes('sign-in-with-x')) return null;
  const neverAt = [compliance?.baseUrl, access?.issuer].flatMap((url) =>
    url == null ? [] : [new URL(url).host],
  );
  const chainIds = [...new Set(payment.tokens.map(({ chainId }) => chainId))];
  return { wallet: createWallet(privateKey), chainIds, neverAt, dashboard, log, now: Date.now };
}
