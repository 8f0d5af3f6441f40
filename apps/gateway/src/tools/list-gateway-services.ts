import { listServicesInput } from '@countersign/protocol/gateway/tools';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { GatewayPorts } from '../ports.ts';
import { readInput } from './read-input.ts';
import { shownList } from './shown-list.ts';

/** `list_gateway_services`: all services and tools, or those that the filters name. */
export async function listGatewayServices(ports: GatewayPorts, args: unknown): Promise<CallToolResult> {
  const input = readInput(listServicesInput, args ?? {});
  if (!input.ok)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The input of list_gateway_services is wrong. ${input.error}`,
    );
  const list = shownList(await ports.services.list(input.value), input.value);
  return { content: [{ type: 'text', text: JSON.stringify(list) }], structuredContent: list };
}
