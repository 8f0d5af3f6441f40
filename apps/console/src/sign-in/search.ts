/** Where to go once signed in: a place of this console, and no other site's. */
export function readSignInSearch(search: Record<string, unknown>): { next?: string } {
  const { next } = search;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}
