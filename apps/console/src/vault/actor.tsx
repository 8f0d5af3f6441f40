import { legible } from '../ui/legible.ts';
import { shortAddress } from '../ui/address.tsx';

/** Who acted, from `actor` as audit records have it, in words. */
export function actorSays(actor: string): string {
  const [, user, token] = /^user:(.*?)(?: token:(\S+))?$/s.exec(actor) ?? [];
  if (user !== undefined)
    return token === undefined
      ? `${legible(user)} (person)`
      : `Token ${shortAddress(token)} of ${legible(user)}`;
  const [, role, name] = /^key:([^:]*):(.*)$/s.exec(actor) ?? [];
  if (name !== undefined) return `Key ${legible(name)} (${legible(role ?? '')})`;
  return others[actor] ?? legible(actor);
}

const others: Readonly<Record<string, string>> = {
  browser: 'The page itself',
  enclave: 'The enclave itself',
  'control-plane': 'The control plane',
};

/** The token in `user:NAME token:ID`, as the filters take it; else the whole. */
export const actorFilter = (actor: string): string => / (token:\S+)$/.exec(actor)?.[1] ?? actor;

type Props = { readonly actor: string; readonly agent: string | null | undefined };

/** Who acted: person, token or part of the system, and below it the agent that it acted for. */
export const Actor = ({ actor, agent }: Props) => (
  <>
    <span title={actor} className="[overflow-wrap:anywhere]">
      {actorSays(actor)}
    </span>
    {agent !== null && agent !== undefined && (
      <span className="block font-mono text-xs text-muted [overflow-wrap:anywhere]">{legible(agent)}</span>
    )}
  </>
);
