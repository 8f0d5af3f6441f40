import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Brand } from '../frame/brand.tsx';
import { sayFarewell } from '../session/farewell.ts';
import { returnFromProvider } from '../session/sign-in-by-provider.ts';
import { Notice } from '../ui/notice.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { readReturned, readSignInSearch } from './search.ts';

/** The target of the provider's redirect: signs in with its parameters, once, or shows why not. */
export function ReturnPage() {
  const problem = useReturn();
  useEffect(() => {
    document.title = 'Sign in · Countersign';
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-12">
      <div className="w-full max-w-[400px]">
        <Brand />
        <h1 className="mt-10 text-xl">{problem === null ? 'Signing you in' : 'You are not signed in'}</h1>
        <div className="mt-5 grid gap-4">
          {problem === null ? <Bone className="w-2/3" /> : <Notice tone="bad">{problem}</Notice>}
          {problem !== null && (
            <Link to="/sign-in" search={{}} className="font-medium text-accent-ink underline">
              Back to sign-in
            </Link>
          )}
        </div>
      </div>
    </main>
  );
}

/** INVARIANT: the redirect's parameters are used once, however often React renders. */
let returning: ReturnType<typeof returnFromProvider> | null = null;

function useReturn(): string | null {
  const router = useRouter();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const finish = async () => {
      returning ??= returnFromProvider(readReturned(window.location.search));
      // The code is spent, and stays in no history.
      window.history.replaceState(window.history.state, '', window.location.pathname);
      const done = await returning;
      returning = null;
      if (!done.ok) return setProblem(done.error);
      sayFarewell(null);
      queries.clear();
      router.history.replace(readSignInSearch({ next: done.value ?? undefined }).next ?? '/');
    };
    void finish();
  }, [router, queries]);
  return problem;
}
