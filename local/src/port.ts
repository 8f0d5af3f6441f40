import { once } from 'node:events';
import { createServer } from 'node:net';

/** Throws one clear sentence when somebody listens on this port of the loopback already. */
export async function assertFree(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, port);
  }
  server.close();
  await once(server, 'close');
}

/** Says in one sentence why nobody can listen on a port. */
export function listenError(error: unknown, port: number): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'EADDRINUSE') return new Error(`port ${port} is taken by another process`);
  if (code === 'EACCES') return new Error(`port ${port} needs more rights than this process has`);
  return new Error(`cannot listen on port ${port}: ${code}`);
}
