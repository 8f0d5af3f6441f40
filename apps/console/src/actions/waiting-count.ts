import { useQuery } from '@tanstack/react-query';
import { askControl } from './call.ts';
import { useControlSession } from './session.ts';

const waiting = askControl('GET /v1/executions', { query: { status: 'pending_hitl', limit: 1 } });

/** Returns the number of actions that wait for a person; polls every few seconds while a key is in use. */
export const useWaitingTotal = () => {
  const enabled = useControlSession().state === 'open';
  return useQuery({ ...waiting, enabled, select: ({ total }) => total });
};

/** Returns the number of actions that wait for a person; null while no key is in use. */
export function useActionsWaiting(): number | null {
  const { state } = useControlSession();
  const { data } = useWaitingTotal();
  return state === 'open' ? (data ?? null) : null;
}
