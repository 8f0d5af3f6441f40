import { Client, SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import { version } from '@countersign/service/version';
import type { GatewayConfig } from '../config.ts';
import { PooledHttpTransport } from './http-transport.ts';

export type Connected = {
  readonly client: Client;
  readonly transport: 'streamable-http' | 'sse';
};

/**
 * Opens an MCP connection. `auto` tries Streamable HTTP, and on failure SSE (document 1, What the service
 * does 5). Throws one error that names what each transport ran into.
 */
export async function connectDownstream(
  url: URL,
  headers: Readonly<Record<string, string>>,
  mode: GatewayConfig['transport'],
  timeoutMs: number,
): Promise<Connected> {
  if (mode === 'streamable-http')
    return { client: await open(streamable(url, headers), timeoutMs), transport: 'streamable-http' };
  if (mode === 'sse') return { client: await open(sse(url, headers), timeoutMs), transport: 'sse' };
  try {
    return { client: await open(streamable(url, headers), timeoutMs), transport: 'streamable-http' };
  } catch (first) {
    try {
      return { client: await open(sse(url, headers), timeoutMs), transport: 'sse' };
    } catch (second) {
      throw new Error(`streamable HTTP: ${reason(first)}; SSE: ${reason(second)}`, { cause: second });
    }
  }
}

const streamable = (url: URL, headers: Readonly<Record<string, string>>): Transport =>
  new PooledHttpTransport({ url, headers });

/** SSE is the old transport of few services: the stock one will do. */
const sse = (url: URL, headers: Readonly<Record<string, string>>): Transport =>
  new SSEClientTransport(url, { requestInit: { headers: { ...headers }, redirect: 'error' } });

async function open(transport: Transport, timeoutMs: number): Promise<Client> {
  const client = new Client({ name: 'countersign-gateway', version }, { capabilities: {} });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    return client;
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  }
}

/** An error's own class of failure. Its text may hold what the service wrote; it is for the log and the service list. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const cause = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : '';
  const code = 'code' in error ? String(error.code) : cause;
  return `${error.message.slice(0, 200)}${code === '' ? '' : ` (${code})`}`;
}
