import { useAgentOf } from '../agents/queries.ts';
import { agentName } from '../agents/state.tsx';
import { Address } from '../ui/address.tsx';
import { Brief } from '../ui/brief.tsx';
import type { ApiKey } from './life.ts';
import { presets } from './reach.ts';

type Props = { readonly wallet: ApiKey['agentWallet']; readonly scopes: ApiKey['scopes'] };

/** Whom a key is for: one agent by name, or all that the account has. */
export function OfAgent({ wallet, scopes }: Props) {
  const agent = useAgentOf(wallet);
  if (wallet === null)
    return scopes?.join() === presets.accountant.scopes.join() ? 'The whole log' : 'Every wallet';
  return agent === null ? <Address value={wallet} /> : <Brief text={agentName(agent)} />;
}
