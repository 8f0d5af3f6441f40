import type { Agent } from '@countersign/protocol/dashboard/agents';
import type { Pool } from '@countersign/service/sql';
import { showMandate } from '../mandates/credential.ts';
import { findAgentMandates } from '../mandates/of-agents.ts';
import { type Activity, activityDays, readActivity } from './activity.ts';
import type { AgentRecord } from './store.ts';

type Parts = { readonly pool: Pool; readonly now: () => Date };

/** Agents as their owner sees them, each with its mandate. All are of one account. */
export async function showAgents({ pool, now }: Parts, agents: readonly AgentRecord[]): Promise<Agent[]> {
  const wallets = agents.map(({ wallet }) => wallet);
  const time = now();
  const [mandates, activities] = await Promise.all([
    findAgentMandates(pool, wallets, time),
    readActivity(pool, wallets, time),
  ]);
  return agents.map((agent) => {
    const mandate = mandates.find(
      ({ accountId, agentWallet }) => accountId === agent.accountId && agentWallet === agent.wallet,
    );
    return {
      agentId: agent.id,
      agentWallet: agent.wallet,
      name: agent.name,
      networks: agent.networks,
      state: agent.state,
      signature: agent.signature,
      createdAt: agent.createdAt.toISOString(),
      signedAt: agent.signedAt?.toISOString() ?? null,
      expiresAt: agent.expiresAt?.toISOString() ?? null,
      announcedBy: agent.announcedBy,
      activity: showActivity(activities.get(agent.wallet)),
      stop: showStop(agent),
      mandate: mandate === undefined ? null : showMandate(mandate),
    };
  });
}

export async function showAgent(parts: Parts, agent: AgentRecord): Promise<Agent> {
  const [shown] = await showAgents(parts, [agent]);
  if (shown === undefined) throw new Error('an agent was not shown');
  return shown;
}

const showStop = ({
  revokedAt,
  stoppedMandates,
  stoppedKeys,
  stoppedConnections,
}: AgentRecord): Agent['stop'] =>
  revokedAt === null || stoppedMandates === null || stoppedKeys === null
    ? null
    : {
        at: revokedAt.toISOString(),
        mandates: stoppedMandates,
        keys: stoppedKeys,
        connections: stoppedConnections ?? [],
      };

const showActivity = (of: Activity | undefined): Agent['activity'] => ({
  lastSeenAt: of?.lastSeenAt?.toISOString() ?? null,
  days: activityDays,
  spent: of?.spent ?? '0',
  payments: of?.payments ?? 0,
  refused: of?.refused ?? 0,
});
