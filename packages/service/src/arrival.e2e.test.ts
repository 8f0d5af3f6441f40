import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxArrivalMs } from './arrival.ts';
import { openPort, type Port } from './listen.ts';

/** What is 30 s elsewhere. */
const arrivalMs = 300;

let port: Port;
beforeAll(async () => {
  port = await openPort('127.0.0.1', 0, vaultDialect, null, arrivalMs);
  port.serve(
    async (request, { upgrade }) => {
      if (upgrade !== undefined) upgrade.open = () => {};
      const body = await request.text();
      const isLong = new URL(request.url).pathname === '/long';
      return isLong ? new Response(slowly(body)) : new Response(body);
    },
    { sockets: true },
  );
});
afterAll(() => port.close());

/** An answer that takes three times as long as a request may. */
const slowly = (text: string) =>
  new ReadableStream({
    async start(controller) {
      for (const part of ['a', 'b', text]) {
        controller.enqueue(new TextEncoder().encode(part));
        await sleep(arrivalMs);
      }
      controller.close();
    },
  });

/** Sends this, and then a byte now and then, until the connection is closed; gives all that was answered. */
async function drip(text: string): Promise<{ answer: string; ms: number }> {
  const socket = connect(port.port, '127.0.0.1');
  const begun = performance.now();
  const heard = gather(socket);
  socket.on('error', () => {});
  socket.write(text);
  const dripping = setInterval(() => socket.write('x'), 50);
  await once(socket, 'close');
  clearInterval(dripping);
  return { answer: heard.join(''), ms: performance.now() - begun };
}

function gather(socket: Socket): string[] {
  const heard: string[] = [];
  socket.setEncoding('utf8').on('data', (text: string) => heard.push(text));
  return heard;
}

const post = 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

test.each([
  ['headers', `${post}x-slow: `],
  ['a body', `${post}content-length: 100000\r\n\r\n{`],
  ['a body in chunks', `${post}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n8000\r\n`],
])(
  '%s that do not arrive in time are answered 408 and closed [system.service.slow-requests]',
  async (_, text) => {
    const { answer, ms } = await drip(text);
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n[^]*"code":"invalid_request"/);
    expect(ms).toBeGreaterThanOrEqual(arrivalMs - 50);
  },
);

test('elsewhere it is 30 s [system.service.slow-requests]', () => {
  expect(maxArrivalMs).toBe(30_000);
});

test('an answer may take longer, and the connection serves the next request [system.service.slow-requests]', async () => {
  const url = `http://127.0.0.1:${port.port}`;
  expect(await (await fetch(`${url}/long`, { method: 'POST', body: 'c' })).text()).toBe('abc');
  expect(await (await fetch(url, { method: 'POST', body: 'next' })).text()).toBe('next');
});

test('a WebSocket stays open [system.service.slow-requests]', async () => {
  const socket = connect(port.port, '127.0.0.1');
  const heard = gather(socket);
  socket.write(
    'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const closed = once(socket, 'close').then(() => 'closed');
  expect(await Promise.race([closed, sleep(3 * arrivalMs, 'open')])).toBe('open');
  expect(heard.join('')).toMatch(/^HTTP\/1.1 101 /);
  socket.destroy();
});
