import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readOnly } from './migration-check.ts';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const done = Buffer.concat([message('C', Buffer.from('BEGIN\0')), message('Z', Buffer.from('T'))]);

/** Speaks PostgreSQL to where it has let a client in and answered `answers` statements; then it is silent, and never hangs up. */
async function silentAfter(answers: number): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    let left = answers;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(welcome);
      socket.on('data', () => void (left-- > 0 && socket.write(done)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}

test('a database that lets the program in and is silent then is given up [system.migrate.check]', async () => {
  const storage = { kind: 'given', url: await silentAfter(0) } as const;
  await expect(readOnly(storage, async () => 'told', 100)).rejects.toThrow('timeout');
});

test('a database that does not hang up keeps nobody who has what it asked for [system.migrate.check]', async () => {
  const storage = { kind: 'given', url: await silentAfter(1) } as const;
  expect(await readOnly(storage, async () => 'told', 100)).toBe('told');
});
