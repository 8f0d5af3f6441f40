import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { activeAgents, useAgentOf } from '../agents/queries.ts';
import { agentName } from '../agents/state.tsx';
import { useSession } from '../session/session.ts';
import { Address, shortAddress } from '../ui/address.tsx';
import { beginningOf } from '../ui/brief.tsx';
import { Select } from '../ui/select.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { ownWallet } from './draft.ts';

type Props = {
  readonly value: string;
  /** The initial choice. It is always offered, whatever agents are listed. */
  readonly preset: string;
  readonly onChoose: (wallet: string) => void;
};

/** Whom a new mandate is for: the owner's own wallet or one of the agents. Nothing to choose without any. */
export function PayerSelect({ value, preset, onChoose }: Props) {
  const agents = useQuery(activeAgents).data?.data ?? [];
  const isListed = preset === ownWallet || agents.some(({ agentWallet }) => agentWallet === preset);
  if (agents.length === 0 && isListed) return null;
  return (
    <Select
      label="For"
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      options={[
        [ownWallet, 'Your own wallet'],
        ...(isListed ? [] : [[preset, shortAddress(preset)] as const]),
        ...agents.map(
          (agent) =>
            [
              agent.agentWallet,
              `${beginningOf(agentName(agent))} (${shortAddress(agent.agentWallet)})`,
            ] as const,
        ),
      ]}
    />
  );
}

/** Whom a mandate is for, in a list. */
export function BriefPayer({ mandate: { agentWallet } }: { mandate: Mandate }) {
  const agent = useAgentOf(agentWallet);
  if (agentWallet == null) return <span className="whitespace-nowrap text-muted">Your own wallet</span>;
  return agent === null ? (
    <span className="font-mono text-[0.92em]">{shortAddress(agentWallet)}</span>
  ) : (
    <Verbatim text={beginningOf(agentName(agent))} />
  );
}

/** Whom a mandate is for: the agent by its name and wallet, or the owner's own wallet. */
export function Payer({ mandate: { agentWallet } }: { mandate: Mandate }) {
  const { account } = useSession();
  const agent = useAgentOf(agentWallet);
  if (agentWallet == null) {
    return (
      <>
        Your own wallet <Address value={account.walletAddress} name="paying wallet" />
      </>
    );
  }
  return (
    <>
      {agent !== null && (
        <Link
          to="/agents/$agentId"
          params={{ agentId: agent.agentId }}
          className="font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          <Verbatim text={agentName(agent)} />
        </Link>
      )}{' '}
      <Address value={agentWallet} name="paying wallet" />
    </>
  );
}
