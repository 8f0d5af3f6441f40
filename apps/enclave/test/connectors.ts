import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { lookup } from 'node:dns/promises';
import { type AddressInfo, isIP } from 'node:net';
import { fail } from '@countersign/protocol/result';
import type { LendCredential, Run, RunConnector, RunEnd } from '../src/core/connector-runs/connector.ts';
import { createRunConnector } from '../src/core/connector-runs/run.ts';
import { Sandboxes } from '../src/launcher/sandbox/sandboxes.ts';
import { wallsDriver } from '../src/launcher/sandbox/walls-driver.ts';
import type { ConnectorHost } from '../src/channel/connector-host.ts';
import { addressRule, anyAddress } from '../src/egress/addresses.ts';
import { dialer } from '../src/egress/dial.ts';
import { silent } from './core-on-socket.ts';
import { program } from './jails.ts';

export type Connectors = {
  readonly run: RunConnector;
  readonly sandboxes: Sandboxes;
  readonly stop: () => Promise<void>;
};

/** Connectors in real sandboxes, with launcher and core in this process. */
export async function startConnectors(about: {
  readonly program?: string;
  readonly ca?: string;
  readonly keepsReady?: number;
  /** Addresses of names that no resolver knows. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** Stands before the sandboxes. */
  readonly start?: (start: ConnectorHost['start']) => ConnectorHost['start'];
}): Promise<Connectors> {
  const resolve = async (name: string) =>
    about.names?.[name]?.map((address) => ({ address, family: isIP(address) })) ??
    (await lookup(name, { all: true }));
  const [toPublic, toAny] = [addressRule([]), anyAddress].map((rule) => dialer(rule, resolve));
  const driver = wallsDriver({ isolation: 'required', program: about.program ?? program });
  const sandboxes = new Sandboxes({
    driver,
    keepsReady: about.keepsReady ?? 0,
    egress: () => Promise.reject(new Error('this process dials by itself')),
  });
  // What the egress process does, in this one.
  const dial: ConnectorHost['dial'] = async ({ host, port, allowPrivate }) =>
    (await (allowPrivate ? toAny : toPublic)?.(host, port)) ?? fail('unreachable');
  const host = { start: about.start?.(sandboxes.start) ?? sandboxes.start, dial };
  return {
    run: createRunConnector({ host, ca: about.ca ?? null, now: Date.now, log: silent }),
    sandboxes,
    stop: () => sandboxes.stop(),
  };
}

/** A run with what most tests do not care about. */
export const runOf = (about: Partial<Run> & Pick<Run, 'definition' | 'action'>): Run => ({
  executionId: '7b0c5d0e-9d0e-4f43-8f8e-0a4f1f0b8d11',
  type: 'http',
  params: {},
  token: 'v4.local.token',
  statement: 'v4.public.statement',
  carry: (send) => send(),
  lend: null,
  allowPrivate: true,
  timeoutMs: 20_000,
  signal: new AbortController().signal,
  ...about,
});

/** Lends this, and remembers how often. The copy that it lends is wiped after, as in the core. */
export function lending(secret: string | Readonly<Record<string, string>>): {
  lend: LendCredential;
  lent: Buffer[];
} {
  const lent: Buffer[] = [];
  return {
    lent,
    lend: async (use) => {
      const plaintext = Buffer.from(JSON.stringify(typeof secret === 'string' ? { key: secret } : secret));
      lent.push(plaintext);
      await use(plaintext);
      plaintext.fill(0);
      return true;
    },
  };
}

export const dataOf = (end: RunEnd): unknown => ('data' in end ? end.data : null);

export type Heard = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
export type Service = { readonly url: string; readonly heard: Heard[]; readonly server: Server };
type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A service on the machine's own loopback, which remembers what was asked of it. */
export async function startService(answer: (heard: Heard) => Reply | 'hang' | 'cut'): Promise<Service> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(pieces).toString() };
    heard.push(one);
    const reply = answer(one);
    if (reply === 'cut') return void request.socket.destroy();
    if (reply === 'hang') return;
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body ?? '');
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, server };
}
