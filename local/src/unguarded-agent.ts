import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { type BarePayer, type CallTool, callToolOf } from './bare-payer.ts';

/**
 * An agent with a wallet and without a gateway: the official client, and a payer that pays what it is asked. What an
 * attack takes from it is what a gateway has to save.
 */
export type UnguardedAgent = {
  readonly client: Client;
  readonly payer: BarePayer;
  /** All that its model has read: tool definitions and results, as the service wrote them. */
  readonly read: readonly string[];
  readonly list: () => Promise<readonly Tool[]>;
  /** Calls and, if asked, pays and calls again. */
  readonly buy: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
  /** Calls without paying, or with this `_meta`. */
  readonly call: CallTool;
  readonly close: () => Promise<void>;
};

/** Connects to one service over Streamable HTTP, with a client of any capabilities. */
export async function connectUnguarded(
  url: string,
  payer: BarePayer,
  client = new Client({ name: 'unguarded', version: '1' }),
): Promise<UnguardedAgent> {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const read: string[] = [];
  const send = callToolOf(client);
  const call: CallTool = async (...request) => {
    const result = await send(...request);
    read.push(JSON.stringify(result));
    return result;
  };
  return {
    client,
    payer,
    read,
    call,
    async list() {
      const { tools } = await client.listTools();
      read.push(JSON.stringify(tools));
      return tools;
    },
    buy: (name, args = {}) => payer.pay(call, name, args),
    close: () => client.close(),
  };
}
