import type { Result } from '@countersign/protocol/result';
import { useSyncExternalStore } from 'react';
import type { Problem } from '../api/problem.ts';
import { seemsSignedIn } from '../session/memory.ts';
import { atFirst } from '../session/one-sign-in.ts';
import { askControlPlane, whoIsSignedIn } from './http.ts';
import { controlPath } from './location.ts';

/**
 * `ended`: the control plane takes the key no longer, nobody put it away. `asking`: whether the session of the console
 * opens it; `failed`: nobody knows; `stranger`: it opens nothing there. With a name it is open to whoever is signed in to the console, and no key is here.
 */
export type ControlSession =
  | { readonly state: 'none' | 'ended' | 'asking' | 'stranger' }
  | { readonly state: 'failed'; readonly problem: Problem }
  | { readonly state: 'open'; readonly name: string | null };

/**
 * The key is in this memory only, and gone with the page: whatever storage a script can read, a script that got in could
 * send away.
 */
let key: string | null = null;
let known: ControlSession | null = null;
let joining: Promise<void> | null = null;
const listeners = new Set<() => void>();

const session = (): ControlSession => (known ??= { state: atFirst(controlPath()) });

function put(next: ControlSession | null, given: string | null): void {
  known = next;
  key = given;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Who signed out sees these pages for a moment still.
  if (session().state === 'asking' && seemsSignedIn(new Date())) void joinControlPlane();
  return () => listeners.delete(listener);
}

export const useControlSession = (): ControlSession => useSyncExternalStore(listen, session);

/** Goes in with the console's session, where the control plane takes it. */
export function joinControlPlane(): Promise<void> {
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
  const { name } = answer.value;
  // This account has no part in the control plane, or the role none: then a key does, as ever.
  put(name === null ? { state: 'stranger' } : { state: 'open', name }, null);
}

/** Takes a key that the control plane knows. */
export async function takeKey(given: string): Promise<Result<unknown, Problem>> {
  const answer = await askControlPlane('GET /v1/executions', { query: { limit: 1 } }, { key: given });
  if (answer.ok) put({ state: 'open', name: null }, given);
  return answer;
}

/** The key that is shown; null where the console's session stands for one, undefined where nobody is in. */
export const controlKey = (): string | null | undefined => (session().state === 'open' ? key : undefined);

export const forgetControlKey = (): void => put(key === null ? null : { state: 'none' }, null);

/** The control plane takes us no longer: whoever came with the console's session asks once more. */
export function endControlSession(): void {
  const now = session();
  if (now.state !== 'open' || now.name === null) return put({ state: 'ended' }, null);
  void joinControlPlane();
}
