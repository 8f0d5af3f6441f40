import { callToolInput, listServicesInput, serviceList } from '@countersign/protocol/gateway/tools';
import { gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Logger } from '@countersign/service/logger';
import { version } from '@countersign/service/version';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Agent, callServiceTool } from './call-service-tool.ts';
import { offerApproval } from './offer-approval.ts';
import { listGatewayServices } from './list-gateway-services.ts';
import type { GatewayPorts } from '../ports.ts';

const tools = [
  {
    name: 'list_gateway_services',
    title: 'List services',
    description: 'Lists the services behind this gateway and their tools. Start here.',
    inputSchema: jsonSchema(listServicesInput, 'input'),
    outputSchema: jsonSchema(serviceList, 'output'),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'call_service_tool',
    title: 'Call a tool of a service',
    description:
      'Calls a tool of a service. If the tool costs money, the gateway screens both parties, checks the owner’s mandate and pays by itself; you never handle a key. The answer is an envelope: look at ok and code.',
    inputSchema: jsonSchema(callToolInput, 'input'),
    outputSchema: jsonSchema(gatewayEnvelope, 'output'),
    annotations: { readOnlyHint: false, openWorldHint: true },
  },
];

const instructions =
  'Paid and free MCP services behind one gateway. list_gateway_services shows what there is; call_service_tool calls it and pays within the limits that the owner signed. WALLET_APPROVAL_REQUIRED means that the owner has to decide: show them detail.paymentContext.approval.';

export type GatewayServers = {
  /** One more MCP server: two tools, and nothing kept between calls. */
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
  const inFlight = new Set<Promise<unknown>>();
  const tracked = <T>(call: Promise<T>): Promise<T> => {
    const ended = call.finally(() => inFlight.delete(ended));
    inFlight.add(ended);
    return ended;
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
      await Promise.race([Promise.allSettled(inFlight), late]);
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
      return listGatewayServices(ports, args);
    case 'call_service_tool':
      return callServiceTool(ports, log, args, agentIn(context));
    default:
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'There is no such tool. The two tools are list_gateway_services and call_service_tool.',
      );
  }
}

function agentIn({ mcpReq, http }: ServerContext): Agent {
  const progressToken = mcpReq._meta?.progressToken;
  let step = 0;
  const tell = (message: string): void => {
    step += 1;
    const params = { progressToken: progressToken ?? '', progress: step, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return {
    name: http?.authInfo?.clientId ?? null,
    signal: mcpReq.signal,
    onProgress: progressToken === undefined ? null : tell,
    traceparent: mcpReq._meta?.['traceparent'],
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  return z.toJSONSchema(schema, { io }) as { type: 'object'; [key: string]: unknown };
}
