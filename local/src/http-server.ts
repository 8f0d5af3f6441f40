import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import { listenError } from './port.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type HttpServer = {
  readonly port: number;
  /** `http://HOST:PORT`, without a slash at the end. */
  readonly url: string;
  /** Takes no new requests, lets the ones in flight finish, then resolves. */
  readonly stop: () => Promise<void>;
};

/** Listens on `port` (0: one that is free). A request whose handler fails is answered with 500, never with its error. */
export async function startHttpServer(
  at: { readonly host: string; readonly port: number; readonly maxHeaderSize?: number },
  log: Logger,
  handle: Handler,
): Promise<HttpServer> {
  const inFlight = new Set<ServerResponse>();
  let stopping = false;
  // Connections that clients keep open have no end of their own.
  const closeIfDone = () => {
    if (stopping && inFlight.size === 0) server.closeAllConnections();
  };
  const limits = at.maxHeaderSize === undefined ? {} : { maxHeaderSize: at.maxHeaderSize };
  const server = createServer(limits, (request, response) => {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      closeIfDone();
    });
    background(log, 'request', answer(handle, request, response));
  });
  server.listen(at.port, at.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, at.port);
  }
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'close');
  const stop = async () => {
    stopping = true;
    server.close();
    closeIfDone();
    await closed;
  };
  return { port, url: `http://${at.host}:${port}`, stop };
}

async function answer(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(request, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else answerJson(response, 500, { error: 'internal error' });
    throw error;
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const maxBodyBytes = 4 * 1024 * 1024;

/** The JSON of a request; null when it is none, or larger than 4 MiB. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}
