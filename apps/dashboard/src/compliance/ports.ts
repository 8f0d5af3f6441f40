import type { Address } from '@countersign/protocol/address';
import type { KycStatus, KytDecision, RiskLevel } from '@countersign/protocol/dashboard/compliance';

/** No trustworthy answer. `why` is for the log; it never reads as a clean result. */
export type Unavailable = { readonly kind: 'unavailable'; readonly why: string };

/** Identity of the person behind a wallet. A wallet that nobody knows is `pending`. Never throws for a refusal. */
export type KycProvider = {
  readonly name: string;
  readonly look: (
    wallet: Address,
  ) => Promise<{ readonly kind: 'known'; readonly status: KycStatus } | Unavailable>;
};

export type Screening = {
  readonly kind: 'screened';
  readonly decision: KytDecision;
  readonly riskLevel: RiskLevel;
  /** 0 to 100, lower is safer. */
  readonly riskScore: number;
};

/** Risk of an address. `chain` is a CAIP-2 id. */
export type KytProvider = {
  readonly name: string;
  readonly screen: (address: Address, chain: string) => Promise<Screening | Unavailable>;
  /** What an operator must know to trust its answers. */
  readonly state: () => Promise<{ readonly [fact: string]: unknown }>;
};
