import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiKey, keyLife } from '../keys/life.ts';
import { LastUse } from '../keys/key-table.tsx';
import { keys } from '../keys/queries.ts';
import { KeyState } from '../keys/state.tsx';
import { Brief } from '../ui/brief.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { useNow } from '../ui/time.tsx';

/** The keys that are for this agent alone. */
export function AgentKeys({ agent }: { agent: Agent }) {
  const list = useQuery(keys);
  const isItsOwn = (key: ApiKey) => key.agentWallet === agent.agentWallet;
  return (
    <Loaded query={list} skeleton={<Bone className="m-5 w-1/2" />}>
      {({ data }) => <List keys={data.filter(isItsOwn)} stopped={agent.state === 'revoked'} />}
    </Loaded>
  );
}

function List({ keys: own, stopped }: { keys: readonly ApiKey[]; stopped: boolean }) {
  if (own.length === 0)
    return (
      <p className="px-5 py-4 text-sm text-pretty text-muted">
        {stopped ? (
          'No key was for this agent alone.'
        ) : (
          <>
            No key is for this agent alone: its gateway uses one for every wallet.{' '}
            <Link to="/keys" className="font-medium text-accent-ink underline-offset-4 hover:underline">
              Create one for this agent
            </Link>
            , which cannot affect any other agent’s budget.
          </>
        )}
      </p>
    );
  return (
    <ul className="divide-y divide-line">
      {own.map((key) => (
        <li
          key={key.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm"
        >
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <Brief text={key.name} /> <KeyState apiKey={key} />
          </span>
          <span className="text-muted">
            Last used <LastUse apiKey={key} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Returns the number of keys that end with this agent; null while unknown. */
export function useKeysThatEnd({ agentWallet }: Agent): number | null {
  const { data } = useQuery(keys);
  const now = useNow();
  const lives = (key: ApiKey) => key.agentWallet === agentWallet && keyLife(key, now) !== 'ended';
  return data === undefined ? null : data.data.filter(lives).length;
}
