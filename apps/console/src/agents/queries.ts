import type { Agent } from '@countersign/protocol/dashboard/agents';
import { ok, type Result } from '@countersign/protocol/result';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { type Problem, ProblemError } from '../api/problem.ts';
import { askAgainIn } from '../api/polling.ts';
import { ask } from '../api/queries.ts';
import { useMay } from '../session/session.ts';

/** A gateway that announces itself is told by no event, nor is an agent that is stopped elsewhere. */
const often = {
  refetchInterval: ({ state }: { readonly state: Parameters<typeof askAgainIn>[1] }) =>
    askAgainIn(5_000, state),
};

/** Queries one page of all agents, newest first. */
export const agentsOnPage = (page: number, limit: number) => ({
  ...ask('POST /api/agents/list', { body: { page, limit } }),
  ...often,
});

/** The gateways that wait for the owner's signature: all of them, because no account has more than a hundred agents. */
export const announcedAgents = {
  ...ask('POST /api/agents/list', { body: { state: 'announced', limit: 100 } }),
  ...often,
};

/** Agents that may pay once they have a mandate. */
export const activeAgents = ask('POST /api/agents/list', { body: { state: 'active', limit: 100 } });

const newestAgents = ask('POST /api/agents/list', { body: { limit: 100 } });

/**
 * One agent by its id, as it is at this moment; null when the account has none of that id. The API lists only, so the
 * list is walked.
 */
export async function findAgent(
  agentId: string,
  signal?: AbortSignal,
): Promise<Result<Agent | null, Problem>> {
  for (let page = 1; ; page++) {
    const answer = await call('POST /api/agents/list', { body: { page, limit: 100 } }, signal);
    if (!answer.ok) return answer;
    const found = answer.value.data.find((each) => each.agentId === agentId);
    if (found !== undefined) return ok(found);
    if (page * 100 >= answer.value.total) return ok(null);
  }
}

/** The same for a page. */
export const agentById = (agentId: string) =>
  queryOptions<Agent | null, ProblemError>({
    queryKey: ['POST /api/agents/list', { agentId }],
    queryFn: async ({ signal }) => {
      const answer = await findAgent(agentId, signal);
      if (!answer.ok) throw new ProblemError(answer.error);
      return answer.value;
    },
    ...often,
  });

/** The agent of a wallet among the hundred newest, for its name; null where there is none. */
export const useAgentOf = (wallet: string | null | undefined): Agent | null =>
  useQuery({ ...newestAgents, enabled: useMay('listAgents') }).data?.data.find(
    ({ agentWallet }) => agentWallet === wallet,
  ) ?? null;

/** Returns the number of gateways that wait for the owner's signature. */
export const useAgentsWaiting = (): number | null =>
  useQuery({ ...announcedAgents, enabled: useMay('listAgents') }).data?.total ?? null;
