/**
 * Scopes of API keys (spec: dashboard.key.scopes). A route that accepts a key names the scope that it needs.
 */
export const keyScopes = [
  'accounts:read',
  'agents:announce',
  'approvals:read',
  'approvals:request',
  'connections:read',
  'mandates:hold',
  'mandates:read',
  'report',
  'screening:read',
  'transactions:read',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Reads the log of the whole account: no gateway needs it, and a key of one agent never has it. */
export const ofWholeAccount: KeyScope = 'transactions:read';

/** All that a gateway asks; also what a key without scopes may do, as every key did before there were any. */
export const gatewayScopes: readonly KeyScope[] = keyScopes.filter((scope) => scope !== ofWholeAccount);

/** Returns whether a key with these scopes, null for one without, may do what needs `wanted`. */
export const mayWith = (scopes: readonly KeyScope[] | null, wanted: KeyScope): boolean =>
  (scopes ?? gatewayScopes).includes(wanted);
