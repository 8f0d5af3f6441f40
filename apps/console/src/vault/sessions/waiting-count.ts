import { useQuery } from '@tanstack/react-query';
import { askAgainIn } from '../../api/polling.ts';
import { askVault } from '../call.ts';
import { useVaultSession } from '../session.ts';
import { askAgainMs } from './polling.ts';

const active = askVault('GET /api/v1/sandbox/sessions', { query: { status: 'active', limit: 100 } });

/** Returns the number of operations that wait for a person; null while nobody is signed in to the vault. */
export function useOperationsWaiting(): number | null {
  const enabled = useVaultSession().state === 'open';
  const list = useQuery({
    ...active,
    enabled,
    // It stands on every page, so it is asked half as often as the list.
    refetchInterval: ({ state }) => askAgainIn(2 * askAgainMs, state),
  });
  const waiting = list.data?.items.reduce((sum, { pending_approvals: { length } }) => sum + length, 0);
  return enabled ? (waiting ?? null) : null;
}
