import type { Result } from '@countersign/protocol/result';
import { useSyncExternalStore } from 'react';
import type { Problem } from '../api/problem.ts';
import { askControlPlane } from './http.ts';

/** `ended`: the control plane takes the key no longer, nobody put it away. */
export type ControlSession = { readonly state: 'none' | 'ended' | 'open' };

/**
 * The key is in this memory only, and gone with the page: whatever storage a script can read, a script that got in could
 * send away.
 */
let key: string | null = null;
let session: ControlSession = { state: 'none' };
const listeners = new Set<() => void>();

function put(next: ControlSession, given: string | null): void {
  session = next;
  key = given;
  for (const listener of listeners) listener();
}

export const useControlSession = (): ControlSession =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );

/** Takes a key that the control plane knows. */
export async function takeKey(given: string): Promise<Result<unknown, Problem>> {
  const answer = await askControlPlane('GET /v1/executions', { query: { limit: 1 } }, { key: given });
  if (answer.ok) put({ state: 'open' }, given);
  return answer;
}

export const controlKey = (): string | null => key;
export const forgetControlKey = (): void => put({ state: 'none' }, null);
export const endControlSession = (): void => put({ state: 'ended' }, null);
