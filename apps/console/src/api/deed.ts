import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from './call.ts';
import type { AnswerOf, Endpoint, InputOf } from './endpoint.ts';
import { problemText } from './problem.ts';
import { refresh } from './queries.ts';

/**
 * Something to do at the API, for a button: whether it is under way, and why it was refused. `run` gives the answer, or
 * null after a refusal, and asks anew for what the deed has made out of date.
 */
export function useDeed<E extends Endpoint>(endpoint: E, ...outdated: readonly `/api/${string}`[]) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (input: InputOf<E>): Promise<AnswerOf<E> | null> => {
    setBusy(true);
    setProblem(null);
    const answer = await call(endpoint, input);
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
