import type { Address } from '@countersign/protocol/address';
import { knownChain } from '@countersign/protocol/dashboard/chains';
import { ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { DashboardHandlers } from '../callers.ts';
import type { Kyc } from './kyc.ts';
import type { Kyt } from './kyt.ts';
import { noAnswer } from './no-answer.ts';

type ScreeningParts = {
  readonly kyc: Kyc;
  readonly kyt: Kyt;
  readonly kyb: { readonly provider: string; readonly state: () => 'up' | 'down' } | null;
  readonly log: Logger;
};

/** Handles screening by the configured providers, and their health. */
export function screeningHandlers({
  kyc,
  kyt,
  kyb,
  log,
}: ScreeningParts): Pick<DashboardHandlers, 'kytCheck' | 'screen' | 'complianceProviders'> {
  const screened = (address: Address, chain: string) =>
    kyt.screen({ address, chain: knownChain(chain) ?? chain });
  return {
    async kytCheck({ body: { walletAddress: address, chain } }) {
      const found = await screened(address, chain);
      if (found.kind === 'unavailable') return noAnswer(log, 'KYT', found);
      const { decision, riskLevel, riskScore } = found;
      return ok({ address, chain, decision, riskLevel, riskScore });
    },

    async screen({ body: { walletAddress: address, chain } }) {
      const found = await screened(address, chain);
      if (found.kind === 'unavailable') return noAnswer(log, 'KYT', found);
      const { decision, riskLevel, riskScore, source } = found;
      const times = { listDate: found.listDate?.toISOString() ?? null, at: found.at.toISOString() };
      return ok({ address, chain, decision, riskLevel, riskScore, source, ...times });
    },

    async complianceProviders() {
      const states = await kyt.states();
      return ok({
        kyc: { provider: kyc.provider, state: kyc.state() },
        kyb: kyb === null ? null : { provider: kyb.provider, state: kyb.state() },
        kyt: states.map((each) => ({ ...each, listDate: each.listDate?.toISOString() ?? null })),
      });
    },
  };
}
