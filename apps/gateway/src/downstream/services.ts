import type { ServiceList } from '@countersign/protocol/gateway/tools';
import type { Logger } from '@countersign/service/logger';
import type { GatewayConfig } from '../config.ts';
import type { ServicesPort, ToolCall } from '../ports.ts';
import { DownstreamService } from './service.ts';
import { idsOf, nameAll } from './service-ids.ts';
import { type ListedTool, plain } from './tool-list.ts';

/** How long after its start the gateway waits for services that are still connecting. */
const startPatienceMs = 3000;

export type Services = ServicesPort & {
  readonly statuses: () => ReadonlyArray<{ serviceId: string; status: Status }>;
  readonly close: () => Promise<void>;
};
type ListedService = ServiceList['services'][number];
type Status = ListedService['status'];

/** All services behind the gateway. Starts connecting at once; a dead one never delays or hides another. */
export function connectServices(config: GatewayConfig, log: Logger): Services {
  const services = config.downstreams.map((downstream) => new DownstreamService(downstream, config, log));
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
  const byId = (serviceId: string): DownstreamService | undefined => services[ids().indexOf(serviceId)];

  const find = async (serviceId: string): Promise<DownstreamService | undefined> => {
    // An id that is not known yet may be the name of a service that is just connecting.
    if (!services.some((service) => service.serviceId === serviceId)) await started;
    return byId(serviceId);
  };

  return {
    async list({ serviceId, query }) {
      await started;
      for (const service of services) void service.ready();
      const all = ids().map((id, n) => describe(id, services[n] as DownstreamService, config, query));
      return {
        services: all.filter((service) => serviceId === undefined || service.serviceId === serviceId),
      };
    },
    async check(call) {
      const service = await find(call.serviceId);
      if (service === undefined) return { code: 'SERVICE_NOT_FOUND' };
      await within(service.ready(), config.downstreamTimeoutMs);
      if (service.state.kind !== 'connected') return { code: 'DOWNSTREAM_UNAVAILABLE' };
      const tool = service.state.tools.get(call.toolName);
      if (tool === undefined) return { code: 'TOOL_NOT_FOUND' };
      const where = tool.check(call.arguments);
      return where === null ? null : { code: 'INVALID_ARGUMENTS', where };
    },
    call: (call) => send(byId(call.serviceId), call, config.downstreamTimeoutMs),
    callPaid: (call, payment) => send(byId(call.serviceId), call, config.paymentTimeoutMs, payment),
    statuses() {
      // Whoever asks may be waiting for a service to come back, and nobody else may be calling it.
      for (const service of services) void service.ready();
      return ids().map((serviceId, n) => ({ serviceId, status: services[n]?.state.kind ?? 'unavailable' }));
    },
    close: async () => void (await Promise.all(services.map((service) => service.close()))),
  };
}

const send = (
  service: DownstreamService | undefined,
  ...call: [ToolCall, number, object?]
): ReturnType<ServicesPort['call']> =>
  service === undefined ? Promise.resolve({ kind: 'unavailable' }) : service.call(...call);

function describe(
  serviceId: string,
  { state, name, url }: DownstreamService,
  { transport }: GatewayConfig,
  query: string | undefined,
): ListedService {
  const tools = state.kind === 'connected' ? [...state.tools.values()] : [];
  const expected = transport === 'sse' ? 'sse' : 'streamable-http';
  return {
    serviceId,
    name: plain(name ?? serviceId),
    url: url.href,
    transport: state.kind === 'connected' ? state.connection.transport : expected,
    status: state.kind,
    ...(state.kind === 'unavailable' && { error: state.error }),
    tools: tools.map(({ listed }) => listed).filter((tool) => matches(tool, query?.toLowerCase())),
  };
}

const matches = ({ name, description }: ListedTool, query: string | undefined): boolean =>
  query === undefined || `${name}\n${description}`.toLowerCase().includes(query);

/** Resolves when `work` is done, or after `ms`. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
