import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseAllowedUrls, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Refused } from '../channel/browser-host.ts';
import { readOpening } from './client-hello.ts';
import type { Dial } from './dial.ts';
import {
  allowsHttpUrl,
  allowsOpening,
  allowsTarget,
  readAuthority,
  readHttpUrl,
  refusedTarget,
} from './scope.ts';

/** Limits on what one jail may use. */
export type Limits = {
  /** Connections at once. */
  readonly connections: number;
  /** In total, in both directions. */
  readonly bytes: number;
  /**
   * How long a connection may be idle, and how long it may take to send enough to be identified; in
   * milliseconds.
   */
  readonly silentMs: number;
  readonly openingMs: number;
};

const usual: Limits = { connections: 256, bytes: 4 * 1024 ** 3, silentMs: 10 * 60_000, openingMs: 20_000 };

/** Made for this connection, not for what it carries (RFC 9110, 7.6.1). */
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host)$/i;

/** The way out of one jail: to nowhere, until it is told to where. */
export class JailProxy {
  readonly #dial: Dial;
  readonly #onRefused: (refused: Refused) => void;
  readonly #limits: Limits;
  readonly #agent: Agent;
  readonly #server = createServer();
  readonly #open = new Set<Socket>();
  #scope: readonly UrlPattern[] = [];
  #bytes = 0;

  constructor(dial: Dial, onRefused: (refused: Refused) => void, limits = usual) {
    this.#dial = dial;
    this.#limits = limits;
    this.#onRefused = onRefused;
    this.#agent = agentOver(dial, (socket) => this.#watch(socket));
    this.#server.on('connect', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(message.url ?? '', socket, head);
    });
    this.#server.on('request', (message, response) => this.#forward(message, response));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  allow(urls: readonly string[]): void {
    this.#scope = parseAllowedUrls(urls);
  }

  /** Takes a connection from inside the jail. */
  take(socket: Socket): void {
    if (this.#open.size >= this.#limits.connections) return void socket.destroy();
    this.#watch(socket);
    this.#server.emit('connection', socket);
  }

  /** Ends what goes on when too much went through. */
  holdToLimits(): void {
    const open = [...this.#open].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    if (this.#bytes + open > this.#limits.bytes) this.close();
  }

  close(): void {
    this.#scope = [];
    this.#agent.destroy();
    for (const socket of this.#open) socket.destroy();
  }

  async #tunnel(authority: string, inside: Duplex, head: Buffer): Promise<void> {
    const target = readAuthority(authority);
    if (target === null || !allowsTarget(this.#scope, target)) return this.#refuse(inside, target);
    const dialled = await this.#dial(target.host, target.port);
    if (!dialled.ok)
      return dialled.error === 'refused' ? this.#refuse(inside, target) : answer(inside, '502 Bad Gateway');
    const outside = dialled.value;
    this.#watch(outside);
    inside.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const first = await openingBytes(inside, head, this.#limits.openingMs);
    if (first === null || !allowsOpening(this.#scope, target, readOpening(first))) {
      this.#onRefused(refusedTarget(target));
      outside.destroy();
      return void inside.destroy();
    }
    outside.write(first);
    join(inside, outside);
  }

  #forward(message: IncomingMessage, response: ServerResponse): void {
    const url = message.url ?? '';
    const target = readHttpUrl(url);
    const refuse = () => {
      this.#onRefused(refusedTarget(target));
      response.writeHead(403, { 'content-length': 0, connection: 'close' }).end();
    };
    if (target === null || !allowsHttpUrl(this.#scope, url)) return refuse();
    const { host, port, path } = target;
    const headers = [...endToEnd(message.rawHeaders), 'host', new URL(url).host];
    const onward = request({
      agent: this.#agent,
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port,
      path,
      method: message.method,
      headers: headers as unknown as Record<string, string>,
      setHost: false,
    });
    onward.once('response', (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.statusMessage, endToEnd(answered.rawHeaders));
      answered.pipe(response);
      answered.once('error', () => response.destroy());
    });
    onward.once('error', (error) => {
      if (error.message === 'refused') return refuse();
      if (response.headersSent) return void response.destroy();
      response.writeHead(502, { 'content-length': 0 }).end();
    });
    response.once('close', () => onward.destroy());
    message.pipe(onward);
  }

  #refuse(inside: Duplex, target: ReturnType<typeof readAuthority>): void {
    this.#onRefused(refusedTarget(target));
    answer(inside, '403 Forbidden');
  }

  /** Knows a connection until it is closed. */
  #watch(socket: Duplex): void {
    const connection = socket as Socket;
    this.#open.add(connection);
    connection.setTimeout(this.#limits.silentMs, () => connection.destroy());
    connection.on('error', () => connection.destroy());
    connection.on('close', () => {
      this.#open.delete(connection);
      this.#bytes += connection.bytesRead;
    });
  }
}

type Connected = (error: Error | null, socket?: Socket) => void;

/** Connections for clear text, each for one request: one that is kept may be closed by the site just when it is used. */
function agentOver(dial: Dial, watch: (socket: Socket) => void): Agent {
  const agent = new Agent({ maxSockets: 32 });
  agent.createConnection = (options, done) => {
    const { host, port } = options as { host: string; port: number };
    void connectFor(isIP(host) === 6 ? `[${host}]` : host, port, done as Connected);
    return undefined;
  };
  const connectFor = async (host: string, port: number, done: Connected) => {
    const dialled = await dial(host, port);
    if (!dialled.ok) return done(new Error(dialled.error));
    watch(dialled.value);
    done(null, dialled.value);
  };
  return agent;
}

/** The bytes with which a connection opens, as far as it takes to know what they are; null when none come. */
function openingBytes(socket: Duplex, head: Buffer, withinMs: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    let bytes = head;
    const finish = (first: Buffer | null) => {
      clearTimeout(timer);
      socket.pause();
      socket.off('data', take).off('close', giveUp);
      resolve(first);
    };
    const giveUp = () => finish(null);
    const take = (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      if (readOpening(bytes).kind !== 'more') finish(bytes);
    };
    const timer = setTimeout(giveUp, withinMs);
    socket.on('data', take).once('close', giveUp);
    take(Buffer.alloc(0));
  });
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
}

function answer(socket: Duplex, status: '403 Forbidden' | '502 Bad Gateway'): void {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

/** Raw headers without those that are for one connection alone. */
function endToEnd(raw: readonly string[]): string[] {
  const named = pairs(raw);
  const listed = named
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  return named.filter(([name]) => !hopByHop.test(name) && !listed.includes(name.toLowerCase())).flat();
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as [string, string]] : []));
