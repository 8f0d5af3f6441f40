import { parseUrl } from '@countersign/protocol/url';
import { resourcesOf } from '../downstream/priced-resource.ts';
import type { Operation } from './operation.ts';

/**
 * Whether a price is for another operation of the same service than the one that was called, as its `resource` says. It is
 * refused for the reason for which one of another MCP tool is: a payment that speaks of other goods would be the service's
 * proof in a dispute. Any other address is a label, for behind a proxy a service may not know its own.
 */
export function isForAnotherOperation(
  requirement: unknown,
  called: Operation,
  operations: Iterable<Operation>,
  origin: string,
): boolean {
  const { host } = new URL(origin);
  const paths = resourcesOf(requirement).flatMap((resource) => {
    const url = typeof resource === 'string' ? parseUrl(resource) : null;
    return url?.host === host ? [url.pathname] : [];
  });
  const others = paths.filter((path) => !isPathOf(called, path.split('/')));
  if (others.length === 0) return false;
  const named = others.map((path) => path.split('/'));
  return [...operations].some((operation) => named.some((path) => isPathOf(operation, path)));
}

/** Segment by segment: a template of another party is no regular expression. */
function isPathOf({ path: template }: Operation, segments: readonly string[]): boolean {
  const wanted = template.split('/', segments.length + 1);
  return (
    wanted.length === segments.length && wanted.every((part, n) => part.includes('{') || part === segments[n])
  );
}
