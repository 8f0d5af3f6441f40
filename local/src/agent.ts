import { type GatewayEnvelope, gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { type ServiceList, serviceList } from '@countersign/protocol/gateway/tools';
import { fetchWithOwnSignal } from '@countersign/service/own-signal';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** An agent's view of the gateway, through a stock MCP client. */
export type Agent = {
  readonly client: Client;
  readonly list: (filter?: { serviceId?: string; query?: string }) => Promise<ServiceList['services']>;
  /** `call_service_tool`; the envelope is checked against its schema. */
  readonly call: (input: Readonly<Record<string, unknown>>) => Promise<GatewayEnvelope>;
  readonly close: () => Promise<void>;
};

/** Connects to a gateway over Streamable HTTP. `token` is one of its `GATEWAY_AUTH_TOKENS`. */
export async function connectAgent(url: string, token?: string): Promise<Agent> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: fetchWithOwnSignal,
  });
  const client = new Client({ name: 'demo-agent', version: '0.1.0' });
  await client.connect(transport);
  return agentOf(client);
}

/** The same over any connected client. */
export function agentOf(client: Client): Agent {
  return {
    client,
    async list(filter = {}) {
      const result = await client.callTool({ name: 'list_gateway_services', arguments: filter });
      return serviceList.parse(result.structuredContent).services;
    },
    async call(input) {
      // A payment may take longer than the SDK's minute.
      const result = await client.callTool(
        { name: 'call_service_tool', arguments: { ...input } },
        { timeout: 180_000 },
      );
      return gatewayEnvelope.parse(result.structuredContent);
    },
    close: () => client.close(),
  };
}
