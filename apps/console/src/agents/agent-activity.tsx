import type { Agent } from '@countersign/protocol/dashboard/agents';
import { Fact, Facts } from '../ui/facts.tsx';
import { Money } from '../ui/money.tsx';
import { Time } from '../ui/time.tsx';

/** When the agent was last seen; never, for one that has neither asked with a key of its own nor reported. */
export function LastSeen({ agent: { activity } }: { agent: Agent }) {
  return activity.lastSeenAt === null ? (
    <span className="text-muted">never</span>
  ) : (
    <Time at={activity.lastSeenAt} as="relative" />
  );
}

/** Shows the agent's recent activity. */
export function AgentActivity({ agent }: { agent: Agent }) {
  const { spent, payments, refused } = agent.activity;
  return (
    <Facts>
      <Fact name="Last seen">
        <LastSeen agent={agent} />
      </Fact>
      <Fact name="Spent">
        <Money amount={spent} />
      </Fact>
      <Fact name="Payments">{payments}</Fact>
      <Fact name="Refused">{refused}</Fact>
    </Facts>
  );
}
