import type { GatewayConfig } from '../config.ts';
import { connectDownstream } from './connect.ts';
import { sendCall } from './send-call.ts';
import type { ServiceConnection } from './service-connection.ts';
import { readTools } from './tool-list.ts';

/** Connects to an MCP service. */
export async function connectMcp(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { transport, downstreamTimeoutMs }: GatewayConfig,
): Promise<ServiceConnection> {
  const connection = await connectDownstream(url, headers, transport, downstreamTimeoutMs);
  return {
    transport: connection.transport,
    name: connection.name,
    instructions: connection.instructions,
    readTools: (timeoutMs) => connection.use((client) => readTools(client, timeoutMs)),
    probe: (timeoutMs) => connection.use((client) => readTools(client, timeoutMs)),
    send: (call, sending) => sendCall(connection, call, sending),
    onToolsChanged: (listener) => connection.onToolsChanged(listener),
    onClose: (listener) => connection.onClose(listener),
    retire: () => connection.retire(),
    close: () => connection.close(),
  };
}
