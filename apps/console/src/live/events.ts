import type { Alert } from '@countersign/protocol/dashboard/alerts';
import type { Approval } from '@countersign/protocol/dashboard/approvals';
import type { EventKind } from '@countersign/protocol/dashboard/events';
import type { QueryClient } from '@tanstack/react-query';
import { refresh } from '../api/queries.ts';
import { tellOfAlert, tellOfApproval } from './notifications.ts';

/** Which questions are out of date once the server tells of such a thing. */
const concerns = {
  mandate: ['/api/mandates', '/api/agents', '/api/overview'],
  transaction: ['/api/transactions', '/api/mandates', '/api/agents', '/api/overview'],
  approval: ['/api/approvals', '/api/overview'],
  alert: ['/api/alerts'],
  recovery: ['/api/recovery'],
} as const satisfies Record<EventKind, readonly `/api/${string}`[]>;

const everyMs = 15_000;

/**
 * Keeps what is on screen true: the server's events say what has changed. While no event stream is to be had, what is
 * on screen is asked for again every 15 seconds, and the stream is tried again. Gives the function that ends it.
 */
export function followEvents(queries: QueryClient): () => void {
  let stream = listen(queries);
  const polling = setInterval(() => {
    const mayLook = document.visibilityState === 'visible' && navigator.onLine;
    if (stream.readyState === EventSource.OPEN || !mayLook) return;
    void refresh(queries, '/api/');
    // The browser gives a stream up for good when it was refused.
    if (stream.readyState === EventSource.CLOSED) stream = listen(queries);
  }, everyMs);
  return () => {
    clearInterval(polling);
    stream.close();
  };
}

function listen(queries: QueryClient): EventSource {
  const stream = new EventSource('/api/events');
  for (const [kind, paths] of Object.entries(concerns)) {
    stream.addEventListener(kind, () => void refresh(queries, ...paths));
  }
  stream.addEventListener('approval', ({ data }) => tellOfApproval(JSON.parse(data as string) as Approval));
  stream.addEventListener('alert', ({ data }) => tellOfAlert(JSON.parse(data as string) as Alert));
  // Refused: the session may be over, and whoever was removed is not left in front of what they saw.
  stream.addEventListener('error', () => {
    if (stream.readyState === EventSource.CLOSED) void refresh(queries, '/api/auth/me');
  });
  // What happened before, or while it was cut, is not told: what was answered meanwhile may be out of date.
  stream.addEventListener('open', () => void refresh(queries, '/api/'));
  return stream;
}
