import type { ServiceList } from '@countersign/protocol/gateway/tools';
import type { Logger } from '@countersign/service/logger';
import type { GatewayConfig } from '../config.ts';
import type { ServicesPort } from '../ports.ts';
import type { Pins } from '../pinning/pins.ts';
import { hidden } from './known-tools.ts';
import { DownstreamService } from './service.ts';
import { idsOf, nameAll } from './service-ids.ts';
import { type ListedTool, plain } from './tool-list.ts';
import { within } from '../within.ts';

/** How long after its start the gateway waits for services that are still connecting. */
const startPatienceMs = 3000;

export type Services = ServicesPort & {
  readonly statuses: () => ReadonlyArray<{ serviceId: string; status: Status }>;
  readonly close: () => Promise<void>;
};
type ListedService = ServiceList['services'][number];
type Status = ListedService['status'];

/** All services behind the gateway. Starts connecting at once; a dead one never delays or hides another. */
export function connectServices(config: GatewayConfig, log: Logger, pins: Pins | null): Services {
  const services = config.downstreams.map(
    (downstream) => new DownstreamService(downstream, config, log, pins),
  );
  // Waiting for all of them keeps the order of names; a service that hangs must not hold up the others.
  let hasStarted = false;
  const started = (async () => {
    await within(Promise.all(services.map((service) => service.ready())), startPatienceMs);
    hasStarted = true;
  })();
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
      const all = ids().map((id, n) => describe(id, services[n] as DownstreamService, config, query));
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
      return fault === null ? null : { code: 'INVALID_ARGUMENTS', fault };
    },
    asksForMoney: ({ serviceId, toolName }) => byId(serviceId)?.priceOf(toolName)?.paid ?? false,
    isFree: ({ serviceId, toolName }) => byId(serviceId)?.calls.lastAsked(toolName)?.paid === false,
    call: async (call) =>
      (await byId(call.serviceId)?.calls.call(call, config.downstreamTimeoutMs)) ?? { kind: 'unavailable' },
    callPaid: async (call, payment) =>
      (await byId(call.serviceId)?.calls.callPaid(call, config.paymentTimeoutMs, payment)) ?? {
        kind: 'unavailable',
      },
    statuses() {
      return ids().map((serviceId, n) => ({ serviceId, status: services[n]?.state.kind ?? 'unavailable' }));
    },
    close: async () => void (await Promise.all(services.map((service) => service.close()))),
  };
}

function describe(
  serviceId: string,
  service: DownstreamService,
  { transport }: GatewayConfig,
  query: string | undefined,
): ListedService {
  const { state, name, address } = service;
  const tools = state.kind === 'connected' ? [...state.tools.values()] : [];
  const expected = transport === 'sse' ? 'sse' : 'streamable-http';
  return {
    serviceId,
    name: plain(name ?? serviceId),
    url: address,
    transport: state.kind === 'connected' ? state.connection.transport : expected,
    status: state.kind,
    ...(state.kind === 'unavailable' && { error: state.error, failure: state.failure }),
    ...(state.kind === 'connected' &&
      state.connection.instructions !== null && { instructions: plain(state.connection.instructions) }),
    tools: tools
      .map((tool) => (service.keeper.isAccepted(tool) ? tool.listed : hidden(tool)))
      .filter((tool) => matches(tool, query?.toLowerCase()))
      .map((tool) => ({ ...tool, ...service.priceOf(tool.name) })),
  };
}

const matches = ({ name, description }: ListedTool, query: string | undefined): boolean =>
  query === undefined || `${name}\n${description}`.toLowerCase().includes(query);
