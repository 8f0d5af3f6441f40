import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cancellation, toAbortSignal } from '@countersign/service/cancellation';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';

/** Hands one request to the SDK's web-standard handler and its answer back to Node. */
export async function serveModern(
  handler: McpHttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
  parsedBody: unknown,
  authInfo: AuthInfo | undefined,
  gone: Cancellation,
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value);
  const asked = new Request(`http://${request.headers.host ?? 'localhost'}${request.url ?? '/mcp'}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(parsedBody),
    signal: toAbortSignal(gone),
  });
  const answer = await handler.fetch(asked, { parsedBody, ...(authInfo && { authInfo }) });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  // A client that hangs up ends the stream early; its call was cancelled above.
  else await pipeline(Readable.fromWeb(answer.body), response).catch(() => {});
}
