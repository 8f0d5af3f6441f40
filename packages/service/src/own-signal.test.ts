import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchWithOwnSignal } from './own-signal.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

async function serve(status: number, ...parts: string[]): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status);
    response.flushHeaders();
    for (const part of parts) response.write(part);
    // A stream stays open.
    if (!parts.includes('open')) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('nothing stays on a shared signal once answers are read, given up, empty or refused', async () => {
  const { signal } = new AbortController();
  const url = await serve(200, 'one', ' two');
  const read = await fetchWithOwnSignal(url, { signal });
  expect(listenersOf(signal)).toBe(1);
  expect(await read.text()).toBe('one two');
  const given = await fetchWithOwnSignal(url, { signal });
  await given.body?.cancel();
  expect((await fetchWithOwnSignal(await serve(204), { signal })).status).toBe(204);
  await expect(fetchWithOwnSignal('http://127.0.0.1:1/', { signal })).rejects.toThrow('fetch failed');
  expect(listenersOf(signal)).toBe(0);
});

test('the shared signal ends a request before its answer, and a stream while it is read', async () => {
  const [before, during] = [new AbortController(), new AbortController()];
  before.abort();
  const url = await serve(200, 'open');
  await expect(fetchWithOwnSignal(url, { signal: before.signal })).rejects.toThrow('abort');
  const response = await fetchWithOwnSignal(url, { signal: during.signal });
  const reading = response.text();
  during.abort();
  await expect(reading).rejects.toThrow('abort');
  expect(listenersOf(during.signal)).toBe(0);
});

test('however many requests are under way, the shared signal has one listener, and ends them all', async () => {
  const shared = new AbortController();
  const url = await serve(200, 'open');
  const ask = () => fetchWithOwnSignal(url, { signal: shared.signal });
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  expect(listenersOf(shared.signal)).toBe(1);
  await answers[0]?.body?.cancel();
  expect(listenersOf(shared.signal)).toBe(1);
  const readings = answers.slice(1).map((answer) => answer.text());
  shared.abort();
  for (const reading of readings) await expect(reading).rejects.toThrow('abort');
  expect(listenersOf(shared.signal)).toBe(0);
});

test('without a signal it is fetch', async () => {
  const response = await fetchWithOwnSignal(await serve(200, 'plain'));
  expect(await response.text()).toBe('plain');
});

/** Node's own server writes no such line. */
async function serveLine(line: string): Promise<string> {
  const server = createRawServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${line}\r\ncontent-type: text/plain\r\n\r\none two`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each([
  [700, 'X'],
  [202, '已接受'],
])('an answer %i %s is read like any other, and nothing stays', async (status, statusText) => {
  const { signal } = new AbortController();
  const url = await serveLine(`${status} ${statusText}`);
  const response = await fetchWithOwnSignal(url, { signal });
  expect(response).toMatchObject({ status, statusText, ok: status === 202, url });
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(await response.text()).toBe('one two');
  expect(listenersOf(signal)).toBe(0);
});
