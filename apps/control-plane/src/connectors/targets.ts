import type { ConnectorType, Definition } from '@countersign/protocol/control/connector';
import { isPrivateTarget } from '../webhooks/private-target.ts';
import { isUrl } from '@countersign/protocol/url';

/** A place in a definition that leads to a private address by its own words; null where none does. What names resolve to is checked at each connection. */
export function privateTargetIn(type: ConnectorType, definition: unknown): string | null {
  const found = targetsOf(type, definition).find(
    ({ url }) => isUrl(url) && isPrivateTarget(new URL(url).hostname),
  );
  return found?.path ?? null;
}

type Target = { readonly path: string; readonly url: string };

/** Returns the hosts that a definition leads to; a database's host is in its credential. */
function targetsOf(type: ConnectorType, definition: unknown): readonly Target[] {
  switch (type) {
    case 'http':
      return listed(
        'definition.servers',
        (definition as Definition<'http'>).servers.map(({ url }) => url),
      );
    case 'mcp-tool':
      return [{ path: 'definition.url', url: (definition as Definition<'mcp-tool'>).url }];
    case 'browser': {
      const { start_url: url, allowed_urls } = definition as Definition<'browser'>;
      return [{ path: 'definition.start_url', url }, ...listed('definition.allowed_urls', allowed_urls)];
    }
    case 'postgres':
      return [];
  }
}

const listed = (path: string, urls: readonly string[]): readonly Target[] =>
  urls.map((url, place) => ({ path: `${path}.${place}`, url }));
