import { createServer, request } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refused } from '../channel/browser-host.ts';
import { addressRule } from './addresses.ts';
import { dialer, type Resolve } from './dial.ts';
import { JailProxy, type Limits } from './jail-proxy.ts';

const servers: Server[] = [];
const refused: Refused[] = [];
const asked: string[] = [];
/** What names stand for; a name with two answers gives the second when it is asked again. */
const names: Record<string, string[]> = {
  'shop.example': ['127.0.0.1'],
  'inner.example': ['10.0.0.7'],
  'rebound.example': ['127.0.0.1', '10.0.0.7'],
};
const resolve: Resolve = (name) => {
  asked.push(name);
  const answers = names[name] ?? [];
  const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
  return address === '' ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve([{ address, family: 4 }]);
};

const proxy = new JailProxy(dialer(addressRule(['127.0.0.1']), resolve), (one) => refused.push(one));
let proxyPort: number;
let httpPort: number;
let echoPort: number;
const arrived: { url: string; headers: Record<string, unknown> }[] = [];

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  proxyPort = await listen(createTcpServer((socket) => proxy.take(socket)));
  httpPort = await listen(
    createServer((message, response) => {
      arrived.push({ url: message.url ?? '', headers: message.headers });
      response.end('hello');
    }),
  );
  echoPort = await listen(createTcpServer((socket) => socket.on('error', () => {}).pipe(socket)));
  proxy.allow(allowed());
});
const allowed = () => [
  `http://shop.example:${httpPort}/shop/*`,
  `http://shop.example:${echoPort}`,
  `https://shop.example:${httpPort}`,
  `https://rebound.example:${echoPort}`,
  `http://inner.example:${httpPort}`,
];
afterAll(() => {
  proxy.close();
  for (const server of servers) server.close();
});

function get(url: string): Promise<number> {
  return new Promise((done) => {
    request({
      host: '127.0.0.1',
      port: proxyPort,
      path: url,
      headers: { host: 'liar.example', 'proxy-x': '1' },
    })
      .once('response', (response) => done(response.resume().statusCode ?? 0))
      .once('error', () => done(0))
      .end();
  });
}

function tunnel(authority: string, port = proxyPort): Promise<{ status: number; socket: Socket }> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    socket.once('data', (bytes: Buffer) => done({ status: Number(bytes.toString().split(' ')[1]), socket }));
  });
}

const closed = (socket: Socket) => new Promise<string>((done) => socket.once('close', () => done('closed')));

test('clear text goes to what is allowed, under its own name, and nowhere else [vault.sandbox.isolation.egress-names]', async () => {
  expect(await get(`http://shop.example:${httpPort}/shop/a?b`)).toBe(200);
  expect(arrived.at(-1)).toMatchObject({ url: '/shop/a?b', headers: { host: `shop.example:${httpPort}` } });
  expect(arrived.at(-1)?.headers).not.toHaveProperty('proxy-x');
  const before = arrived.length;
  for (const url of [
    `http://shop.example:${httpPort}/other`,
    `http://evil.example:${httpPort}/shop/`,
    `http://shop.example:1/shop/`,
    `http://a@shop.example:${httpPort}/shop/`,
    `ftp://shop.example:${httpPort}/shop/`,
    '/shop/a',
  ])
    expect([url, await get(url)]).toEqual([url, 403]);
  expect(arrived.length).toBe(before);
  expect(refused.at(1)).toEqual({ host: 'evil.example', port: httpPort });
});

test('a site that closes a connection just when it is used again loses no request', async () => {
  const used = new Set<Socket>();
  const port = await listen(
    createServer(({ socket }, response) => {
      if (used.has(socket)) return void socket.destroy();
      used.add(socket);
      response.end('hello');
    }),
  );
  proxy.allow([...allowed(), `http://shop.example:${port}`]);
  for (let i = 0; i < 3; i++) expect(await get(`http://shop.example:${port}/`)).toBe(200);
});

test('a private address is refused, whatever name stands for it [vault.sandbox.isolation.private-addresses]', async () => {
  expect(await get(`http://inner.example:${httpPort}/`)).toBe(403);
  expect(refused.at(-1)).toEqual({ host: 'inner.example', port: httpPort });
});

test('a name is asked for once, and what was checked is what is dialled [vault.sandbox.isolation.egress-names]', async () => {
  asked.length = 0;
  const { status, socket } = await tunnel(`rebound.example:${echoPort}`);
  expect({ status, asked }).toEqual({ status: 200, asked: ['rebound.example'] });
  socket.destroy();
  expect((await tunnel(`rebound.example:${echoPort}`)).status).toBe(403);
});

