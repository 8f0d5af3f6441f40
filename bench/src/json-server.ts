import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type JsonAnswer = {
  readonly status: number;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type JsonServer = { readonly origin: string; readonly close: () => void };

/** An HTTP server that costs next to nothing: it stands for a party whose own speed is not the question. */
export async function serveJson(
  answer: (path: string, body: Record<string, unknown>, headers: IncomingHttpHeaders) => JsonAnswer,
): Promise<JsonServer> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text);
      const { status, json, headers } = answer(request.url ?? '', body, request.headers);
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(json),
        ...headers,
      });
      response.end(json);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
