import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { ofOneConnection } from './one-connection.ts';
import { listenError } from './port.ts';

type At = { readonly host: string; readonly port: number };

/**
 * Stands before the local chain, which does what anybody asks: lends accounts, makes money. Programs and wallets get
 * through; no page of a browser does, and no name of somebody else's that was made to lead here (DNS rebinding).
 * Gives what closes it.
 */
export async function openChainGate(port: number, chain: At): Promise<() => void> {
  const agent = new Agent({ keepAlive: true });
  const tunnels = new Set<Duplex>();
  const server = createServer((request, response) => {
    if (!mayPass(request)) return refuse(response);
    handOn(request, response, agent, chain);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    if (!mayPass(request)) return socket.end(`HTTP/1.1 403 Forbidden\r\n${headOf(refused)}\r\n${why}`);
    tunnel(request, socket, head, chain);
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, port);
  }
  return () => {
    server.close();
    server.closeAllConnections();
    for (const end of tunnels) end.destroy();
    agent.destroy();
  };
}

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;
/** A page of a browser says where it comes from; of what browsers send, only a wallet's own pages are let through. */
const ofWallets = /^(chrome|moz|safari-web)-extension:\/\/[^,\s/]+$/;

const mayPass = ({ headers: { host = '', origin } }: IncomingMessage): boolean =>
  loopback.test(host) && (origin === undefined || ofWallets.test(origin));

const why = 'no page of a browser may use the local chain\n';
const refused = { 'content-type': 'text/plain', 'content-length': why.length, connection: 'close' };
const headOf = (headers: Readonly<Record<string, string | number>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

const refuse = (response: ServerResponse): void => void response.writeHead(403, refused).end(why);

/** Those of one connection end here: Node throws for a `Trailer` beside a length. How the body is framed stays. */
const headersFor = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'transfer-encoding' || !ofOneConnection.has(name)),
  );

function handOn(request: IncomingMessage, response: ServerResponse, agent: Agent, { host, port }: At): void {
  const { method, url: path } = request;
  const onward = ask({ agent, host, port, method, path, headers: headersFor(request) });
  response.once('close', () => onward.destroy());
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  request.pipe(onward);
}

/**
 * A WebSocket goes through as it is, once the chain has accepted it. INVARIANT: until then nothing but the one request
 * is handed on; otherwise what follows a refused upgrade would reach the chain as a request that nobody looked at.
 */
function tunnel(request: IncomingMessage, socket: Duplex, head: Buffer, { host, port }: At): void {
  const ofSockets = Object.entries(request.headers).filter(([name]) => name.startsWith('sec-websocket-'));
  const headers = { ...Object.fromEntries(ofSockets), connection: 'Upgrade', upgrade: 'websocket' };
  const onward = ask({ host, port, path: request.url, headers, agent: false });
  socket.once('close', () => onward.destroy());
  onward.on('upgrade', ({ rawHeaders }, chain, first) => {
    chain.on('error', () => socket.destroy());
    chain.once('close', () => socket.destroy());
    socket.once('close', () => chain.destroy());
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headerLines(rawHeaders)}\r\n`, 'latin1');
    socket.write(first);
    chain.write(head);
    chain.pipe(socket).pipe(chain);
  });
  onward.on('response', ({ statusCode = 502 }) => socket.end(`HTTP/1.1 ${statusCode} No\r\n${closing}\r\n`));
  onward.on('error', () => socket.destroy());
  onward.end();
}

const closing = 'content-length: 0\r\nconnection: close\r\n';

const headerLines = (raw: readonly string[]): string =>
  raw.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
