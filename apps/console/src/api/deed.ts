import type { Result } from '@countersign/protocol/result';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from './call.ts';
import type { Endpoint, InputOf } from './endpoint.ts';
import { type Problem, problemText } from './problem.ts';
import { refresh } from './queries.ts';

/**
 * Something to do at the API, for a button: whether it is under way, and why it was refused. `run` gives the answer, or
 * null after a refusal, and asks anew for what the deed has made out of date.
 */
export const useDeed = <E extends Endpoint>(endpoint: E, ...outdated: readonly `/${string}`[]) =>
  useAct((input: InputOf<E>) => call(endpoint, input), ...outdated);

/** The same for anything that may be refused. */
export function useAct<Input, Answer>(
  act: (input: Input) => Promise<Result<Answer, Problem>>,
  ...outdated: readonly `/${string}`[]
) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (input: Input): Promise<Answer | null> => {
    setBusy(true);
    setProblem(null);
    const answer = await act(input);
    setBusy(false);
    if (!answer.ok) {
      setProblem(problemText(answer.error));
      return null;
    }
    void refresh(queries, ...outdated);
    return answer.value;
  };
  return { busy, problem, run };
}
