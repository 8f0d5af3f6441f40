import type { Address } from '@countersign/protocol/address';
import type { complianceRoutes } from '@countersign/protocol/dashboard/compliance-routes';
import type { correctionRoutes } from '@countersign/protocol/dashboard/correction-routes';
import type { DashboardHandlers } from '../callers.ts';
import { correctionHandlers } from './correction-routes.ts';
import { denyListHandlers } from './deny-list-routes.ts';
import { identityHandlers } from './identity-routes.ts';
import type { Identity, Unavailable } from '../screening/ports.ts';
import type { Kyt } from './kyt.ts';
import type { Operators, ReviewConfig } from './operators.ts';
import { type DecisionParts, reviewHandlers } from './review-routes.ts';
import { screeningHandlers } from './screening-routes.ts';
import { webhookHandlers } from './webhook-routes.ts';

type Parts = Omit<DecisionParts, 'fourEyes' | 'validity'> & {
  readonly kyt: Kyt;
  readonly kyb: { readonly provider: string; readonly state: () => 'up' | 'down' } | null;
  readonly operators: Operators;
  readonly review: ReviewConfig;
  readonly lookUpParty: (address: Address) => Promise<Identity | Unavailable>;
};

/** KYC, KYT and what operators decide about both. */
export function complianceHandlers(
  parts: Parts,
): Pick<DashboardHandlers, keyof typeof complianceRoutes | keyof typeof correctionRoutes> {
  const { operators, review } = parts;
  const validity = { days: review.validDays };
  const decisions = { ...parts, validity, fourEyes: { required: review.fourEyes, operators } };
  return {
    ...identityHandlers({ ...decisions, lookUpParty: parts.lookUpParty }),
    ...screeningHandlers(parts),
    ...reviewHandlers(decisions),
    ...webhookHandlers(parts),
    ...denyListHandlers(decisions),
    ...correctionHandlers(decisions),
  };
}
