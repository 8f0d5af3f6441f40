import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions, Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Dialect, type Fault } from '@countersign/protocol/dialect';
import { getRequestListener } from '@hono/node-server';
import { arrivingWithin, maxArrivalMs } from './arrival.ts';
import type { Upgrade } from './channel.ts';
import { draining } from './drain.ts';
import { takeUpgrades, type Upgrades } from './upgrades.ts';

type Fetch = (
  request: Request,
  env: { incoming: IncomingMessage; outgoing?: ServerResponse; upgrade?: Upgrade },
) => Response | Promise<Response>;

/** An open port. Until `serve` is called every request is answered 503. `close` finishes what is in flight, for 6 s. */
export type Port = {
  readonly port: number;
  readonly serve: (fetch: Fetch, options?: { readonly sockets: boolean }) => void;
  /** New connections get these certificates; those there are go on with theirs. Only of a port that was opened with `tls`. */
  readonly renewTls: (tls: ServerOptions) => void;
  readonly close: () => Promise<void>;
};

/** Opens a port that answers in a dialect until `serve` takes over; a port that is taken or forbidden is told in one sentence. Port 0 takes any free one. With `tls` it speaks that alone. A request that has not arrived within 30 s is closed. */
export async function openPort(
  host: string,
  port: number,
  dialect: Dialect<string, string>,
  tls: ServerOptions | null = null,
  arrivalMs: number = maxArrivalMs,
): Promise<Port> {
  const refusal = (fault: Fault, msg: string): Refused => ({
    type: dialect.refusalType,
    text: JSON.stringify(dialect.refusal({ code: dialect.faults[fault], msg })),
  });
  const starting = refusal('unforeseen', 'starting');
  const unreadable = refusal('unreadable', 'unreadable request');
  let listener: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) =>
    answerStarting(response, starting);
  const last = new WeakMap<Duplex, ServerResponse>();
  const hear = (request: IncomingMessage, response: ServerResponse) => {
    last.set(request.socket, response);
    listener(request, response);
  };
  const limits = arrivingWithin(arrivalMs);
  const server = tls === null ? createServer(limits, hear) : createTlsServer({ ...tls, ...limits }, hear);
  const { heard, drain } = draining(server);
  server.keepAliveTimeout = keepAliveMs;
  const late = refusal('unreadable', `the request did not arrive within ${arrivalMs / 1000} s`);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const said = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? late : unreadable;
    if (isBeingAnswered(last.get(socket))) socket.destroy();
    else answerBroken(error, socket, said);
  });
  let upgrades: Upgrades | null = null;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(sayWhyNot(error, host, port))));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve(fetch, { sockets = false } = { sockets: false }) {
      if (sockets) {
        upgrades = takeUpgrades(server, fetch);
        server.on('upgrade', heard);
      }
      listener = getRequestListener(
        (request, env) => fetch(request, env as { incoming: IncomingMessage; outgoing: ServerResponse }),
        {
          errorHandler: () => answerUnreadable(unreadable),
          overrideGlobalObjects: false,
        },
      );
    },
    renewTls: (renewed) => {
      if (!(server instanceof TlsServer)) throw new Error('this port speaks no TLS');
      server.setSecureContext(renewed);
    },
    close: () => {
      upgrades?.close();
      return drain();
    },
  };
}

/** Longer than load balancers keep an idle connection (60 s): whoever hangs up first must not be us, mid-request. */
const keepAliveMs = 75_000;

function sayWhyNot(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${host} is taken by another process`;
  if (error.code === 'EACCES') return `port ${port} needs more rights than this process has`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
    return `${host} is no address of this machine${host.includes(':') ? ', which may have no IPv6' : ''}: listen on 127.0.0.1, or on 0.0.0.0 for all`;
  return `cannot listen on ${host} port ${port}: ${error.code ?? error.message}`;
}

type Refused = { readonly type: string; readonly text: string };

function answerStarting(response: ServerResponse, { type, text }: Refused): void {
  response.writeHead(503, {
    'content-type': type,
    'retry-after': '1',
    'x-request-id': crypto.randomUUID(),
  });
  response.end(text);
}

/**
 * Answers what node:http cannot parse as a request, such as headers of more than 16 KiB; there is no response
 * object then.
 */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex, { type, text }: Refused): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statusOfBroken[error.code ?? ''] ?? '400 Bad Request';
  const headers = [
    `HTTP/1.1 ${status}`,
    `content-type: ${type}`,
    `content-length: ${text.length}`,
    `x-request-id: ${crypto.randomUUID()}`,
    'connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${text}`);
  // Whoever still sends would otherwise not hear the answer; whoever goes on sending is not waited for.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const lingerMs = 1000;

const statusOfBroken: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Returns whether an answer has begun that did not end, or whose request did not: another one would not be
 * understood.
 */
const isBeingAnswered = (response: ServerResponse | undefined): boolean =>
  response?.headersSent === true && !(response.writableFinished && response.req.complete);

/** Answers requests that cannot become a `Request`, such as one with an invalid Host header. */
function answerUnreadable({ type, text }: Refused): Response {
  return new Response(text, {
    status: 400,
    headers: { 'content-type': type, 'x-request-id': crypto.randomUUID() },
  });
}
