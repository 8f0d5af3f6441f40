import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { call } from '../api/call.ts';
import { isSignedOut, problemText } from '../api/problem.ts';
import { quietly } from '../api/quiet.ts';
import { showToast } from '../ui/toasts.tsx';
import { forgetControlKey } from '../actions/session.ts';
import { signOutOfVault } from '../vault/session.ts';
import { forgetSession } from './memory.ts';

/** Ends the session on the server and forgets everything that was loaded with it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return () =>
    quietly(queries, async () => {
      const answer = await call('POST /api/auth/logout', {});
      if (!answer.ok && !isSignedOut(answer.error)) {
        return showToast({ tone: 'bad', text: `You are still signed in. ${problemText(answer.error)}` });
      }
      forgetSession();
      forgetControlKey();
      void signOutOfVault();
      await router.navigate({ to: '/sign-in', search: {} });
      queries.clear();
    });
}
