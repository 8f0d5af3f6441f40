import type { Operation } from '@countersign/protocol/vault/operation';
import { parseUrl } from '@countersign/protocol/url';

/**
 * Returns whether it goes to a part of the page that is shown: no document is loaded, but scripts of the page
 * hear of it.
 */
export function staysInPage(operation: Operation, pageUrl: string | null): boolean {
  if (operation.operation_type !== 'navigate' || !operation.value.includes('#')) return false;
  return withoutFragment(operation.value) === withoutFragment(pageUrl ?? '');
}

/** Returns the URL as it would be requested, without its fragment; null if it is not a URL. */
export const withoutFragment = (text: string): string | null => parseUrl(text)?.href.split('#')[0] ?? null;
