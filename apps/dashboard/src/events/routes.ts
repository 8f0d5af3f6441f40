import { refusal } from '../refusal.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Events } from './events.ts';

const retrySeconds = 15;

/** Handles the live stream of an account's events. */
export const eventHandlers = ({ open }: Events): Pick<DashboardHandlers, 'events'> => ({
  async events({ caller }) {
    const stream = open(caller);
    if (stream === null) {
      const refused = refusal('RATE_LIMITED', `this account has too many event streams: close one`);
      return { ...refused, headers: { 'retry-after': String(retrySeconds) } };
    }
    // A proxy that gathers what it passes on would keep events back.
    return { ok: true, stream, headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } };
  },
});
