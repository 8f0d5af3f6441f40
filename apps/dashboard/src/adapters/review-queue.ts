import type { Pool } from '@countersign/service/sql';
import { kycStatusOf } from '../compliance/kyc-store.ts';
import type { KycProvider } from '../compliance/ports.ts';

/** KYC by people: owners hand in, operators decide. */
export const reviewQueue = (pool: Pool): KycProvider => ({
  name: 'review-queue',
  look: async (wallet) => ({ kind: 'known', status: (await kycStatusOf(pool, wallet)) ?? 'pending' }),
});
