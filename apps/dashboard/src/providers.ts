import type { Pool } from '@countersign/service/sql';
import type { KybVendor, KycProvider, KytProvider } from './screening/ports.ts';
import type { ReviewConfig } from './compliance/operators.ts';
import type { KybConfig, KycConfig, KytProviderConfig } from './provider-config.ts';
import { chainalysis } from './adapters/chainalysis.ts';
import { elliptic } from './adapters/elliptic.ts';
import { ofacSdn } from './compliance/ofac-sdn.ts';
import { persona } from './adapters/persona.ts';
import { personaBusiness } from './adapters/persona-business.ts';
import { reviewQueue } from './compliance/review-queue.ts';
import { sanctionsOracle } from './adapters/sanctions-oracle.ts';
import { sumsub } from './adapters/sumsub.ts';
import { sumsubCompany } from './adapters/sumsub-company.ts';
import { trm } from './adapters/trm.ts';

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

/** The adapter of the chosen provider of checks of businesses. */
export function kybVendor(config: NonNullable<KybConfig>, now: () => Date): KybVendor {
  switch (config.provider) {
    case 'sumsub':
      return sumsubCompany(config, now);
    case 'persona':
      return personaBusiness(config, now);
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
