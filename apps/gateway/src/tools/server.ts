import { callToolInput, listServicesInput, serviceList } from '@countersign/protocol/gateway/tools';
import { gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { type Cancellation, Canceller } from '@countersign/service/cancellation';
import { Crowd } from '@countersign/service/crowd';
import type { Logger } from '@countersign/service/logger';
import { version } from '@countersign/service/version';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Agent, callServiceTool } from './call-service-tool.ts';
import { callDescription, listDescription } from './descriptions.ts';
import { offerApproval } from './offer-approval.ts';
import { listGatewayServices } from './list-gateway-services.ts';
import { modelSchema } from './model-schema.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import { risingProgress } from './rising-progress.ts';

const tools = [
  {
    name: 'list_gateway_services',
    title: 'List services',
    description: listDescription,
    inputSchema: modelSchema(listServicesInput, 'input'),
    outputSchema: modelSchema(serviceList, 'output'),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_service_tool',
    title: 'Call a tool of a service',
    description: callDescription,
    inputSchema: modelSchema(callToolInput, 'input'),
    outputSchema: modelSchema(gatewayEnvelope, 'output'),
    annotations: { readOnlyHint: false, openWorldHint: true },
  },
];

const instructions =
  'Paid and free MCP services behind one gateway. list_gateway_services shows what there is; call_service_tool calls it and pays within the limits that the owner signed. WALLET_APPROVAL_REQUIRED means that the owner has to decide: give them detail.paymentContext.approval.approvalUrl.';

export type GatewayServers = {
  /** Creates an MCP server with two tools. It keeps nothing between calls. */
  readonly create: () => Server;
  /** The same for a connection of its own: what its one client can do is known, so a challenge is also offered to it. */
  readonly createForOneClient: () => Server;
  /** `call_service_tool` without a server around it. */
  readonly callServiceTool: (args: unknown, agent: Agent) => Promise<CallToolResult>;
  /** Resolves when no call is in flight, also none whose agent has hung up; after `withinMs` in any case. */
  readonly idle: (withinMs: number) => Promise<void>;
};

/** The MCP servers of one gateway: one for all clients of a transport, or one for each. */
export function gatewayServers(ports: GatewayPorts, log: Logger): GatewayServers {
  const inFlight = new Crowd<Promise<unknown>>();
  const tracked = async <T>(call: Promise<T>): Promise<T> => {
    const leave = inFlight.add(call);
    try {
      return await call;
    } finally {
      leave();
    }
  };
  const create = (afterCall: (server: Server, result: CallToolResult) => void): Server => {
    const server = new Server(
      { name: 'countersign', title: 'Countersign gateway', version },
      { capabilities: { tools: {} }, instructions },
    );
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', async ({ params }, context: ServerContext) => {
      const result = await tracked(callTool(ports, log, params, context));
      afterCall(server, result);
      return result;
    });
    return server;
  };
  return {
    create: () => create(() => {}),
    createForOneClient: () => create((server, result) => offerApproval(server, log, result)),
    callServiceTool: (args, agent) => tracked(callServiceTool(ports, log, args, agent)),
    async idle(withinMs) {
      const late = new Promise((resolve) => setTimeout(resolve, withinMs).unref());
      await Promise.race([Promise.allSettled(inFlight.all()), late]);
    },
  };
}

async function callTool(
  ports: GatewayPorts,
  log: Logger,
  { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  context: ServerContext,
): Promise<CallToolResult> {
  switch (name) {
    case 'list_gateway_services':
      return unforeseenTold(log, listGatewayServices(ports, args));
    case 'call_service_tool':
      return unforeseenTold(
        log,
        untilTold(context.mcpReq.signal, (signal) =>
          callServiceTool(ports, log, args, { ...agentIn(context), signal }),
        ),
      );
    default:
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'Tool not found. The two tools are list_gateway_services and call_service_tool.',
      );
  }
}

/** The SDK gives a client the text of whatever is thrown, which may be another party's. */
async function unforeseenTold<T>(log: Logger, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    log.error({ err: error }, 'unforeseen');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}

/** A signal that says nothing once the result is handed over: what the SDK then does with its own tells nothing of the client. */
async function untilTold<T>(signal: AbortSignal, work: (signal: Cancellation) => Promise<T>): Promise<T> {
  const gone = new Canceller();
  const leave = (): void => gone.abort();
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  try {
    return await work(gone);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function agentIn({ mcpReq, http }: ServerContext): Omit<Agent, 'signal'> {
  const progressToken = mcpReq._meta?.progressToken;
  const rising = risingProgress();
  const tell: Agent['onProgress'] = (message, of) => {
    const params = { progressToken: progressToken ?? '', ...rising(message, of) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return {
    name: http?.authInfo?.clientId ?? null,
    onProgress: progressToken === undefined ? null : tell,
    traceparent: mcpReq._meta?.['traceparent'],
  };
}
