import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { ok, type Result } from '@countersign/protocol/result';
import { expect, test } from 'vitest';
import { reachBy, trust } from './reach.ts';

test('what is reached after the run is over is closed, and told nothing', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  let dialled: (result: Result<Socket, 'refused'>) => void = () => {};
  const dial = () => new Promise<Result<Socket, 'refused'>>((resolve) => (dialled = resolve));
  const over = new AbortController();
  const reach = reachBy({ dial, allowPrivate: true, secureContext: trust(null), over: over.signal });
  const reaching = reach.tcp('127.0.0.1', 80);
  over.abort();
  dialled(ok(socket));
  expect(await reaching).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(socket.destroyed).toBe(true);
  server.close();
});
