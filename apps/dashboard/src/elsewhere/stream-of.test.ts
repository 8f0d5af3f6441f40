import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { streamOf } from './stream-of.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the bytes come as they are, and a fault of theirs ends the stream with it', async () => {
  expect(await new Response(streamOf(Readable.from([bytes('one '), bytes('two')]))).text()).toBe('one two');
  const broken = Readable.from(
    (async function* () {
      yield bytes('one ');
      throw new Error('cut off');
    })(),
  );
  await expect(new Response(streamOf(broken)).text()).rejects.toThrow('cut off');
});

test('a cancelled one takes no more bytes, wherever it was: nothing is thrown, and its source is destroyed', async () => {
  const faults: unknown[] = [];
  const hear = (fault: unknown) => void faults.push(fault);
  process.on('uncaughtException', hear);
  onTestFinished(() => void process.off('uncaughtException', hear));
  const server = createServer((_, response) => {
    // Bytes that are still on their way when nobody wants them any more.
    response.write('x'.repeat(100_000), () => response.end('y'.repeat(100_000)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let round = 0; round < 30; round += 1) {
    const { body } = await pool.request({ path: '/', method: 'GET' });
    const stream = streamOf(body);
    const reader = stream.getReader();
    for (let read = 0; read < round % 3; read += 1) await reader.read();
    // As far along as it comes within so many microtasks.
    for (let turn = 0; turn < round % 7; turn += 1) await Promise.resolve();
    await reader.cancel();
    expect(body.destroyed).toBe(true);
    await new Promise(setImmediate);
  }
  await pool.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(faults).toEqual([]);
});
