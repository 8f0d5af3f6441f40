import { queryOptions, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { call } from './call.ts';
import type { AnswerOf, Endpoint, InputOf } from './endpoint.ts';
import { isSignedOut, ProblemError } from './problem.ts';

/** Returns the options of `useQuery`. The key begins with the endpoint, so that `refresh` finds it. */
export const ask = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  queryOptions<AnswerOf<E>, ProblemError>({
    queryKey: [endpoint, input],
    queryFn: async ({ signal }) => {
      const answer = await call(endpoint, input, signal);
      if (!answer.ok) throw new ProblemError(answer.error);
      return answer.value;
    },
  });

/** Answers are kept for a moment, asked for again when they may be old, and a lost session is told once. */
export const createQueries = (onSignedOut: () => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ProblemError && isSignedOut(error.problem)) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: ({ queryKey }) => !isOnRecord(queryKey),
        refetchOnReconnect: ({ queryKey }) => !isOnRecord(queryKey),
        retryDelay: 400,
        // A refusal stays one; silence may end.
        retry: (failures, error) =>
          failures < 1 && error instanceof ProblemError && error.problem.kind === 'unreachable',
      },
    },
  });

/** It stays on record that an operator looked at what is of everybody: so that is asked for only when one does look. */
const isOnRecord = ([, input]: QueryKey): boolean =>
  (input as { readonly query?: { readonly scope?: unknown } } | undefined)?.query?.scope === 'all';

/**
 * Asks anew for everything whose path begins so, but for looks that stay on record: after a change, or when the server
 * told of one.
 */
export const refresh = (queries: QueryClient, ...paths: readonly `/${string}`[]): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey }) => {
      const path = String(queryKey[0]).split(' ')[1] ?? '';
      return !isOnRecord(queryKey) && paths.some((prefix) => path.startsWith(prefix));
    },
  });
