import type { Requirement } from '../requirement.ts';

/** The dashboard as an authorization server: clients that act as an agent. */
export const dashboardOauthRequirements = [
  {
    id: 'dashboard.oauth.metadata',
    source: 'issue 18, decision 0030',
    behaviour:
      'With OAUTH=on the metadata of RFC 8414 is at /.well-known/oauth-authorization-server and at ' +
      '/.well-known/openid-configuration: issuer is the public URL; PKCE is S256, clients are public (none), and client-ID ' +
      'metadata documents, registration, revocation and the iss parameter are offered. Without OAUTH=on there is none.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.connect',
    source: 'issue 18, decision 0030',
    behaviour:
      'Each authorization request waits for its owner, who is signed in to the dashboard, picks one active agent behind the ' +
      'gateway that the client named (RFC 8707), or refuses; the code comes with state and iss. A token says which gateway ' +
      'and agent it is for, to the account of that agent alone. offline_access is taken and gives nothing more.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.same-browser',
    source: 'issue 18, decision 0030',
    behaviour:
      'A request is answered only in the browser that began it, by a signed-in owner, from the dashboard’s own origin; for an ' +
      'agent of that owner that may pay now, and once.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.code',
    source: 'RFC 6749, RFC 7636',
    behaviour:
      'A code is worth nothing without its verifier, at another redirect URI, or to another client, and is used once: a ' +
      'replay, also at the same moment, revokes every token that it gave.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.refresh',
    source: 'OAuth 2.1, 4.3.1',
    behaviour:
      'A refresh token is replaced at each use; one that is used again, also at the same moment, revokes the whole family. ' +
      'Access tokens before a renewal end within 30 seconds, and a token allows no more scope than it was given.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.resource',
    source: 'RFC 8707',
    behaviour:
      'Authorization names exactly one resource, at which a gateway was announced; otherwise, and for another resource at the ' +
      'token endpoint, the error is invalid_target.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.registration',
    source: 'RFC 7591',
    behaviour:
      'Anybody registers a client with 1 to 20 redirect URIs: https, http on loopback, or a private scheme. What else is asked ' +
      'for is left out or replaced; errors are those of the RFC. No client has a secret.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.redirect',
    source: 'RFC 9700, 2.1',
    behaviour:
      'The browser is sent only to a redirect URI of the client, letter for letter (any port on loopback). Otherwise, and of an ' +
      'error of a client that nobody has connected, it sees a page without a word of the sender’s.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.client-document',
    source: 'draft-ietf-oauth-client-id-metadata-document, issue 18',
    behaviour:
      'A client_id that is an https URL is fetched: from public addresses alone, without redirects, at most 5 KiB within 3 s, ' +
      'and its client_id must be that URL. The owner is shown its URL and host as verified. ' +
      'Only requests for authorization and connected clients have it fetched, eight at once.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.places',
    source: 'decision 0030',
    behaviour:
      'An agent has at most 20 gateways, also of announcements at the same moment: one more takes the place of the one ' +
      'announced longest ago at which no client is connected, and is refused where there is none.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.introspection',
    source: 'decision 0030',
    behaviour:
      'A gateway asks about 1 to 300 tokens at once and is answered in that order. Its questions have a request limit of their own.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.disconnect',
    source: 'issue 18',
    behaviour:
      'Connected clients are listed; disconnecting one ends its tokens and no other’s. Revoking an agent ends those of all ' +
      'its clients.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.revocation',
    source: 'RFC 7009',
    behaviour: 'A client revokes its own tokens, and no other client’s.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.forgotten',
    source: 'decision 0030',
    behaviour:
      'Codes, tokens and requests that have run out are deleted, and so is a registered client that nobody connected within a day.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.personal',
    source: 'decision 0020',
    behaviour:
      'Connected clients are in their owner’s export; an erasure deletes them with their codes and tokens.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.hashed',
    source: 'issue 18',
    behaviour: 'Codes and tokens are kept as SHA-256 alone, and gateways ask about a token by that hash.',
    status: 'tested',
  },
  {
    id: 'dashboard.oauth.expired-agent',
    source: 'decision 0030',
    behaviour:
      'A client that was connected to an agent whose terms have run out stays out when its owner signs new ones: it asks for consent again.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
