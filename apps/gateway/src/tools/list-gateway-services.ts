import { listServicesInput } from '@countersign/protocol/gateway/tools';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { GatewayPorts } from '../ports.ts';

/** `list_gateway_services`: all services and tools, or those that the filters name. */
export async function listGatewayServices(ports: GatewayPorts, args: unknown): Promise<CallToolResult> {
  const input = listServicesInput.safeParse(args ?? {});
  if (!input.success)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'serviceId and query are optional texts.');
  const list = await ports.services.list(input.data);
  return { content: [{ type: 'text', text: JSON.stringify(list) }], structuredContent: list };
}
