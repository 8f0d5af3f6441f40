import { fetchWithOwnSignal, withBody } from '@countersign/service/own-signal';
import { SSEClientTransport, SseError, type Transport } from '@modelcontextprotocol/client';
import type { GatewayConfig } from '../config.ts';
import { Connection } from './connection.ts';
import { NeitherTransport } from './failure.ts';
import { PooledHttpTransport } from './http-transport.ts';
import { httpError, type HttpTransportError, maxAnswerBytes } from './posted-request.ts';

/**
 * Opens an MCP connection. `auto` tries Streamable HTTP, and on failure SSE (spec: gateway.downstream). Throws one
 * error that names what each transport ran into.
 */
export async function connectDownstream(
  url: URL,
  headers: Readonly<Record<string, string>>,
  mode: GatewayConfig['transport'],
  timeoutMs: number,
): Promise<Connection> {
  const streamable = () =>
    Connection.open('streamable-http', new PooledHttpTransport({ url, headers }), timeoutMs);
  const sse = () => openSse(url, headers, timeoutMs);
  if (mode === 'streamable-http') return streamable();
  if (mode === 'sse') return sse();
  try {
    return await streamable();
  } catch (first) {
    try {
      return await sse();
    } catch (second) {
      throw new NeitherTransport(first, second);
    }
  }
}

type Refusal = { by: HttpTransportError | null };

/**
 * Opens the SSE transport. The stock one reports only the status of a refusal; this one reports its headers
 * as well.
 */
async function openSse(
  url: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Connection> {
  const refusal: Refusal = { by: null };
  try {
    return await Connection.open('sse', sseTransport(url, headers, refusal), timeoutMs);
  } catch (error) {
    throw refusal.by ?? error;
  }
}

/** SSE is the old transport of few services: the stock one will do, with a limit to what it reads. */
function sseTransport(url: URL, headers: Readonly<Record<string, string>>, refusal: Refusal): Transport {
  const transport = new SSEClientTransport(url, {
    requestInit: { headers: { ...headers }, redirect: 'error' },
    async fetch(input, init) {
      const response = await fetchLimited(input, init, () => void transport.close());
      const { ok, status } = response;
      refusal.by = ok ? null : httpError(status, false, Object.fromEntries(response.headers));
      return response;
    },
  });
  // It would open another stream by itself, on which the answers to what is in flight never come.
  transport.onerror = (error) => {
    if (error instanceof SseError) void transport.close();
  };
  return transport;
}

async function fetchLimited(
  input: string | URL,
  init: RequestInit | undefined,
  onTooLarge: () => void,
): Promise<Response> {
  const response = await fetchWithOwnSignal(input, init);
  if (init?.method === 'POST') {
    // The answer comes over the stream; what stands here is nobody's business.
    await response.body?.cancel();
    if (!response.ok) throw httpError(response.status, true, Object.fromEntries(response.headers));
    return new Response(null, { status: response.status });
  }
  if (response.body === null) return response;
  return withBody(response, response.body.pipeThrough(eventLimit(onTooLarge)));
}

/** Passes a stream through until one event is larger than any answer may be. Events end with an empty line. */
function eventLimit(onTooLarge: () => void): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'));
      size = end === -1 ? size + text.length : text.length - end;
      if (size > maxAnswerBytes) {
        onTooLarge();
        controller.terminate();
      } else controller.enqueue(chunk);
    },
  });
}

/** Full jitter, so that gateways that lost the same service do not come back at once. */
export const backoff = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * 2 ** attempt));
