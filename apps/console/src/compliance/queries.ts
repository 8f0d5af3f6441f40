import { ask } from '../api/queries.ts';

/** How the providers fare. No event tells of a change, so it is asked for once a minute while somebody looks. */
export const providerStates = {
  ...ask('GET /api/compliance/providers', {}),
  refetchInterval: 60_000,
};

/** One's own identity. */
export const ownStatus = ask('GET /api/kyc/status', {});
