import { Pool } from 'undici';

/** A tool of a running MCP server, ready to be called many times over one session. */
export type Caller = {
  /** Calls once. `marker` is text that stands in the arguments; rejects unless it comes back. */
  readonly call: (args: Readonly<Record<string, unknown>>, marker: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Which tool to call, and how the arguments of `echo` are wrapped for it. */
export type Target = {
  readonly tool: string;
  readonly wrap?: (args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
};

export const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

export const toolCall = (target: Target, args: Readonly<Record<string, unknown>>): object => ({
  name: target.tool,
  arguments: target.wrap?.(args) ?? args,
});

/**
 * A client of Streamable HTTP that does as little as one can: it keeps one session, sends what a real client
 * sends, and looks for the marker instead of parsing the answer. So what is measured is the server.
 */
export async function connectHttp(url: string, target: Target): Promise<Caller> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: 64 });
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  let lastId = 0;
  const post = async (message: object): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await pool.request({ method: 'POST', path, headers, body });
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') headers['mcp-session-id'] = session;
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`);
    return text;
  };

  await post({ id: ++lastId, method: 'initialize', params: initialize });
  headers['mcp-protocol-version'] = initialize.protocolVersion;
  await post({ method: 'notifications/initialized' });
  return {
    call: async (args, marker) => {
      const text = await post({ id: ++lastId, method: 'tools/call', params: toolCall(target, args) });
      if (!text.includes(marker)) throw new Error(`not the answer: ${text.slice(0, 200)}`);
    },
    close: () => pool.destroy(),
  };
}
