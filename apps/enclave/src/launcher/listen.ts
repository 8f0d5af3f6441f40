import { chmodSync, rmSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { makeFolder } from '@countersign/service/make-folder';

/** Listens on a Unix socket that its user and group may use. A file that a dead process left is put away. */
export async function listenOnSocket(path: string, take: (socket: Socket) => void): Promise<Server> {
  makeFolder(dirname(path), 0o750);
  if (await isAnswered(path))
    throw new Error(`another process listens on ${path}: is an enclave running already?`);
  rmSync(path, { force: true });
  // Not a byte may be read here: connections are for the core.
  const server = createServer({ pauseOnConnect: true }, take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`cannot listen on ${path}: ${error.code ?? error.message}`)),
    );
    server.listen(path, resolve);
  });
  chmodSync(path, 0o660);
  return server;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
