import { fail, type Result } from '@countersign/protocol/result';
import { queryOptions } from '@tanstack/react-query';
import { useAct } from '../api/deed.ts';
import { type Problem, ProblemError } from '../api/problem.ts';
import { askControlPlane, type ControlAnswer, type ControlEndpoint, type ControlInput } from './http.ts';
import { controlKey, endControlSession } from './session.ts';

const noKey: Problem = {
  kind: 'refused',
  code: 'unauthorized',
  msg: 'enter your key first',
  requestId: null,
};

/** Calls an endpoint of the control plane with the key that was shown. */
export async function callControl<E extends ControlEndpoint>(
  endpoint: E,
  input: ControlInput<E>,
  signal?: AbortSignal,
): Promise<Result<ControlAnswer<E>, Problem>> {
  const key = controlKey();
  if (key === undefined) return fail(noKey);
  const answer = await askControlPlane(endpoint, input, { key, signal: signal ?? null });
  if (!answer.ok && answer.error.kind === 'refused' && answer.error.code === 'unauthorized')
    endControlSession();
  return answer;
}

/** Polling interval, in milliseconds. */
const freshMs = 4_000;

/** Returns the options of `useQuery`; polls every few seconds while the page is visible. */
export const askControl = <E extends ControlEndpoint>(endpoint: E, input: ControlInput<E>) =>
  queryOptions<ControlAnswer<E>, ProblemError>({
    queryKey: [endpoint, input],
    refetchInterval: freshMs,
    queryFn: async ({ signal }) => {
      const answer = await callControl(endpoint, input, signal);
      if (!answer.ok) throw new ProblemError(answer.error);
      return answer.value;
    },
  });

/** Something to do at the control plane, for a button. */
export const useControlDeed = <E extends ControlEndpoint>(
  endpoint: E,
  ...outdated: readonly `/v1/${string}`[]
) => useAct((input: ControlInput<E>) => callControl(endpoint, input), ...outdated);
