import type { Definition } from '@countersign/protocol/control/connector';
import { isDots } from '@countersign/protocol/control/openapi/fill';
import { type HttpOperation, placeholder } from '@countersign/protocol/control/openapi/operation';

type Asked = { readonly method: string; readonly url: URL };

/**
 * Returns whether a request is the operation that was approved, of one of the servers that the definition
 * names.
 */
export function permitsHttp(
  { servers }: Definition<'http'>,
  operation: HttpOperation,
  asked: Asked,
): boolean {
  const { url, method } = asked;
  if (method !== operation.method || hasUser(url)) return false;
  const path = pathPattern(operation.template);
  return servers.some((server) => {
    const base = new URL(server.url);
    const below = base.pathname.replace(/\/+$/, '');
    if (url.origin !== base.origin || !url.pathname.startsWith(below)) return false;
    const rest = url.pathname.slice(below.length);
    return path.test(rest) && !rest.split(/\/|%2f|\\|%5c/i).some(isDots);
  });
}

/** Returns a pattern in which a placeholder stands for one path segment: its value contains no slash. */
function pathPattern(template: string): RegExp {
  const parts = new URL(template.replaceAll(placeholder, '\ue000'), 'http://path').pathname.split(
    '%EE%80%80',
  );
  return new RegExp(`^${parts.map((part) => escaped(part)).join('[^/]+')}$`);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Methods that an MCP client calls besides the tool. */
const besides = new Set(['initialize', 'server/discover', 'ping', 'tools/list']);

/**
 * Returns whether what is sent to an MCP server is about the one tool that was approved; `calls`: it calls
 * that tool.
 */
export function permitsTool(
  definition: Definition<'mcp-tool'>,
  tool: string,
  { method, url }: Asked,
  body: Buffer,
): { readonly calls: boolean } | null {
  if (url.href !== new URL(definition.url).href || hasUser(url)) return null;
  if (definition.tools !== undefined && !definition.tools.includes(tool)) return null;
  if (method === 'DELETE') return body.length === 0 ? { calls: false } : null;
  return method === 'POST' ? permitsMessage(readMessage(body), tool) : null;
}

function permitsMessage(message: Message | null, tool: string): { readonly calls: boolean } | null {
  const said = message?.method;
  if (said === 'tools/call') return message?.params?.['name'] === tool ? { calls: true } : null;
  if (typeof said !== 'string') return null;
  return besides.has(said) || said.startsWith('notifications/') ? { calls: false } : null;
}

const hasUser = ({ username, password }: URL): boolean => username !== '' || password !== '';

type Message = { readonly method?: unknown; readonly params?: Readonly<Record<string, unknown>> | null };

/** Reads one JSON-RPC message; null if the body is anything else. */
function readMessage(body: Buffer): Message | null {
  try {
    const read = JSON.parse(body.toString()) as unknown;
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}
