import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

type WithHandle = Socket & { _handle: unknown };

/**
 * The same connection, read into a buffer of ours: Node has this for connections that it opens, but not for these. The
 * socket that was handed in is no longer of use.
 */
export function readInto(socket: Socket, onread: OnReadOpts): Socket {
  const from = socket as WithHandle;
  const handle = from._handle;
  from._handle = null;
  return new Socket({ handle, readable: true, writable: true, onread } as SocketConstructorOpts);
}
