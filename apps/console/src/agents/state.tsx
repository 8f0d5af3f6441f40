import type { Agent, AgentState as State } from '@countersign/protocol/dashboard/agents';
import { Badge, type BadgeTone } from '../ui/badge.tsx';

/** The label of each state. */
const stateNames: Readonly<Record<State, string>> = {
  announced: 'Needs signature',
  active: 'Active',
  expired: 'Expired',
  revoked: 'Stopped',
};

const tones: Readonly<Record<State, BadgeTone>> = {
  announced: 'warn',
  active: 'ok',
  expired: 'plain',
  revoked: 'plain',
};

/** Sent away before it was ever signed for. */
export const isRefused = ({ state, signedAt }: Agent): boolean => state === 'revoked' && signedAt === null;

/** The state in one word. An agent without a mandate is active, but can pay nothing. */
export function AgentState({ agent }: { agent: Agent }) {
  const { state } = agent;
  if (isRefused(agent)) return <Badge>Refused</Badge>;
  return <Badge tone={tones[state]}>{stateNames[state]}</Badge>;
}

/** Returns the agent's name, which is empty until its owner has signed. */
export const agentName = ({ name }: Pick<Agent, 'name'>): string => (name === '' ? 'Unnamed agent' : name);

/** The mandate that it pays from now; null when there is none. */
export const livingMandate = ({ state, mandate }: Agent): Agent['mandate'] =>
  state === 'active' && mandate?.status === 'active' ? mandate : null;
