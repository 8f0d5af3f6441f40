import { parseUrl } from '@countersign/protocol/url';
import { isJudgedByOffer } from '../rules/offer.ts';
import { resourcesOf, toolIn } from './priced-resource.ts';

/**
 * Whether a price shows a signed offer for something else than was called. Offers are public: a relay could show those of
 * another merchant, pass the payment on, and take the goods. So an offer counts only for what it names, and a price that
 * shows one has no label. One that names nothing is left to the rules, which bind no offer to it.
 */
function isOfferedElsewhere(requirement: unknown, isCalled: (resource: unknown) => boolean): boolean {
  const named = resourcesOf(requirement).filter((resource) => resource !== undefined && resource !== null);
  return isJudgedByOffer(requirement) && !named.every(isCalled);
}

/** An offer for an MCP tool names that: `mcp://tool/NAME`. */
export const isOfferedForAnotherTool = (requirement: unknown, toolName: string): boolean =>
  isOfferedElsewhere(requirement, (resource) => toolIn(resource) === toolName);

/**
 * An offer for an HTTP operation names its host and path. Behind a proxy that ends TLS a service does not know its own
 * scheme, and whoever holds the host holds both. `hosts`: the one that is called, and those under which the owner lets it sign.
 */
export const isOfferedForAnotherAddress = (
  requirement: unknown,
  { hosts, path }: { readonly hosts: readonly string[]; readonly path: string },
): boolean =>
  isOfferedElsewhere(requirement, (resource) => {
    const url = typeof resource === 'string' ? parseUrl(resource) : null;
    return (
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      hosts.includes(url.host) &&
      url.pathname === new URL(`http://host${path}`).pathname
    );
  });
