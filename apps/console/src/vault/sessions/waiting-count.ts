import { useQuery } from '@tanstack/react-query';
import { askVault } from '../call.ts';
import { useVaultSession } from '../session.ts';

const active = askVault('GET /api/v1/sandbox/sessions', { query: { status: 'active', limit: 100 } });
const askAgainMs = 10_000;

/** How many operations of browser sessions wait for a person; null while nobody is signed in to the vault. */
export function useOperationsWaiting(): number | null {
  const enabled = useVaultSession().state === 'open';
  const list = useQuery({
    ...active,
    enabled,
    // Who may not see them is not asked again.
    refetchInterval: ({ state }) => state.error === null && askAgainMs,
  });
  const waiting = list.data?.items.reduce((sum, { pending_approvals: { length } }) => sum + length, 0);
  return enabled ? (waiting ?? null) : null;
}
