import { fail, ok, type Result } from '@countersign/protocol/result';
import { useSyncExternalStore } from 'react';
import type { Problem } from '../api/problem.ts';
import { seemsSignedIn } from '../session/memory.ts';
import { atFirst } from '../session/one-sign-in.ts';
import { askVaultServer, type VaultAnswer, whoIsSignedIn } from './http.ts';
import { vaultUrl } from './location.ts';

type Tokens = { readonly access: string; readonly refresh: string; readonly endsAt: number };

/**
 * `ended`: the vault ended it, nobody signed out. `asking`: whether the session of the console opens it; `failed`: nobody
 * knows; `stranger`: it opens nothing there. By `session` it is open to whoever is signed in to the console, and no token is here.
 */
export type VaultSession =
  | { readonly state: 'none' | 'ended' | 'asking' | 'stranger' }
  | { readonly state: 'failed'; readonly problem: Problem }
  | { readonly state: 'open'; readonly username: string; readonly by: 'session' | 'tokens' };

/**
 * The tokens of who logs in at the vault are in this memory only, and gone with the page: nothing that a later visitor of
 * this browser, or a script that reads storage, could find opens the vault.
 */
let tokens: Tokens | null = null;
let known: VaultSession | null = null;
let refreshing: Promise<Result<string, Problem>> | null = null;
let joining: Promise<void> | null = null;
const listeners = new Set<() => void>();

const session = (): VaultSession => (known ??= { state: atFirst(vaultUrl()) });

function put(next: VaultSession | null, given: Tokens | null): void {
  known = next;
  tokens = given;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Who signed out sees these pages for a moment still.
  if (session().state === 'asking' && seemsSignedIn(new Date())) void joinVault();
  return () => listeners.delete(listener);
}

export const useVaultSession = (): VaultSession => useSyncExternalStore(listen, session);

/** Goes in with the console's session, where the vault takes it. */
export function joinVault(): Promise<void> {
  joining ??= join().finally(() => {
    joining = null;
  });
  return joining;
}

async function join(): Promise<void> {
  if (session().state !== 'asking') put({ state: 'asking' }, null);
  const asked = session();
  const answer = await whoIsSignedIn();
  // Who signed out meanwhile stays so.
  if (session() !== asked) return;
  if (!answer.ok) return put({ state: 'failed', problem: answer.error }, null);
  const { username } = answer.value;
  // This account has no part in the vault, or the role none: then the vault's own log-in does, as ever.
  put(username === null ? { state: 'stranger' } : { state: 'open', username, by: 'session' }, null);
}

/** The name of who is signed in now; null for nobody. */
export function signedInAs(): string | null {
  const now = session();
  return now.state === 'open' ? now.username : null;
}

export async function signInToVault(username: string, password: string): Promise<Result<null, Problem>> {
  const answer = await askVaultServer('POST /api/v1/auth/login', { body: { username, password } });
  if (!answer.ok) return answer;
  put({ state: 'open', username, by: 'tokens' }, tokensOf(answer.value));
  return ok(null);
}

/** Tells the vault too, so that the tokens open nothing any more, wherever they are. */
export async function signOutOfVault(): Promise<void> {
  const token = tokens?.access;
  put(token === undefined ? null : { state: 'none' }, null);
  if (token !== undefined) await askVaultServer('POST /api/v1/auth/logout', {}, { token });
}

/** The vault takes us no longer: whoever came with the console's session asks once more. */
export function endVaultSession(): void {
  const now = session();
  if (now.state !== 'open' || now.by === 'tokens') return put({ state: 'ended' }, null);
  void joinVault();
}

/** Anew this long before the old one ends, so that none ends on its way. */
const earlyMs = 60_000;

/** A token that is good now; null where the console's session stands for one. */
export async function accessToken(now: number): Promise<Result<string | null, Problem>> {
  const here = session();
  if (here.state === 'open' && here.by === 'session') return ok(null);
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
  const here = session();
  if (here.state !== 'open') return fail(signedOut);
  if (!answer.ok) {
    if (answer.error.kind === 'refused') endVaultSession();
    return answer;
  }
  put(here, tokensOf(answer.value));
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
