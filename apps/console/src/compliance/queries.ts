import { ask } from '../api/queries.ts';

/**
 * Queries the providers' health. No event reports changes, so it is polled once a minute while the page is
 * visible.
 */
export const providerStates = {
  ...ask('GET /api/compliance/providers', {}),
  refetchInterval: 60_000,
};

/** Queries one's own identity. */
export const ownStatus = ask('GET /api/kyc/status', {});
