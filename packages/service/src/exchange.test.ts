import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type AnswerReader, askForText, Exchange } from './exchange.ts';

const limits = { timeoutMs: 5000, maxBytes: 10 };
const request = { method: 'POST', path: '/', body: '{}' } as const;
let server: Server;
let pool: Pool;

async function serve(answer: RequestListener, connections = 8): Promise<void> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections });
}
function begin(more: Partial<AnswerReader> = {}) {
  const over: Pick<AnswerReader, 'end' | 'failed'> = { end() {}, failed() {} };
  const done = new Promise<void>((end, failed) => Object.assign(over, { end, failed }));
  return { done, exchange: new Exchange(pool, request, { head() {}, bytes() {}, ...over, ...more }) };
}
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await pool.destroy();
});

test('an answer in pieces is one text, and its status comes with it', async () => {
  await serve((_, response) => {
    response.writeProcessing();
    response.writeHead(404);
    response.write(Buffer.from([0xc3]));
    setImmediate(() => response.end(Buffer.from([0xbc])));
  });
  expect(await askForText(pool, request, limits)).toEqual({ kind: 'answer', status: 404, text: 'ü' });
});

test('who no longer waits ends the exchange at once, and its connection', async () => {
  let closed = () => {};
  const hungUp = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const waiting = new AbortController();
  await serve((asked) => {
    asked.socket.on('close', closed);
    waiting.abort();
  });
  const answer = askForText(pool, request, { ...limits, signal: waiting.signal });
  expect(await answer).toEqual({ kind: 'failed', why: 'aborted' });
  await hungUp;
  expect(await askForText(pool, request, { ...limits, signal: AbortSignal.abort() })).toEqual({
    kind: 'failed',
    why: 'aborted',
  });
});

test('an answer may be as large as the limit and no larger, and the next one is read again', async () => {
  const texts = ['x'.repeat(10), 'x'.repeat(11), 'x'].values();
  await serve((_, response) => void response.end(texts.next().value));
  expect(await askForText(pool, request, limits)).toMatchObject({ kind: 'answer' });
  expect(await askForText(pool, request, limits)).toEqual({ kind: 'failed', why: 'too-large' });
  expect(await askForText(pool, request, limits)).toMatchObject({ text: 'x' });
});

test('no answer in time, half an answer in time and no server are failures, each by its name', async () => {
  const answers: RequestListener[] = [
    () => {},
    (_, response) => void response.write('half'),
    (_, response) => {
      response.writeHead(200, { 'content-length': 4 });
      response.write('half', () => response.destroy());
    },
  ];
  await serve((...asked) => answers.shift()?.(...asked));
  const impatient = { ...limits, timeoutMs: 50 };
  expect(await askForText(pool, request, impatient)).toEqual({ kind: 'failed', why: 'timeout' });
  expect(await askForText(pool, request, impatient)).toEqual({ kind: 'failed', why: 'timeout' });
  server.close();
  server.closeAllConnections();
  expect(await askForText(pool, request, limits)).toEqual({ kind: 'failed', why: 'unreachable' });
});

test('what is cancelled while it waits for a connection is never sent', async () => {
  let asked = 0;
  await serve((_, response) => {
    asked += 1;
    if (asked === 1) waiting.cancel(new Error('nobody wants it'));
    response.end();
  }, 1);
  const first = begin();
  const { exchange: waiting, done } = begin();
  await expect(done).rejects.toThrow('nobody wants it');
  await first.done;
  await begin().done;
  expect(asked).toBe(2);
});

test('what the reader throws ends the exchange', async () => {
  await serve((_, response) => void response.end('text'));
  const head = () => {
    throw new Error('not for us');
  };
  await expect(begin({ head }).done).rejects.toThrow('not for us');
});

test('a header that cannot be sent is a failure like any other', async () => {
  await serve((_, response) => void response.end('text'));
  const headers = { 'x-odd': 'two\r\nlines' };
  expect(await askForText(pool, { ...request, headers }, limits)).toEqual({
    kind: 'failed',
    why: 'unreachable',
  });
});