test('a tunnel is made to allowed hosts and ports alone', async () => {
  for (const authority of [
    `evil.example:${echoPort}`,
    'shop.example:1',
    `127.0.0.1:${echoPort}`,
    'shop.example',
    ':1',
  ])
    expect([authority, (await tunnel(authority)).status]).toEqual([authority, 403]);
});

test('TLS goes on only to the host that the tunnel was asked for [vault.sandbox.isolation.server-name]', async () => {
  const hello = async (servername: string) => {
    const { socket } = await tunnel(`shop.example:${httpPort}`);
    const end = closed(socket);
    const before = refused.length;
    connectTls({ socket, servername, rejectUnauthorized: false }).on('error', () => {});
    // The other end is no TLS: it closes too, but nothing is refused.
    await end;
    return refused.length > before;
  };
  expect(await hello('shop.example')).toBe(false);
  expect(await hello('evil.example')).toBe(true);
});

test('clear text in a tunnel is for http alone, as WebSockets have it', async () => {
  const plain = await tunnel(`shop.example:${echoPort}`);
  plain.socket.write('GET / HTTP/1.1\r\n\r\n');
  const [echoed] =
    (await new Promise<Buffer[]>((done) => plain.socket.once('data', (...bytes) => done(bytes)))) ?? [];
  expect(echoed?.toString()).toBe('GET / HTTP/1.1\r\n\r\n');
  plain.socket.destroy();

  names['rebound.example'] = ['127.0.0.1'];
  const tls = await tunnel(`rebound.example:${echoPort}`);
  tls.socket.write('GET / HTTP/1.1\r\n\r\n');
  expect(await closed(tls.socket)).toBe('closed');
  expect(refused.at(-1)).toEqual({ host: 'rebound.example', port: echoPort });
});

/** A proxy with limits of its own, and its port. */
async function limited(about: Partial<Limits>) {
  const limits = { connections: 100, bytes: 1e9, silentMs: 60_000, openingMs: 60_000, ...about };
  const one = new JailProxy(dialer(addressRule(['127.0.0.1']), resolve), () => {}, limits);
  one.allow(allowed());
  return { proxy: one, port: await listen(createTcpServer((socket) => one.take(socket))) };
}
const echo = () => `shop.example:${echoPort}`;

test('a browser that sent and received too much reaches nothing any more [vault.sandbox.isolation.egress-caps]', async () => {
  const { proxy: one, port } = await limited({ bytes: 10_000 });
  const { socket } = await tunnel(echo(), port);
  const end = closed(socket);
  const send = (bytes: number) =>
    new Promise<void>((done) => {
      let came = 0;
      const count = (piece: Buffer) => {
        came += piece.length;
        if (came === bytes) done(void socket.off('data', count));
      };
      socket.on('data', count).write(Buffer.alloc(bytes, 'x'));
    });
  await send(4000);
  one.holdToLimits();
  expect(socket.destroyed).toBe(false);
  // It counts there and back.
  await send(2000);
  one.holdToLimits();
  expect(await end).toBe('closed');
  expect((await tunnel(echo(), port)).status).toBe(403);
});

test('what was sent by connections that are closed counts too [vault.sandbox.isolation.egress-caps]', async () => {
  const { proxy: one, port } = await limited({ bytes: 2000 });
  for (let i = 0; i < 3; i++) {
    const { socket } = await tunnel(echo(), port);
    const end = closed(socket.resume());
    socket.end(Buffer.alloc(800, 'x'));
    await end;
  }
  one.holdToLimits();
  expect((await tunnel(echo(), port)).status).toBe(403);
});

test('connections that are silent, or do not say what they are, are ended [vault.sandbox.isolation.egress-caps]', async () => {
  for (const about of [{ silentMs: 50 }, { openingMs: 50 }]) {
    const { socket } = await tunnel(echo(), (await limited(about)).port);
    expect(await closed(socket)).toBe('closed');
  }
});

test('of connections at once a jail gets so many, and one more when one has ended [vault.sandbox.isolation.egress-caps]', async () => {
  // A tunnel is two: from inside, and to the site.
  const { port } = await limited({ connections: 2 });
  const first = await tunnel(echo(), port);
  const second = connect(port, '127.0.0.1').on('error', () => {});
  expect(await closed(second)).toBe('closed');
  const end = closed(first.socket);
  first.socket.destroy();
  await end;
  await expect.poll(async () => (await tunnelOrNone(port))?.status).toBe(200);
});

const tunnelOrNone = (port: number) =>
  Promise.race([tunnel(echo(), port), new Promise<null>((done) => setTimeout(done, 200, null))]);
