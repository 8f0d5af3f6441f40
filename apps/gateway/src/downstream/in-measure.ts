import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Rate limit for a service's unsolicited messages: this many at once, and as many again each second. */
const burst = 500;

/**
 * Hears a service in measure: answers always, news, progress and questions of its own no faster than anybody could use
 * them. The rest is dropped unread: each costs us far more than it costs to send. `now` is in milliseconds.
 */
export function hearInMeasure(transport: Transport, now: () => number): void {
  let deliver: Transport['onmessage'];
  let left = burst;
  let at = now();
  const admits = (): boolean => {
    const time = now();
    left = Math.min(burst, left + ((time - at) * burst) / 1000);
    at = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
  const hear = (message: JSONRPCMessage, extra?: Parameters<NonNullable<typeof deliver>>[1]): void => {
    if (!('method' in message) || admits()) deliver?.(message, extra);
  };
  // The client sets its listener; the transport is given ours in its stead.
  Object.defineProperty(transport, 'onmessage', {
    get: () => deliver && hear,
    set: (listener: typeof deliver) => {
      deliver = listener;
    },
  });
}
