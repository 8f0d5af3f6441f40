import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpRequest } from '../broker/exchange.ts';

export type Heard = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Why the body is not whole; null for one that is. */
  readonly cut: 'too-large' | 'late' | 'broken' | null;
};

/** Maximum total size of a response's headers, in bytes. A response with more is discarded. */
const maxHeaderSize = 64 * 1024;

/**
 * One request over a connection made for it (HTTP/1.1), and as much of its answer as came before `over`. Redirects are
 * answers. Null where no head came.
 */
export function ask(
  stream: Duplex,
  { method, path, headers, body }: HttpRequest,
  maxBytes: number,
  over: AbortSignal,
): Promise<Heard | null> {
  return new Promise((resolve) => {
    const outgoing = request({
      createConnection: () => stream,
      method,
      path,
      headers: headers.flat() as unknown as Record<string, string>,
      setHost: false,
      maxHeaderSize,
    });
    let isHeard = false;
    const end = (heard: Heard | null): void => {
      resolve(heard);
      stream.destroy();
    };
    const lost = (): void => {
      if (!isHeard) end(null);
    };
    outgoing.once('response', (response) => {
      isHeard = true;
      void read(response, maxBytes, over).then(end);
    });
    outgoing.once('error', lost);
    outgoing.once('close', lost);
    outgoing.end(body);
  });
}

async function read(response: IncomingMessage, maxBytes: number, over: AbortSignal): Promise<Heard> {
  const pieces: Buffer[] = [];
  let left = maxBytes;
  const heard = (cut: Heard['cut']): Heard => ({
    status: response.statusCode ?? 0,
    headers: headersOf(response),
    body: Buffer.concat(pieces),
    cut,
  });
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece.subarray(0, left));
      left -= piece.length;
      if (left < 0) return heard('too-large');
    }
  } catch {
    return heard(over.aborted ? 'late' : 'broken');
  }
  return heard(response.complete ? null : 'broken');
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
