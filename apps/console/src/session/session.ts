import type { SessionRoute } from '@countersign/protocol/dashboard/routes';
import { changesNothing, mayCall } from '@countersign/protocol/dashboard/who-may';
import { useSuspenseQuery } from '@tanstack/react-query';
import { ask } from '../api/queries.ts';

const whoAmI = ask('GET /api/auth/me', {});

/** The account that is signed in, and who of its people. Only below the frame, which waits for it. */
export const useSession = () => useSuspenseQuery(whoAmI).data;

/**
 * Returns whether whoever is signed in may call this route. Only for what is shown: the dashboard judges by
 * the same table.
 */
export const useMay = (route: SessionRoute): boolean => mayCall(route, useSession().person);

/** Returns whether whoever is signed in changes nothing: then no page offers it. */
export const useReadsOnly = (): boolean => changesNothing(useSession().person);

/** Returns the start page: the overview for those who may see it, otherwise their first page. */
export function useHome(): '/' | '/transactions' | '/compliance' {
  const { person } = useSession();
  if (mayCall('getOverview', person)) return '/';
  return mayCall('listKycReviews', person) ? '/compliance' : '/transactions';
}
