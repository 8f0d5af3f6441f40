import type { Pool } from '@countersign/service/sql';
import { kycStatusOf } from '../compliance/kyc-store.ts';
import type { KycQueue } from '../compliance/ports.ts';

/** KYC by people: owners hand in, operators decide. */
export const reviewQueue = (pool: Pool): KycQueue => ({
  kind: 'queue',
  id: 'review-queue',
  lookUp: async (wallet) => {
    const status = (await kycStatusOf(pool, wallet)) ?? 'pending';
    return { kind: 'known', status, requestId: null };
  },
});
