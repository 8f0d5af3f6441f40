import type { ServiceList } from '@countersign/protocol/gateway/tools';
import type { Logger } from '@countersign/service/logger';
import type { GatewayConfig } from '../config.ts';
import type { ServicesPort, ToolCall } from '../ports.ts';
import { type KnownTool, DownstreamService } from './service.ts';

/** How long a listing waits for services that are still connecting. */
const listPatienceMs = 3000;

export type Services = ServicesPort & {
  readonly statuses: () => ReadonlyArray<{ serviceId: string; status: Status }>;
  readonly close: () => Promise<void>;
};
type Status = ServiceList['services'][number]['status'];

/** All services behind the gateway. Starts connecting at once; a dead one never delays or hides another. */
export function connectServices(config: GatewayConfig, log: Logger): Services {
  const services = config.downstreams.map((downstream) => new DownstreamService(downstream, config, log));
  const firstAttempts = Promise.all(services.map((service) => service.ready()));
  // Waiting for all of them keeps the order of names; a service that hangs must not hold up the others.
  const settled = async (): Promise<void> => {
    await Promise.race([firstAttempts, patience()]);
    nameAll(services);
  };

  const find = async (serviceId: string): Promise<DownstreamService | undefined> => {
    const byId = () => services.find((service) => idOf(service) === serviceId);
    // An id that is not known yet may be the name of a service that is just connecting.
    if (byId() === undefined) await settled();
    const service = byId();
    await service?.ready();
    return service;
  };

  return {
    async list({ serviceId, query }) {
      await settled();
      for (const service of services) void service.ready();
      const wanted = services.filter((service) => serviceId === undefined || idOf(service) === serviceId);
      return { services: wanted.map((service) => describe(service, query?.toLowerCase())) };
    },
    async check(call) {
      const service = await find(call.serviceId);
      if (service === undefined) return { code: 'SERVICE_NOT_FOUND' };
      if (service.state.kind !== 'connected') return { code: 'DOWNSTREAM_UNAVAILABLE' };
      const tool = service.state.tools.get(call.toolName);
      if (tool === undefined) return { code: 'TOOL_NOT_FOUND' };
      const where = tool.check(call.arguments);
      return where === null ? null : { code: 'INVALID_ARGUMENTS', where };
    },
    call: (call) => send(services, call, config.downstreamTimeoutMs),
    callPaid: (call, payment) => send(services, call, config.paymentTimeoutMs, payment),
    statuses: () => services.map((service) => ({ serviceId: idOf(service), status: statusOf(service) })),
    close: async () => void (await Promise.all(services.map((service) => service.close()))),
  };
}

const send: (
  ...args: [readonly DownstreamService[], ToolCall, number, object?]
) => ReturnType<ServicesPort['call']> = async (services, call, timeoutMs, payment) => {
  const service = services.find((candidate) => idOf(candidate) === call.serviceId);
  return service === undefined ? { kind: 'unavailable' } : service.call(call, timeoutMs, payment);
};

/** Ids by configuration first, then by the services' own names in configuration order; a second one of a name gets `-2`. */
function nameAll(services: readonly DownstreamService[]): void {
  const taken = new Set(services.map((service) => service.serviceId).filter((id) => id !== null));
  for (const service of services) {
    if (service.serviceId !== null || service.name === null) continue;
    const slug = slugOf(service.name);
    let id = slug;
    for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`;
    taken.add(id);
    service.serviceId = id;
  }
}

/** Until a service has told its name, its address names it. */
const idOf = (service: DownstreamService): string => service.serviceId ?? slugOf(service.url.host);

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'service';

const statusOf = ({ state }: DownstreamService): Status => state.kind;

function describe(service: DownstreamService, query: string | undefined): ServiceList['services'][number] {
  const { state } = service;
  const tools = state.kind === 'connected' ? [...state.tools.values()] : [];
  return {
    serviceId: idOf(service),
    name: plain(service.name ?? idOf(service)),
    url: service.url.href,
    transport: state.kind === 'connected' ? state.connection.transport : 'streamable-http',
    status: state.kind,
    ...(state.kind === 'unavailable' && { error: plain(state.error) }),
    tools: tools.filter(({ tool }) => query === undefined || matches(tool, query)).map(describeTool),
  };
}

const matches = (tool: KnownTool['tool'], query: string): boolean =>
  `${tool.name}\n${tool.description ?? ''}`.toLowerCase().includes(query);

const describeTool = ({ tool }: KnownTool): ServiceList['services'][number]['tools'][number] => ({
  name: tool.name,
  description: plain(tool.description ?? ''),
  inputSchema: tool.inputSchema,
  ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
  ...(tool.annotations !== undefined && { annotations: { ...tool.annotations } }),
});

/** Another party's text, without control and bidirectional characters, and not longer than a page. */
const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (c) => (c === '\n' ? c : '')).slice(0, 4000);

const patience = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, listPatienceMs).unref());
