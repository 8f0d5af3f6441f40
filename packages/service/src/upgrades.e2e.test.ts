import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Channel } from './channel.ts';
import { takeUpgrades } from './upgrades.ts';

const server = createServer();
const channels: Channel[] = [];
beforeAll(async () => {
  takeUpgrades(server, (_, { upgrade }) => {
    upgrade.open = (channel) => channels.push(channel);
    return new Response(null, { status: 204 });
  });
  server.listen(0);
  await once(server, 'listening');
});
afterAll(() => server.close());

/** A client that shakes hands by hand, and then reads nothing by itself. */
async function newClient() {
  const socket = connect((server.address() as AddressInfo).port);
  socket.write(
    'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  const channel = channels.at(-1);
  if (channel === undefined) throw new Error('no channel was opened');
  return { socket, channel, head: head.toString() };
}

const endOf = (channel: Channel) => new Promise<void>((resolve) => channel.onEnd(resolve));

test('who does not read is cut off, and pictures wait for nobody [vault.sandbox.events.caps]', async () => {
  const { socket, channel, head } = await newClient();
  // The example of RFC 6455, 1.3.
  expect(head).toMatch(/^HTTP\/1.1 101 [^]*s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i);
  const million = 'x'.repeat(1_000_000);
  for (let i = 0; i < 100; i += 1) channel.sendIfIdle(million);
  const ended = endOf(channel);
  for (let i = 0; i < 15; i += 1) channel.send(million);
  expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'open'))])).toBe('open');
  for (let i = 0; i < 85; i += 1) channel.send(million);
  await ended;
  socket.destroy();
});

test('a client that talks at length is cut off', async () => {
  const { socket, channel } = await newClient();
  const masked = Buffer.concat([Buffer.from([0x82, 0xfe, 0x20, 0x00, 0, 0, 0, 0]), Buffer.alloc(0x2000)]);
  const ended = endOf(channel);
  socket.resume();
  socket.write(masked);
  await ended;
  socket.destroy();
});
