import type { Returned } from '../session/sign-in-by-provider.ts';

/** Where to go once signed in: a place of this console, and no other site's. */
export function readSignInSearch(search: Record<string, unknown>): { next?: string } {
  const { next } = search;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

/** What a provider put into the address, as it came: texts that are judged elsewhere. */
export function readReturned(search: string): Returned {
  const sent = new URLSearchParams(search);
  const names = ['state', 'code', 'iss', 'error'] as const;
  return Object.fromEntries(names.flatMap((name) => (sent.get(name) ? [[name, sent.get(name)]] : [])));
}
