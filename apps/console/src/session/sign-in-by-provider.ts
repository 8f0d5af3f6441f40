import { fail, type Result } from '@countersign/protocol/result';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { forgetWayOn, rememberWayOn } from './memory.ts';
import { remembered } from './sign-in-as-person.ts';

/** The relevant parameters of the provider's redirect. */
export type Returned = {
  readonly state?: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
};

/** Leaves for the provider; the reason why not in words. `next`: where to go once signed in. */
export async function leaveForProvider(next: string | null): Promise<Result<never, string> | null> {
  const begun = await call('POST /api/auth/provider/begin', {});
  if (!begun.ok) return fail(problemText(begun.error));
  rememberWayOn(next);
  window.location.assign(begun.value.url);
  return null;
}

/** Ends a sign-in at the provider: where to go now, or why not in words. */
export async function returnFromProvider({
  state,
  ...returned
}: Returned): Promise<Result<string | null, string>> {
  const next = forgetWayOn();
  if (state === undefined) return fail('The provider’s response is incomplete. Start again.');
  const signedIn = remembered(await call('POST /api/auth/provider/login', { body: { state, ...returned } }));
  return signedIn.ok ? { ok: true, value: next } : signedIn;
}
