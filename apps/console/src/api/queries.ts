import { queryOptions, QueryCache, QueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import type { AnswerOf, Endpoint, InputOf } from './endpoint.ts';
import { isSignedOut, ProblemError } from './problem.ts';

/** What to ask, as `useQuery` wants it. Its key begins with the endpoint, so that `refresh` finds it. */
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
        retryDelay: 400,
        // A refusal stays one; silence may end.
        retry: (failures, error) =>
          failures < 1 && error instanceof ProblemError && error.problem.kind === 'unreachable',
      },
    },
  });

/** Asks anew for everything whose path begins so: after a change, or when the server told of one. */
export const refresh = (queries: QueryClient, ...paths: readonly `/${string}`[]): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [endpoint] }) => {
      const path = String(endpoint).split(' ')[1] ?? '';
      return paths.some((prefix) => path.startsWith(prefix));
    },
  });
