import type { QueryClient } from '@tanstack/react-query';
import { refresh } from '../api/queries.ts';

/** Which questions are out of date once the server tells of such a thing. */
const concerns = {
  mandate: ['/api/mandates', '/api/overview'],
  transaction: ['/api/transactions', '/api/mandates', '/api/overview'],
  approval: ['/api/approvals', '/api/overview'],
  alert: ['/api/alerts'],
} as const;

const everyMs = 15_000;

/**
 * Keeps what is on screen true: the server's events say what has changed. While no event stream is to be had, what is
 * on screen is asked for again every 15 seconds. Gives the function that ends it.
 */
export function followEvents(queries: QueryClient): () => void {
  const stream = new EventSource('/api/events');
  for (const [kind, paths] of Object.entries(concerns)) {
    stream.addEventListener(kind, () => void refresh(queries, ...paths));
  }
  const polling = setInterval(() => {
    const mayLook = document.visibilityState === 'visible' && navigator.onLine;
    if (stream.readyState !== EventSource.OPEN && mayLook) void refresh(queries, '/api/');
  }, everyMs);
  // What happened while the stream was cut is not told again.
  stream.addEventListener('open', () => void refresh(queries, '/api/'));
  return () => {
    clearInterval(polling);
    stream.close();
  };
}
