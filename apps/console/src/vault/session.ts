import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Problem } from '../api/problem.ts';
import { sessionElsewhere } from '../session/elsewhere.ts';
import { askVaultServer, type VaultAnswer, whoIsSignedIn } from './http.ts';
import { vaultUrl } from './location.ts';

type Tokens = { readonly access: string; readonly refresh: string; readonly endsAt: number };

/** `session`: opened for whoever is signed in to the console, without a token in this page. */
type Open = { readonly username: string; readonly by: 'session' | 'tokens' };

const session = sessionElsewhere<Open, Tokens>({
  place: vaultUrl,
  ask: async () => {
    const answer = await whoIsSignedIn();
    if (!answer.ok) return answer;
    const { username } = answer.value;
    return ok(username === null ? null : { username, by: 'session' });
  },
});

export const useVaultSession = session.use;
export const joinVault = session.join;

let refreshing: Promise<Result<string, Problem>> | null = null;

/** The name of who is signed in now; null for nobody. */
export function signedInAs(): string | null {
  const now = session.now();
  return now.state === 'open' ? now.username : null;
}

export async function signInToVault(username: string, password: string): Promise<Result<null, Problem>> {
  const answer = await askVaultServer('POST /api/v1/auth/login', { body: { username, password } });
  if (!answer.ok) return answer;
  session.put({ state: 'open', username, by: 'tokens' }, tokensOf(answer.value));
  return ok(null);
}

/** Tells the vault too, so that the tokens open nothing any more, wherever they are. */
export async function signOutOfVault(): Promise<void> {
  const token = session.secret()?.access;
  session.put(token === undefined ? null : { state: 'none' }, null);
  if (token !== undefined) await askVaultServer('POST /api/v1/auth/logout', {}, { token });
}

/** The vault no longer accepts us: whoever came with the console's session asks once more. */
export function endVaultSession(): void {
  const now = session.now();
  if (now.state !== 'open' || now.by === 'tokens') return session.put({ state: 'ended' }, null);
  void joinVault();
}

/** Anew this long before the old one ends, so that none ends on its way. */
const earlyMs = 60_000;

/** A token that is good now; null where the console's session stands for one. */
export async function accessToken(now: number): Promise<Result<string | null, Problem>> {
  const here = session.now();
  if (here.state === 'open' && here.by === 'session') return ok(null);
  const tokens = session.secret();
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
  const here = session.now();
  if (here.state !== 'open') return fail(signedOut);
  if (!answer.ok) {
    if (answer.error.kind === 'refused') endVaultSession();
    return answer;
  }
  session.put(here, tokensOf(answer.value));
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
