import { ok, type Result } from '@countersign/protocol/result';
import type { Problem } from '../api/problem.ts';
import { sessionElsewhere } from '../session/elsewhere.ts';
import { askControlPlane, whoIsSignedIn } from './http.ts';
import { controlPath } from './location.ts';

/** `name` null: opened with a key. Otherwise it is open to whoever is signed in to the console, and no key is here. */
type Open = { readonly name: string | null };

const session = sessionElsewhere<Open, string>({
  place: controlPath,
  ask: async () => {
    const answer = await whoIsSignedIn();
    if (!answer.ok) return answer;
    const { name } = answer.value;
    return ok(name === null ? null : { name });
  },
});

export const useControlSession = session.use;
export const joinControlPlane = session.join;

/** Takes a key that the control plane knows. */
export async function takeKey(given: string): Promise<Result<unknown, Problem>> {
  const answer = await askControlPlane('GET /v1/executions', { query: { limit: 1 } }, { key: given });
  if (answer.ok) session.put({ state: 'open', name: null }, given);
  return answer;
}

/** The key that is shown; null where the console's session stands for one, undefined where nobody is in. */
export const controlKey = (): string | null | undefined =>
  session.now().state === 'open' ? session.secret() : undefined;

export const forgetControlKey = (): void =>
  session.put(session.secret() === null ? null : { state: 'none' }, null);

/** The control plane no longer accepts us: whoever came with the console's session asks once more. */
export function endControlSession(): void {
  const now = session.now();
  if (now.state !== 'open' || now.name === null) return session.put({ state: 'ended' }, null);
  void joinControlPlane();
}
