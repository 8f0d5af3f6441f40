import { knownChain, type KycStatus } from '@countersign/protocol/dashboard/compliance';
import { ok } from '@countersign/protocol/result';
import { refusal } from '@countersign/service/http';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import type { Address } from '@countersign/protocol/address';
import { findAccount } from '../accounts/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Kyc } from './kyc.ts';
import { findNewestReview } from './kyc-store.ts';
import { type Kyt, whyOf } from './kyt.ts';
import type { Identity, Unavailable } from './ports.ts';
import { showReview } from './review-routes.ts';

type LookupParts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  readonly kyt: Kyt;
  readonly log: Logger;
};

/** Questions to the providers. One without a trustworthy answer is an error, never a pass. */
export function lookupHandlers({
  pool,
  kyc,
  kyt,
  log,
}: LookupParts): Pick<
  DashboardHandlers,
  'kycCheck' | 'kycStatus' | 'kytCheck' | 'screen' | 'complianceProviders'
> {
  const unavailable = (about: 'KYC' | 'KYT', answer: Unavailable) => {
    log.error({ about, why: whyOf(answer) }, 'no answer from a compliance provider');
    return refusal('SYSTEM_ERROR', 'the compliance provider is unavailable');
  };
  const screened = (address: Address, chain: string) =>
    kyt.screen({ address, chain: knownChain(chain) ?? chain });

  return {
    async kycCheck({ body: { walletAddress } }) {
      const account = await findAccount(pool, walletAddress);
      const found =
        account === null ? unknownPerson : await kyc.look({ accountId: account.id, wallet: walletAddress });
      if (found.kind === 'unavailable') return unavailable('KYC', found);
      return ok({ walletAddress, kycCompleted: found.status === 'approved', kycStatus: found.status });
    },

    async kycStatus({ caller: { account } }) {
      const found = await kyc.look({ accountId: account.id, wallet: account.walletAddress });
      if (found.kind === 'unavailable') return unavailable('KYC', found);
      const review = await findNewestReview(pool, account.id);
      const submitted = review !== null || found.requestId !== null;
      return ok({ kycStatus: found.status, submitted, review: review === null ? null : showReview(review) });
    },

    async kytCheck({ body: { walletAddress: address, chain } }) {
      const found = await screened(address, chain);
      if (found.kind === 'unavailable') return unavailable('KYT', found);
      const { decision, riskLevel, riskScore } = found;
      return ok({ address, chain, decision, riskLevel, riskScore });
    },

    async screen({ body: { walletAddress: address, chain } }) {
      const found = await screened(address, chain);
      if (found.kind === 'unavailable') return unavailable('KYT', found);
      const { decision, riskLevel, riskScore, source } = found;
      const times = { listDate: found.listDate?.toISOString() ?? null, at: found.at.toISOString() };
      return ok({ address, chain, decision, riskLevel, riskScore, source, ...times });
    },

    async complianceProviders() {
      const states = await kyt.states();
      return ok({
        kyc: { provider: kyc.provider, state: kyc.state() },
        kyt: states.map((each) => ({ ...each, listDate: each.listDate?.toISOString() ?? null })),
      });
    },
  };
}

/** Nobody who has logged in owns this wallet: no provider can know it by an account. */
const unknownPerson: Identity = { kind: 'known', status: 'pending' satisfies KycStatus, requestId: null };
