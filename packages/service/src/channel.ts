import type { WebSocket } from 'ws';
import { every } from './every.ts';

/** A WebSocket over which we alone have something to say. */
export type Channel = {
  /** Sends a text. Who reads so slowly that too much waits is cut off. */
  readonly send: (text: string) => void;
  /** The same for what may be left out, as it is while anything else waits to be read. */
  readonly sendIfIdle: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** Calls this when nothing can be sent any more. */
  readonly onEnd: (then: () => void) => void;
};

/** A request for a WebSocket, on its way through an app: what sets `open` makes it one. */
export type Upgrade = { open: ((channel: Channel) => void) | null };

/** Most bytes that wait to be read: more than the largest picture has. */
const maxWaiting = 16 * 1_048_576;
/** Interval between pings, in milliseconds. A peer that has not answered by the next one counts as gone. */
const beatMs = 20_000;

export function channelOn(socket: WebSocket): Channel {
  let isThere = true;
  socket.on('pong', () => {
    isThere = true;
  });
  socket.on('error', () => socket.terminate());
  const stopBeating = every(beatMs, () => {
    if (!isThere) return socket.terminate();
    isThere = false;
    socket.ping();
  });
  socket.on('close', stopBeating);

  const isOpen = () => socket.readyState === socket.OPEN;
  return {
    send(text) {
      if (!isOpen()) return;
      if (socket.bufferedAmount > maxWaiting) socket.terminate();
      else socket.send(text);
    },
    sendIfIdle(text) {
      if (isOpen() && socket.bufferedAmount === 0) socket.send(text);
    },
    close: (code, reason) => {
      if (isOpen()) socket.close(code, reason);
    },
    onEnd: (then) => void socket.on('close', then),
  };
}
