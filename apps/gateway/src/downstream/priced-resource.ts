import { isObject } from './dialect.ts';

/**
 * Whether a price is for another tool of the same service than the one that was called: its `resource` says
 * `mcp://tool/OTHER`. An authorization on chain names no goods, so this text is all that says what was bought: a
 * payment whose own text speaks of other goods would be the service's proof in a dispute. It is refused like a price
 * whose copies differ. A name that is no tool of the service is a label like any other, and so is any other address.
 */
export function isForAnotherTool(
  requirement: unknown,
  toolName: string,
  tools: ReadonlyMap<string, unknown>,
): boolean {
  const named = resourcesOf(requirement).map(toolIn);
  return named.some((name) => name !== null && name !== toolName && tools.has(name));
}

/**
 * Returns the resources that a price names: v2 has one, v1 one in each entry, of which only the first is ever
 * paid.
 */
export function resourcesOf(requirement: unknown): readonly unknown[] {
  if (!isObject(requirement)) return [];
  const { resource, accepts } = requirement;
  const first: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  return [isObject(resource) ? resource['url'] : resource, isObject(first) ? first['resource'] : undefined];
}

/** The tool that an address of MCP names; null for any other. */
export function toolIn(url: unknown): string | null {
  const name = typeof url === 'string' ? /^mcp:\/\/tool\/([^?#]{1,512})/i.exec(url)?.[1] : undefined;
  if (name === undefined) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
