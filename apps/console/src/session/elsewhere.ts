import type { Result } from '@countersign/protocol/result';
import { useSyncExternalStore } from 'react';
import type { Problem } from '../api/problem.ts';
import { seemsSignedIn } from './memory.ts';
import { atFirst } from './one-sign-in.ts';

/**
 * The state of a session with the vault or the control plane. `ended`: the other side ended it, nobody signed out. `asking`: it
 * is not known yet whether the console's session opens it; `stranger`: it does not; `failed`: there was no answer.
 */
export type SessionElsewhere<Open> =
  | { readonly state: 'none' | 'ended' | 'asking' | 'stranger' }
  | { readonly state: 'failed'; readonly problem: Problem }
  | (Open & { readonly state: 'open' });

type Parts<Open> = {
  /** The address of the other side; null where there is none. */
  readonly place: () => string | null;
  /** Whom the console's session stands for there; null: for nobody. */
  readonly ask: () => Promise<Result<Open | null, Problem>>;
};

/**
 * Keeps a session with another service, and the secret that opens it. INVARIANT: the secret is in memory only and gone with the
 * page; otherwise a script that reads storage, or a later visitor of this browser, could open the service with it.
 */
export function sessionElsewhere<Open, Secret>({ place, ask }: Parts<Open>) {
  type Session = SessionElsewhere<Open>;
  let known: Session | null = null;
  let secret: Secret | null = null;
  let joining: Promise<void> | null = null;
  const listeners = new Set<() => void>();

  const now = (): Session => (known ??= { state: atFirst(place()) });

  function put(next: Session | null, given: Secret | null): void {
    known = next;
    secret = given;
    for (const listener of listeners) listener();
  }

  /** Asks whether the console's session opens it. */
  function join(): Promise<void> {
    joining ??= askOnce().finally(() => {
      joining = null;
    });
    return joining;
  }

  async function askOnce(): Promise<void> {
    if (now().state !== 'asking') put({ state: 'asking' }, null);
    const asked = now();
    const answer = await ask();
    // A sign-out while the answer was under way stands.
    if (now() !== asked) return;
    if (!answer.ok) return put({ state: 'failed', problem: answer.error }, null);
    // A stranger may still sign in there directly.
    put(answer.value === null ? { state: 'stranger' } : { ...answer.value, state: 'open' }, null);
  }

  function listen(listener: () => void): () => void {
    listeners.add(listener);
    // These pages are still shown for a moment after a sign-out.
    if (now().state === 'asking' && seemsSignedIn(new Date())) void join();
    return () => listeners.delete(listener);
  }

  return { now, put, join, secret: () => secret, use: () => useSyncExternalStore(listen, now) };
}
