import { actsWhenFetched } from '@countersign/review/request/kinds';
import { isLocal } from './network.ts';

/**
 * Returns whether a request of a page may change something: by its method, or by an address that acts as soon
 * as it is asked for.
 */
export function mayChange(method: string, url: string): boolean {
  if (isLocal(url) || method === 'OPTIONS') return false;
  // Most servers do for HEAD what they do for GET, and leave the answer out.
  return (method !== 'GET' && method !== 'HEAD') || actsWhenFetched(url);
}
