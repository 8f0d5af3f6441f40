import type { Operation } from '@countersign/protocol/vault/operation';

/** Whether it goes to a part of the page that is shown: no document is loaded, but scripts of the page hear of it. */
export function staysInPage(operation: Operation, pageUrl: string | null): boolean {
  if (operation.operation_type !== 'navigate' || !operation.value.includes('#')) return false;
  return withoutFragment(operation.value) === withoutFragment(pageUrl ?? '');
}

const withoutFragment = (text: string): string | null =>
  URL.canParse(text) ? (new URL(text).href.split('#')[0] ?? null) : null;
