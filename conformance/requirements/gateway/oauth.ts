import type { Requirement } from '../requirement.ts';

/** The gateway as a protected resource. */
export const gatewayOauthRequirements = [
  {
    id: 'gateway.oauth.official-client',
    source: 'issue 18',
    behaviour:
      'The official MCP client, given nothing but the URL, registers, has its owner consent, pays within its agent’s limits, ' +
      'renews its token, and is refused within five seconds after it was disconnected.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.metadata',
    source: 'RFC 9728',
    behaviour:
      'With GATEWAY_PUBLIC_URL and OAUTH_ISSUER the metadata is at /.well-known/oauth-protected-resource and …/mcp: resource, ' +
      'authorization server and scopes.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.challenge',
    source: 'RFC 9728, RFC 6750',
    behaviour:
      '401 carries WWW-Authenticate: Bearer with resource_metadata and scope, and invalid_token where a token was shown. ' +
      'Without OAuth it is as before; tokens of GATEWAY_AUTH_TOKENS are taken beside it.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.scope',
    source: 'issue 18, RFC 6750',
    behaviour:
      'services:read lists services and tools, services:call calls them; without it the answer is 403 insufficient_scope with ' +
      'the scopes that it takes. A connected client reads neither /ready nor /metrics.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.agent',
    source: 'issue 18, RFC 8707',
    behaviour:
      'A token counts only at the gateway that it is for, by its resource, its issuer and the wallet of its agent: of another ' +
      'agent, gateway or owner it is refused.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.token',
    source: 'issue 18',
    behaviour:
      'What the dashboard said of a token is used for at most 4.5 seconds; a clock that is up to 60 s ahead does no harm. Without ' +
      'an answer the token is neither good nor bad: 503. Unknown tokens cost the dashboard four questions ' +
      'a second at most, and keep no genuine token out.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.announce',
    source: 'decision 0030',
    behaviour: 'A gateway tells the dashboard its resource until the dashboard has a place for it.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.hash',
    source: 'decision 0030',
    behaviour: 'The dashboard is asked by the SHA-256 of a token, never by the token.',
    status: 'tested',
  },
  {
    id: 'gateway.oauth.config',
    source: 'decision 0030',
    behaviour:
      'GATEWAY_PUBLIC_URL and OAUTH_ISSUER are origins, https or on loopback http, and come together, with OWNER_ADDRESS and ' +
      'COMPLIANCE_API_KEY; beyond loopback they take the place of GATEWAY_AUTH_TOKENS.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
