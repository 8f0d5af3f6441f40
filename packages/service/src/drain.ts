import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Longest that what is in flight may take, shorter than the 8 s that a process has to stop; and a request that is on its way. */
const [inFlightMs, onItsWayMs] = [6000, 500];

export type Draining = {
  /** Notes a request that the server emits as an event other than `request`. */
  readonly heard: (request: IncomingMessage) => void;
  /** Takes no new connections, lets what is in flight end, for 6 s, and closes what is left open. */
  readonly drain: () => Promise<void>;
};

/** Drains a server. INVARIANT: it must see all connections, so call it before the server listens. */
export function draining(server: Server): Draining {
  const { heard, cut } = silentConnections(server);
  return {
    heard,
    drain: () =>
      new Promise((resolve) => {
        // A kept-alive connection becomes idle only after its answer, so it is looked for until all are gone.
        const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
        const cutSilent = setTimeout(cut, onItsWayMs);
        // Somebody who does not read an answer would otherwise keep us for ever.
        const cutAll = setTimeout(() => server.closeAllConnections(), inFlightMs);
        server.close(() => {
          clearInterval(closeIdle);
          clearTimeout(cutSilent);
          clearTimeout(cutAll);
          resolve();
        });
      }),
  };
}

/** Connections over which no request has come yet: Node does not take them for idle, before TLS it does not even know them. */
function silentConnections(server: Server): Pick<Draining, 'heard'> & { readonly cut: () => void } {
  const silent = new Map<string, Socket>();
  const heard = ({ socket }: IncomingMessage) => {
    if (silent.size > 0) silent.delete(peerOf(socket));
  };
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    silent.set(peer, socket);
    socket.once('close', () => {
      if (silent.get(peer) === socket) silent.delete(peer);
    });
  });
  server.on('request', heard);
  return {
    heard,
    cut() {
      for (const socket of silent.values()) socket.destroy();
    },
  };
}

/**
 * Returns the peer's address. With TLS a request's socket differs from the connection's, but has the same
 * peer.
 */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
