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
  const body = await readAtMost(request, maxBodyBytes);
  if (body === null)
    return { ok: false, status: 413, code: -32000, message: 'The body is larger than 4 MiB.' };
  try {
    return { ok: true, value: JSON.parse(utf8.decode(body)) };
  } catch {
    return { ok: false, status: 400, code: -32700, message: 'Parse error: the body is not JSON in UTF-8.' };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes of an oversized body that are drained, so that its sender gets to read the response. */
const maxDrainedBytes = 8 * maxBodyBytes;

/** Null when there is more than `limit`. */
function readAtMost(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxDrainedBytes) return resolve(null);
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else if (size > maxDrainedBytes) resolve(null);
    });
    request.on('end', () => resolve(size > limit ? null : joined(chunks)));
    request.on('error', reject);
  });
}

/** Most bodies come in one piece. */
const joined = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);

export const sendJson = (response: ServerResponse, status: number, body: object): void =>
  sendJsonText(response, status, JSON.stringify(body));

export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  endTogether(response, text);
}

/** Writes the whole response as one piece. Node's `end(text)` writes a second, empty one, for a tenth of a response's CPU. */
function endAtOnce(response: ServerResponse, text: string): void {
  const { socket } = response;
  socket?.cork();
  response.write(text);
  socket?.uncork();
  response.end();
}

let ending: (() => void)[] = [];

/**
 * Ends the response once everything that has arrived by now is worked on. Answers that are written one right after another wake
 * their reader once; each alone would wake it anew, which costs about a tenth of a small call's CPU.
 */
function endTogether(response: ServerResponse, text: string): void {
  if (ending.push(() => endAtOnce(response, text)) > 1) return;
  setImmediate(() => {
    const due = ending;
    ending = [];
    for (const end of due) end();
  });
}

/** A JSON-RPC error outside of any call. */
export function sendRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  // A body that was not read to its end would be taken for the next request.
  if (status === 413) response.setHeader('connection', 'close');
  sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } });
}
