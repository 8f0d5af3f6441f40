import type { IncomingMessage } from 'node:http';

export type Refused = { readonly status: 403 | 405 | 415; readonly why: string };

/** The path that is asked for; null where a request names another server, or nothing that is one. */
export function pathOf({ url = '' }: IncomingMessage, origin: string): string | null {
  return /^\/(?!\/)/.test(url) ? new URL(origin + url).pathname : null;
}

/** Why a request of a script of ours is none, or null. A page of another origin, also of another port, is refused. */
export function whyNotOurs({ method, headers }: IncomingMessage, origin: string): Refused | null {
  if (method !== 'POST') return { status: 405, why: 'method must be POST' };
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  if (headers.origin !== origin || site !== 'same-origin')
    return { status: 403, why: 'only pages of this origin may ask' };
  // No form of another site can send this without asking first.
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    return { status: 415, why: 'content-type must be application/json' };
  return null;
}
