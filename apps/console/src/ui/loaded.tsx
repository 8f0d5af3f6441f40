import type { UseQueryResult } from '@tanstack/react-query';
import { CloudOff, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { isForbidden, type ProblemError, problemText } from '../api/problem.ts';
import { Button } from './button.tsx';
import { Message } from './message.tsx';

type Props<T> = {
  readonly query: Pick<UseQueryResult<T, ProblemError>, 'data' | 'error' | 'refetch'>;
  /** Has the shape of the content that is loading. */
  readonly skeleton: ReactNode;
  readonly children: (data: T) => ReactNode;
};

/** Shows a query's data, or why there is none. Earlier data stays on screen. */
export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failed error={query.error} again={() => void query.refetch()} />;
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        Loading
      </span>
      {skeleton}
    </div>
  );
}

function Failed({ error, again }: { error: ProblemError; again: () => void }) {
  const { problem } = error;
  if (isForbidden(problem)) {
    return (
      <Message icon={Lock} title="You do not have access">
        Sign in with an account that has access, or ask an operator.
      </Message>
    );
  }
  const requestId = problem.kind === 'unreachable' ? null : problem.requestId;
  return (
    <div role="alert">
      <Message
        icon={CloudOff}
        title="Could not load this"
        action={<Button onClick={again}>Try again</Button>}
      >
        {problemText(problem)}
        {requestId !== null && <span className="mt-1 block text-xs">Request {requestId}</span>}
      </Message>
    </div>
  );
}
