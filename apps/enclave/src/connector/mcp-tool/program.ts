import { mcpToolDefinition } from '@countersign/protocol/control/connector';
import { version } from '@countersign/service/version';
import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Broker, End, Program } from '../program.ts';
import { saysNothingDone } from './says-nothing-done.ts';

/** Calls the tool that `action` names, by the official client, whose every request goes by way of the broker. */
export const callTool: Program = async ({ definition, action, params }, broker) => {
  const { url, tools } = mcpToolDefinition.parse(definition);
  if (tools !== undefined && !tools.includes(action))
    return { end: 'invalid_params', message: 'The connector has no action of this name.' };
  const client = new Client({ name: 'countersign', version });
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: fetchBy(broker) });
  try {
    await client.connect(transport);
    return endOf(await client.callTool({ name: action, arguments: params }));
  } catch (error) {
    if (error instanceof ProtocolError)
      return {
        end: saysNothingDone(error.code) ? 'target_error' : 'target_unclear',
        data: { code: error.code, message: error.message },
      };
    if (error instanceof SdkHttpError) return { end: 'target_error', data: null };
    throw error;
  }
};

type CallToolResult = Awaited<ReturnType<Client['callTool']>>;

const endOf = ({ isError, structuredContent, content }: CallToolResult): End => ({
  end: isError === true ? 'target_error' : 'completed',
  data: structuredContent ?? content,
});

function fetchBy(broker: Broker) {
  return async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body = null, headers } = init;
    // It would open a stream for what a server has to say of its own accord: this client stays for one answer.
    if (method === 'GET') return new Response(null, { status: 405 });
    const bytes = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
    const ask = { method, url: String(target), headers: Object.fromEntries(new Headers(headers)) };
    const { status, headers: answered, text } = await broker.http(ask, bytes);
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : text, { status, headers: withoutLength(answered) });
  };
}

/** Removes `content-length`: masking changes the length of a body. */
const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(content-length|transfer-encoding)$/.test(name)),
  );
