import type { Address } from '@countersign/protocol/address';
import type { AssuranceResult } from '@countersign/protocol/gateway/envelope';
import type { Demand } from '../rules/demand.ts';
import type { ComplianceVerdict } from '../rules/verdicts.ts';

/** What a call has come to know so far; the envelope shows it. */
export type Facts = {
  readonly payer: Address;
  readonly demand: Demand;
  readonly compliance: ComplianceVerdict;
  readonly assurance: AssuranceResult;
};
