import type { VaultCode } from '@countersign/protocol/vault/codes';
import type { vaultRoutes } from '@countersign/protocol/vault/routes';
import type { Scope } from '@countersign/protocol/vault/scopes';
import type { SealedCredential } from './credentials/store.ts';
import type { SessionAtCall } from './sandbox/session-store.ts';
import type { Callers, Handlers } from '@countersign/service/http';

/** The credential that a path names, as it was when the token was looked up, for this one call. Whether the caller may have it is not yet asked. */
export type Ahead = { readonly id: string; readonly row: SealedCredential | null };

/** The same of the session that a path names. */
export type SessionAhead = { readonly id: string; readonly row: SessionAtCall | null };

/** Whoever shows a token. */
export type Caller = {
  readonly tokenId: string;
  readonly tenantId: string;
  readonly account: string;
  readonly scopes: readonly Scope[];
  /** The credentials that the token reaches; null: all of the tenant. */
  readonly credentialIds: readonly string[] | null;
  readonly agentDid: string | null;
  readonly expiresAt: Date;
  /** The login that the token comes from; null for a generated one. */
  readonly family: string | null;
  readonly ahead: Ahead | null;
  readonly sessionAhead: SessionAhead | null;
};

export type VaultCallers = Callers<{ readonly bearer: Caller }>;
export type VaultHandlers = Handlers<typeof vaultRoutes, VaultCallers, VaultCode>;

/**
 * Whether a person calls who logged in. Only people decide what waits for one: a generated token is none, whoever made it
 * and whatever its scopes.
 */
export const isPerson = ({ family }: Caller): boolean => family !== null;

/** Returns the caller's name in audit records. */
export const actorOf = (caller: Caller): string =>
  isPerson(caller) ? `user:${caller.account}` : `user:${caller.account} token:${caller.tokenId}`;

/** A session as far as it says for whom it was opened. */
type Opened = { readonly agentDid?: string | null; readonly openedBy?: string | null };

/** The agent that acts in a session: that of the token; else that of the session, where its opener acts. Undefined: none. */
export const agentActing = (caller: Caller, { agentDid, openedBy }: Opened): string | undefined =>
  caller.agentDid ?? (openedBy === actorOf(caller) ? agentDid : null) ?? undefined;

/** Returns whether the caller's token reaches a credential at all. */
export const reaches = ({ credentialIds }: Caller, id: string): boolean =>
  credentialIds === null || credentialIds.includes(id);
