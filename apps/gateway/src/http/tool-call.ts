import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cancellation } from '@countersign/service/cancellation';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { ToolCall } from '../ports/tool-call.ts';
import { resultJson } from '../tools/call-service-tool.ts';
import { approvalOffer } from '../tools/offer-approval.ts';
import { risingProgress } from '../tools/rising-progress.ts';
import type { GatewayServers } from '../tools/server.ts';
import { canOpenPages } from './client-session.ts';
import { sendJsonText } from './messages.ts';

/** `call_service_tool`, as clients of 2025 revisions call it. */
export type PlainToolCall = {
  readonly id: string | number;
  readonly params: {
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly _meta?: { readonly progressToken?: string | number; readonly traceparent?: unknown };
  };
};

/**
 * Reads the one message that matters for speed without the SDK, which would validate it several times over, and without a
 * copy: what is called __proto__ stays no field of ours. Null for everything else: other messages, those of 2026-07-28, and
 * malformed ones are the SDK's to answer.
 */
export const readToolCall = (received: unknown): PlainToolCall | null =>
  isPlainToolCall(received) ? received : null;

function isPlainToolCall(received: unknown): received is PlainToolCall {
  if (!isObject(received) || received['jsonrpc'] !== '2.0' || received['method'] !== 'tools/call')
    return false;
  const { id, params } = received;
  if (!isId(id) || !isObject(params) || params['name'] !== 'call_service_tool') return false;
  const { arguments: given, _meta: meta, task } = params;
  return (
    task === undefined &&
    (given === undefined || isObject(given)) &&
    (meta === undefined || isPlainMeta(meta))
  );
}

const isPlainMeta = (meta: unknown): boolean =>
  isObject(meta) &&
  (meta['progressToken'] === undefined || isId(meta['progressToken'])) &&
  meta[PROTOCOL_VERSION_META_KEY] === undefined;

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Answers with JSON; the first progress or offer makes the answer an event stream. */
export async function serveToolCall(
  servers: GatewayServers,
  { id, params }: PlainToolCall,
  request: IncomingMessage,
  response: ServerResponse,
  agent: { readonly name: string | null; readonly signal: Cancellation },
): Promise<void> {
  const acceptsEvents = request.headers.accept?.includes('text/event-stream') === true;
  const progressToken = params._meta?.progressToken;
  const result = await servers.callServiceTool(params.arguments, {
    name: agent.name,
    signal: agent.signal,
    onProgress: progressToken !== undefined && acceptsEvents ? progressOn(response, progressToken) : null,
    traceparent: params._meta?.['traceparent'],
  });
  const offer = acceptsEvents && canOpenPages(request) ? approvalOffer(result) : null;
  if (offer !== null) {
    const asked = { jsonrpc: '2.0', id: offer.elicitationId, method: 'elicitation/create', params: offer };
    beginEvents(response).write(event(asked));
  }
  const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson(result)}}`;
  if (response.headersSent) response.end(eventOf(answer));
  else sendJsonText(response, 200, answer);
}

function progressOn(response: ServerResponse, progressToken: string | number): ToolCall['onProgress'] {
  const rising = risingProgress();
  return (message, of) => {
    const params = { progressToken, ...rising(message, of) };
    beginEvents(response).write(event({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  };
}

function beginEvents(response: ServerResponse): ServerResponse {
  if (!response.headersSent)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  return response;
}

const event = (message: object): string => eventOf(JSON.stringify(message));
const eventOf = (json: string): string => `event: message\ndata: ${json}\n\n`;
