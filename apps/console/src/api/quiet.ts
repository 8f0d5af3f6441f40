import type { QueryClient } from '@tanstack/react-query';
import { holdQueries } from './call.ts';
import { refresh } from './queries.ts';

/**
 * Does what may end the session while no query asks anything: an answer of 401 in between would pass for a lost session.
 * What was asked before is dropped, and asked anew when the session has not ended. A server that does not answer holds the
 * page for ten seconds, no longer.
 */
export async function quietly<T>(queries: QueryClient, end: () => Promise<T>): Promise<T> {
  const release = holdQueries();
  const timer = setTimeout(release, maxHoldMs);
  try {
    await queries.cancelQueries();
    return await end();
  } finally {
    clearTimeout(timer);
    release();
    void refresh(queries, '/');
  }
}

const maxHoldMs = 10_000;
