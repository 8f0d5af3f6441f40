import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cancellation } from '@countersign/service/cancellation';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolCall } from '../ports/tool-call.ts';
import { resultJson } from '../tools/call-service-tool.ts';
import { approvalOffer } from '../tools/offer-approval.ts';
import { risingProgress } from '../tools/rising-progress.ts';
import type { GatewayServers } from '../tools/server.ts';
import { canOpenPages } from './client-session.ts';
import { sendJsonText } from './messages.ts';

const id = z.union([z.string(), z.int()]);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const message = z.object({
  jsonrpc: z.literal('2.0'),
  id,
  method: z.literal('tools/call'),
  params: z.object({
    name: z.literal('call_service_tool'),
    // As it came: a copy would lose what is called __proto__, and that is no field of ours.
    arguments: z.custom<Readonly<Record<string, unknown>>>(isObject).optional(),
    _meta: z
      .looseObject({ progressToken: id.optional(), [PROTOCOL_VERSION_META_KEY]: z.never().optional() })
      .optional(),
    task: z.never().optional(),
  }),
});

/** `call_service_tool`, as clients of 2025 revisions call it. */
export type PlainToolCall = z.infer<typeof message>;

/**
 * Reads the one message that matters for speed without the SDK, which would validate it several times over. Null for
 * everything else: other messages, those of 2026-07-28, and malformed ones are the SDK's to answer.
 */
export function readToolCall(received: unknown): PlainToolCall | null {
  const parsed = message.safeParse(received);
  return parsed.success ? parsed.data : null;
}

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
