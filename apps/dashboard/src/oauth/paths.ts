/** The paths of the protocol, which the metadata names. */
export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;

/**
 * Returns the path at which a request waits for its owner. Its cookie is sent there and below, and nowhere
 * else.
 */
export const interactionPath = (uid: string): string => `/oauth/interactions/${uid}`;
