/**
 * Time limit for a request to arrive, in milliseconds: from its first byte (on a new connection, from the
 * connection's start) to the end of its body.
 */
export const maxArrivalMs = 30_000;

const checkEveryMs = 1000;

/**
 * Options of a server that gives up requests which have not arrived by then, and TLS that was not agreed on. What is
 * answered may take any time, and WebSockets and connections that wait for their next request are not meant.
 */
export const arrivingWithin = (ms: number) => ({
  headersTimeout: ms,
  requestTimeout: ms,
  handshakeTimeout: ms,
  connectionsCheckingInterval: Math.min(checkEveryMs, ms / 4),
});
