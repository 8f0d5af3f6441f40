import { useSuspenseQuery } from '@tanstack/react-query';
import { ask } from '../api/queries.ts';

const whoAmI = ask('GET /api/auth/me', {});

/** The account that is signed in. Only below the frame, which waits for it. */
export const useSession = () => useSuspenseQuery(whoAmI).data;
