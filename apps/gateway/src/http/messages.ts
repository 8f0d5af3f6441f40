import type { IncomingMessage, ServerResponse } from 'node:http';

/** Largest request body, in bytes. */
const maxBodyBytes = 4 * 1024 * 1024;

type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly code: number; readonly message: string };

/** Reads a JSON body of at most 4 MiB. */
export async function readJson(request: IncomingMessage): Promise<Read> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return { ok: false, status: 415, code: -32000, message: 'Content-Type must be application/json.' };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes)
      return { ok: false, status: 413, code: -32000, message: 'The body is larger than 4 MiB.' };
    chunks.push(chunk);
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { ok: false, status: 400, code: -32700, message: 'Parse error: the body is not JSON.' };
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** A JSON-RPC error outside of any call. */
export function sendRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  // A body that was not read to its end would be taken for the next request.
  if (status === 413) response.setHeader('connection', 'close');
  sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } });
}
