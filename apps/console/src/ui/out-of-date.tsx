import type { UseQueryResult } from '@tanstack/react-query';
import { type ProblemError, problemText } from '../api/problem.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Props = { readonly query: Pick<UseQueryResult<unknown, ProblemError>, 'data' | 'error' | 'refetch'> };

/** Says of what stays on screen that it could not be asked for anew, and why; nothing where it could. */
export function OutOfDate({ query: { data, error, refetch } }: Props) {
  if (data === undefined || error === null) return null;
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>This may be out of date. {problemText(error.problem)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    </Notice>
  );
}
