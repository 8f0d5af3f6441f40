import type { Returned } from '../session/sign-in-by-provider.ts';

/** Returns where to go after sign-in. INVARIANT: only a place of this console, never another site. */
export function readSignInSearch(search: Record<string, unknown>): { next?: string } {
  const { next } = search;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

/** Returns the provider's parameters in the address, unchanged; they are checked elsewhere. */
export function readReturned(search: string): Returned {
  const sent = new URLSearchParams(search);
  const names = ['state', 'code', 'iss', 'error'] as const;
  return Object.fromEntries(names.flatMap((name) => (sent.get(name) ? [[name, sent.get(name)]] : [])));
}
