import { type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { isCutShort } from './cut-short.ts';

export type HttpRequest = {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
};

export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Most bytes of an answer: it must fit into a frame, twice. */
export const maxAnswerBytes = 8 * 1024 ** 2 - 64 * 1024;

/** Called once the head of the answer is read. */
export type OnHead = (head: Pick<HttpResponse, 'status' | 'headers'>) => void;

/**
 * One request over a connection made for it (HTTP/1.1), and its whole answer. Redirects are answers. `lost`: no answer
 * that could be read came to its end.
 */
export function exchange(
  stream: Duplex,
  { method, path, headers, body }: HttpRequest,
  onHead: OnHead = () => {},
): Promise<Result<HttpResponse, 'lost' | 'too_large'>> {
  return new Promise((resolve) => {
    const end = (result: Result<HttpResponse, 'lost' | 'too_large'>) => {
      resolve(result);
      stream.destroy();
    };
    const outgoing = request({
      createConnection: () => stream,
      method,
      path,
      headers: headers.flat() as unknown as Record<string, string>,
      setHost: false,
      maxHeaderSize: 65_536,
    });
    outgoing.once('response', (response) => {
      onHead(headOf(response));
      void readAll(response).then(end);
    });
    outgoing.once('error', () => end(fail('lost')));
    outgoing.once('close', () => end(fail('lost')));
    outgoing.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<Result<HttpResponse, 'lost' | 'too_large'>> {
  const encoding = response.headers['content-encoding'];
  // Nothing was asked for in another form, and what cannot be read cannot be masked.
  if (encoding !== undefined && encoding !== 'identity') return fail('lost');
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxAnswerBytes) return fail('too_large');
      pieces.push(piece);
    }
  } catch {
    return fail('lost');
  }
  if (!response.complete) return fail('lost');
  const contentType = response.headers['content-type'] ?? '';
  const text = textOf(Buffer.concat(pieces), contentType);
  // A connection that closes ends a body without a length, and a length may be a lie: the text itself says that it goes on.
  if (isJson(contentType) && isCutShort(text)) return fail('lost');
  return ok({ ...headOf(response), text });
}

const isJson = (contentType: string): boolean =>
  /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType);

const headOf = (response: IncomingMessage): Pick<HttpResponse, 'status' | 'headers'> => ({
  status: response.statusCode ?? 0,
  headers: headersOf(response),
});

/** Without zero bytes: between the signs of a secret they would hide it. */
function textOf(bytes: Buffer, contentType: string): string {
  const charset = /;\s*charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  return decoderOf(charset).decode(bytes).replaceAll('\0', '');
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
