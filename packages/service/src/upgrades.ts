import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { channelOn, type Upgrade } from './channel.ts';

type Fetch = (
  request: Request,
  env: { incoming: IncomingMessage; upgrade: Upgrade },
) => Response | Promise<Response>;

/** WebSockets of a server. `close` ends them all. */
export type Upgrades = { readonly close: () => void };

/** Nobody has anything to say to us over one. */
const maxBytesIn = 4_096;
const closingMs = 1_000;

/**
 * Puts requests for a WebSocket before an app like any others, and makes one of those that it lets pass; its answer to
 * the others is theirs. A browser, which can set no header, shows its token as a subprotocol: `bearer.<token>`.
 */
export function takeUpgrades(server: Server, fetch: Fetch): Upgrades {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBytesIn,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...offered].find(isToken) ?? false,
  });

  async function take(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const request = requestOf(incoming);
    if (request === null) return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    const upgrade: Upgrade = { open: null };
    const response = await fetch(request, { incoming, upgrade });
    const { open } = upgrade;
    if (open === null) return answer(socket, response);
    sockets.handleUpgrade(incoming, socket, head, (opened) => open(channelOn(opened)));
  }

  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (incoming.headers.upgrade?.toLowerCase() !== 'websocket' || incoming.method !== 'GET')
      return goOnWithoutUpgrade(server, incoming, socket, head);
    socket.on('error', () => socket.destroy());
    take(incoming, socket, head).catch(() => socket.destroy());
  });
  return {
    close() {
      for (const client of sockets.clients) leave(client);
    },
  };
}

function leave(client: WebSocket): void {
  client.close(1001, 'the server ends');
  setTimeout(() => client.terminate(), closingMs).unref();
}

const isToken = (protocol: string): boolean => protocol.startsWith('bearer.');

/** Null for what is no request of HTTP. */
function requestOf({ method = 'GET', url = '/', headers: received }: IncomingMessage): Request | null {
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(received))
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    const token = received['sec-websocket-protocol']?.split(/\s*,\s*/).find(isToken);
    if (token !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${token.slice('bearer.'.length)}`);
    return new Request(new URL(`http://localhost${url}`), { method, headers });
  } catch {
    return null;
  }
}

async function answer(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (const [name, value] of response.headers) lines.push(`${name}: ${value}`);
  lines.push(`content-length: ${body.length}`, 'connection: close', '', '');
  socket.end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
}

const ofUpgrade = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Other protocols are offered and need not be taken (RFC 9110, 7.8), as Java's client does with each first request. Once
 * anybody takes upgrades, Node gives all of them away, so the request is put before it again without its offer.
 */
function goOnWithoutUpgrade(server: Server, incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = incoming;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!ofUpgrade.has((rawHeaders[i] ?? '').toLowerCase()))
      lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
