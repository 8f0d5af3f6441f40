import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { draining } from './drain.ts';

afterEach(() => void vi.useRealTimers());

async function listening(server: Server) {
  const { drain } = draining(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  return { drain, socket };
}

test('a connection over which nothing came has half a second for what is on its way, and keeps nobody up', async () => {
  const { drain, socket } = await listening(createServer());
  const drained = drain();
  vi.advanceTimersByTime(499);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await Promise.all([once(socket, 'close'), drained]);
});

test('a request in flight is answered, for 6 s', async () => {
  const server = createServer();
  const { drain, socket } = await listening(server);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = await once(server, 'request');
  const drained = drain();
  vi.advanceTimersByTime(5999);
  response.end('answer');
  const [bytes] = await once(socket, 'data');
  expect(String(bytes)).toContain('answer');
  vi.advanceTimersByTime(20);
  await Promise.all([once(socket, 'close'), drained]);
});
