import type { Pool } from '@countersign/service/sql';
import type { KycProvider, KytProvider } from '../compliance/ports.ts';
import type { KycConfig, KytProviderConfig, ReviewConfig } from '../compliance/provider-config.ts';
import { chainalysis } from './chainalysis.ts';
import { elliptic } from './elliptic.ts';
import { ofacSdn } from './ofac-sdn.ts';
import { persona } from './persona.ts';
import { reviewQueue } from './review-queue.ts';
import { sanctionsOracle } from './sanctions-oracle.ts';
import { sumsub } from './sumsub.ts';
import { trm } from './trm.ts';

/** The adapter of the chosen provider of identities. */
export function kycProvider(
  { kyc: config, review }: { readonly kyc: KycConfig; readonly review: ReviewConfig },
  pool: Pool,
  now: () => Date,
): KycProvider {
  switch (config.provider) {
    case 'review-queue':
      return reviewQueue(pool, { days: review.validDays }, now);
    case 'sumsub':
      return sumsub(config, now);
    case 'persona':
      return persona(config, now);
  }
}

/** The adapter of one of the chosen providers of screening. */
export function kytProvider(config: KytProviderConfig, pool: Pool, now: () => Date): KytProvider {
  switch (config.provider) {
    case 'ofac-sdn':
      return ofacSdn(pool, now);
    case 'sanctions-oracle':
      return sanctionsOracle(config);
    case 'chainalysis':
      return chainalysis(config);
    case 'trm':
      return trm(config);
    case 'elliptic':
      return elliptic(config, now);
  }
}
