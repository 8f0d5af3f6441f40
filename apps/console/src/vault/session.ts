import { fail, ok, type Result } from '@countersign/protocol/result';
import { useSyncExternalStore } from 'react';
import type { Problem } from '../api/problem.ts';
import { askVaultServer, type VaultAnswer } from './http.ts';

type Tokens = { readonly access: string; readonly refresh: string; readonly endsAt: number };

/** `ended`: the vault ended it, nobody signed out. */
export type VaultSession =
  | { readonly state: 'none' | 'ended' }
  | { readonly state: 'open'; readonly username: string };

/**
 * The tokens are in this memory only, and gone with the page: nothing that a later visitor of this browser, or a script
 * that reads storage, could find opens the vault.
 */
let tokens: Tokens | null = null;
let session: VaultSession = { state: 'none' };
let refreshing: Promise<Result<string, Problem>> | null = null;
const listeners = new Set<() => void>();

function put(next: VaultSession, given: Tokens | null): void {
  session = next;
  tokens = given;
  for (const listener of listeners) listener();
}

export const useVaultSession = (): VaultSession =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );

/** The name of who is signed in now; null for nobody. */
export const signedInAs = (): string | null => (session.state === 'open' ? session.username : null);

export async function signInToVault(username: string, password: string): Promise<Result<null, Problem>> {
  const answer = await askVaultServer('POST /api/v1/auth/login', { body: { username, password } });
  if (!answer.ok) return answer;
  put({ state: 'open', username }, tokensOf(answer.value));
  return ok(null);
}

/** Tells the vault too, so that the tokens open nothing any more, wherever they are. */
export async function signOutOfVault(): Promise<void> {
  const token = tokens?.access;
  put({ state: 'none' }, null);
  if (token !== undefined) await askVaultServer('POST /api/v1/auth/logout', {}, { token });
}

export const endVaultSession = (): void => put({ state: 'ended' }, null);

/** Anew this long before the old one ends, so that none ends on its way. */
const earlyMs = 60_000;

/** A token that is good now. */
export async function accessToken(now: number): Promise<Result<string, Problem>> {
  if (tokens === null) return fail(signedOut);
  if (tokens.endsAt - now > earlyMs) return ok(tokens.access);
  // A refresh token is spent by its use: all who wait share one answer.
  refreshing ??= refreshed(tokens.refresh).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function refreshed(refresh: string): Promise<Result<string, Problem>> {
  const answer = await askVaultServer('POST /api/v1/auth/refresh', { body: { refresh_token: refresh } });
  // Who signed out meanwhile stays so.
  if (session.state !== 'open') return fail(signedOut);
  if (!answer.ok) {
    if (answer.error.kind === 'refused') endVaultSession();
    return answer;
  }
  put(session, tokensOf(answer.value));
  return ok(answer.value.access_token);
}

const tokensOf = (given: VaultAnswer<'POST /api/v1/auth/login'>): Tokens => ({
  access: given.access_token,
  refresh: given.refresh_token,
  endsAt: Date.now() + given.expires_in * 1000,
});

const signedOut: Problem = {
  kind: 'refused',
  code: 'unauthorized',
  msg: 'sign in to the vault',
  requestId: null,
};
