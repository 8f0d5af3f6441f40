import type { Pool } from '@countersign/service/sql';
import type { KycQueue } from '../screening/ports.ts';
import { standingOf, type Validity } from './standing.ts';

/** KYC by people: owners hand in, operators decide. */
export const reviewQueue = (pool: Pool, validity: Validity, now: () => Date): KycQueue => ({
  kind: 'queue',
  id: 'review-queue',
  lookUp: async (wallet) => {
    const { kycStatus } = await standingOf(pool, wallet, validity, now());
    return { kind: 'known', status: kycStatus, requestId: null };
  },
});
