import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silent } from '../../test/core-on-socket.ts';
import { program } from '../../test/jails.ts';
import { Egress } from '../launcher/egress.ts';

/** Speaks over the connection that it is handed, and tells what it heard. */
const receiver = `process.once('message', (_, socket) => {
  let heard = '';
  socket.on('data', (piece) => { heard += piece; }).on('end', () => { process.send(heard, () => process.disconnect()); });
  socket.write('hello');
});`;

test('a connection that the egress process made is spoken over elsewhere, whole', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hand-over-'));
  writeFileSync(join(dir, 'receiver.cjs'), receiver);
  const answer = 'x'.repeat(300_000);
  const server = createServer((socket) =>
    socket.once('data', (said) => socket.end(`${String(said)} ${answer}`)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = await Egress.start({ program, allowPrivate: [], log: silent });

  for (let i = 0; i < 5; i++) {
    const dialled = await egress.dial({ host: 'localhost', port, allowPrivate: true });
    if (!dialled.ok) throw new Error(dialled.error);
    const child = fork(join(dir, 'receiver.cjs'));
    child.send('speak', dialled.value);
    const [heard] = (await once(child, 'message')) as [string];
    expect(heard === `hello ${answer}`).toBe(true);
    await once(child, 'exit');
  }
  expect(await egress.dial({ host: 'localhost', port, allowPrivate: false })).toEqual({
    ok: false,
    error: 'refused',
  });
  expect(await egress.dial({ host: '127.0.0.1', port: 1, allowPrivate: true })).toEqual({
    ok: false,
    error: 'unreachable',
  });

  await egress.stop();
  server.close();
  rmSync(dir, { recursive: true });
});
