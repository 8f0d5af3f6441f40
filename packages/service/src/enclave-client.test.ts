import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxFrameBytes } from '@countersign/protocol/enclave/commands';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEnclave, type EnclaveClient, EnclaveGone } from './enclave-client.ts';
import { encodeFrame, FrameReader } from './frames.ts';
import { createLogger, type Logger } from './logger.ts';

type Asked = { readonly id: number; readonly command: string };

let dir: string;
let client: EnclaveClient;
let server: Server | null = null;
const sockets: Socket[] = [];

/** Listens as the enclave would; `answer` is told each command. */
function listen(answer: (asked: Asked, socket: Socket) => void): Promise<void> {
  server = createServer((socket) => {
    sockets.push(socket);
    const reader = new FrameReader();
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const { header } of reader.read(chunk) ?? []) answer(header as Asked, socket);
    });
  });
  return new Promise((resolve) => server?.listen(join(dir, 'socket'), resolve));
}

async function hangUp(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server?.close(resolve));
}

const say = (socket: Socket, header: unknown, body?: Uint8Array) =>
  socket.write(encodeFrame(header, body) ?? '');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'client-'));
  client = connectEnclave(join(dir, 'socket'), createLogger('test', 'silent'));
});
afterEach(async () => {
  client.close();
  await hangUp();
  rmSync(dir, { recursive: true, force: true });
});

test('calls are many at a time, and answers come in any order', async () => {
  const asked: Asked[] = [];
  await listen((one, socket) => {
    if (asked.push(one) < 3) return;
    for (const { id } of asked.toReversed()) say(socket, { id, reply: {} }, Buffer.from([id]));
  });
  await client.whenConnected();
  const answers = await Promise.all([1, 2, 3].map(() => client.call('tokenKey', {})));
  expect(answers.map((answer) => answer.ok && [...answer.value.body])).toEqual(asked.map(({ id }) => [id]));
});

test('without a connection a call rejects, and the client connects as soon as it can', async () => {
  expect(client.connected()).toBe(false);
  await expect(client.call('tokenKey', {})).rejects.toBeInstanceOf(EnclaveGone);
  await listen(({ id }, socket) => say(socket, { id, reply: {} }));
  await client.whenConnected();
  expect(await client.call('tokenKey', {})).toMatchObject({ ok: true });
});

test('a lost connection rejects what waits, and the next one serves', async () => {
  await listen((_, socket) => socket.destroy());
  await client.whenConnected();
  await expect(client.call('tokenKey', {})).rejects.toBeInstanceOf(EnclaveGone);
  await hangUp();
  await listen(({ id }, socket) => say(socket, { id, refusal: { code: 'NOT_FOUND' } }));
  await client.whenConnected();
  expect(await client.call('tokenKey', {})).toEqual({ ok: false, error: { code: 'NOT_FOUND' } });
});

test('a request that is none is refused before it is sent', async () => {
  const asked: Asked[] = [];
  await listen((one) => asked.push(one));
  await client.whenConnected();
  const refusal = { ok: false, error: { code: 'INVALID_COMMAND' } };
  expect(await client.call('audit.root', { size: -1 })).toEqual(refusal);
  expect(await client.call('tokenKey', {}, Buffer.alloc(maxFrameBytes))).toEqual(refusal);
  expect(asked).toEqual([]);
});

test.each([
  ['a reply that is not what the command gives', (id: number) => ({ id, reply: { more: 1 } })],
  ['an answer to nobody', (id: number) => ({ id: id + 1, reply: {} })],
  ['a refusal that is unknown', (id: number) => ({ id, refusal: { code: 'NO' } })],
  ['no answer at all', () => 7],
])('%s ends the connection', async (_, answer) => {
  await listen(({ id }, socket) => say(socket, answer(id)));
  await client.whenConnected();
  await expect(client.call('tokenKey', {})).rejects.toBeInstanceOf(EnclaveGone);
});

test('an answer with more or less in it than this release reads ends the call and the connection, and the log says why [system.enclave.release]', async () => {
  const logged: unknown[] = [];
  const log = { ...createLogger('test', 'silent'), info: () => {}, warn: () => {} } as unknown as Logger;
  const own = connectEnclave(
    join(dir, 'socket'),
    Object.assign(log, { error: (...line: unknown[]) => logged.push(line) }),
  );
  const replies: unknown[] = [{ newer: true }, {}];
  await listen(({ id }, socket) => say(socket, { id, reply: replies.shift() }));
  await own.whenConnected();
  await expect(own.call('tokenKey', {})).rejects.toBeInstanceOf(EnclaveGone);
  expect(logged).toEqual([
    [{ command: 'tokenKey' }, 'the enclave is of another release: upgrade it and its services together'],
  ]);
  await own.whenConnected();
  expect(await own.call('tokenKey', {})).toMatchObject({ ok: true });
  own.close();
});
