import type { Result } from '@countersign/protocol/result';
import { queryOptions } from '@tanstack/react-query';
import { useAct } from '../api/deed.ts';
import { type Problem, ProblemError } from '../api/problem.ts';
import {
  askVaultLines,
  askVaultServer,
  type VaultAnswer,
  type VaultEndpoint,
  type VaultInput,
} from './http.ts';
import { accessToken, endVaultSession } from './session.ts';

/** Calls an endpoint of the vault as the user who is signed in there. */
export async function callVault<E extends VaultEndpoint>(
  endpoint: E,
  input: VaultInput<E>,
  signal?: AbortSignal,
): Promise<Result<VaultAnswer<E>, Problem>> {
  const token = await accessToken(Date.now());
  if (!token.ok) return token;
  const about = { token: token.value, ...(signal && { signal }) };
  return unlessEnded(await askVaultServer(endpoint, input, about));
}

/** Reads the lines of an answer that is text, until one is enough. */
export async function readVaultLines<E extends VaultEndpoint>(
  endpoint: E,
  input: VaultInput<E>,
  isEnough: (line: string) => boolean,
): Promise<Result<null, Problem>> {
  const token = await accessToken(Date.now());
  if (!token.ok) return token;
  return unlessEnded(await askVaultLines(endpoint, input, { token: token.value, isEnough }));
}

function unlessEnded<T>(answer: Result<T, Problem>): Result<T, Problem> {
  if (!answer.ok && endsSession(answer.error)) endVaultSession();
  return answer;
}

const endings: readonly unknown[] = ['unauthorized', 'token_expired', 'token_revoked'];

const endsSession = (problem: Problem): boolean =>
  problem.kind === 'refused' && endings.includes(problem.code);

/** Returns the options of `useQuery`. */
export const askVault = <E extends VaultEndpoint>(endpoint: E, input: VaultInput<E>) =>
  queryOptions<VaultAnswer<E>, ProblemError>({
    queryKey: [endpoint, input],
    queryFn: async ({ signal }) => {
      const answer = await callVault(endpoint, input, signal);
      if (!answer.ok) throw new ProblemError(answer.error);
      return answer.value;
    },
  });

/** Something to do at the vault, for a button. */
export const useVaultDeed = <E extends VaultEndpoint>(
  endpoint: E,
  ...outdated: readonly `/api/v1/${string}`[]
) => useAct((input: VaultInput<E>) => callVault(endpoint, input), ...outdated);
