import { connectionScopes } from '@countersign/protocol/dashboard/oauth';
import type { AccessConfig } from './config.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * The metadata that names the authorization server of `/mcp` (RFC 9728), and the challenge that points to it.
 */
export type Metadata = {
  /** The document, if one is at this path. */
  readonly at: (path: string | undefined) => object | null;
  /** `WWW-Authenticate` of an answer without a caller, or with one who may not do this. */
  readonly challenge: (error: 'invalid_token' | 'insufficient_scope' | null) => string;
};

const scope = connectionScopes.join(' ');

export function metadataOf({ publicUrl, resource, issuer }: AccessConfig): Metadata {
  const document = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: connectionScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Countersign gateway',
  };
  const where = new URL(`${wellKnown}/mcp`, publicUrl).href;
  return {
    at: (path) => (path === wellKnown || path === `${wellKnown}/mcp` ? document : null),
    challenge: (error) =>
      `Bearer realm="countersign"${error === null ? '' : `, error="${error}"`}, resource_metadata="${where}", scope="${scope}"`,
  };
}
