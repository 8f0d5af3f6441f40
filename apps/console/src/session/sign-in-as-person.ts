import { ok, fail, type Result } from '@countersign/protocol/result';
import { call } from '../api/call.ts';
import { type Problem, problemText } from '../api/problem.ts';
import { rememberSession } from './memory.ts';

/** Returns whether passkeys work here: browsers create them only for host names, not for IP addresses. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

const cancelled = 'Your browser did not use a passkey. Try again, or sign in another way.';

/** Signs in with a passkey of this device; the reason why not in words. */
export async function signInWithPasskey(): Promise<Result<null, string>> {
  const asked = await call('POST /api/auth/passkey/options', {});
  if (!asked.ok) return fail(problemText(asked.error));
  const { showPasskey } = await import('./passkey.ts');
  const passkey = await showPasskey(asked.value.options);
  if (passkey === null) return fail(cancelled);
  return remembered(await call('POST /api/auth/passkey/login', { body: { passkey } }));
}

/** Signs in with a user name and password. */
export const signInWithPassword = async (userName: string, password: string): Promise<Result<null, string>> =>
  remembered(await call('POST /api/auth/password/login', { body: { userName, password } }));

type Chosen = {
  readonly name: string;
  readonly password: { readonly userName: string; readonly password: string } | null;
};

/** Accepts an invitation: with a password if one is given, otherwise with a new passkey. */
export async function acceptInvitation(
  token: string,
  { name, password }: Chosen,
): Promise<Result<null, string>> {
  const accept = { token, name };
  if (password !== null)
    return remembered(await call('POST /api/invitations/accept', { body: { ...accept, password } }));
  const asked = await call('POST /api/invitations/passkey', { body: { token } });
  if (!asked.ok) return fail(problemText(asked.error));
  const { makePasskey } = await import('./passkey.ts');
  const passkey = await makePasskey(asked.value.options);
  if (passkey === null)
    return fail('Your browser did not create a passkey. Try again, or choose a password.');
  return remembered(await call('POST /api/invitations/accept', { body: { ...accept, passkey } }));
}

/** Notes that somebody is signed in, without a wallet. */
export function remembered(answer: Result<{ readonly expiresAt: string }, Problem>): Result<null, string> {
  if (!answer.ok) return fail(problemText(answer.error));
  rememberSession(answer.value.expiresAt, null);
  return ok(null);
}
