import type { Address } from '@countersign/protocol/address';
import type { MandateNotFoundReason } from '@countersign/protocol/dashboard/mandate';
import { ok, type Result } from '@countersign/protocol/result';
import { inSpan } from '@countersign/service/trace';
import type { GatewayPorts } from '../../ports/gateway-ports.ts';
import type { ToolCall } from '../../ports/tool-call.ts';
import type { Facts } from '../facts.ts';
import { approvesPayment, type StoredApproval } from '../../rules/approval.ts';
import { type Decision, decidePayment } from '../../rules/decide.ts';
import { type Demand, type DemandRefusal, readDemand, withinMaximum } from '../../rules/demand.ts';
import type { AssuranceRule, AssuranceVerdict } from '../../rules/verdicts.ts';
import { checkAssurance } from './assurance.ts';
import { checkCompliance } from './compliance.ts';
import type { Signers } from './offer.ts';

/** What judging a price looks at beside the price: a receipt is verified by judging again with recorded answers. */
export type JudgingPorts = Pick<GatewayPorts, 'compliance' | 'mandates' | 'policy' | 'owner' | 'chain'> & {
  readonly wallet: { readonly address: Address };
};

export type JudgedCall = Pick<ToolCall, 'serviceId' | 'toolName' | 'span' | 'onProgress' | 'maxAmount'>;

/** A price we may pay, what the checks said of it, and what is to be done. */
export type Judged = Facts & {
  readonly decision: Decision;
  /** The rule at which the assurance check ended. */
  readonly assuranceRule: AssuranceRule;
  /** Why there is no mandate to pay from, where that is why the payment is refused; for the record alone. */
  readonly mandateReason?: MandateNotFoundReason | undefined;
  /** What the owner approved; null when the call brought no approval. */
  readonly approval: StoredApproval | null;
  /** Whether that is this payment. */
  readonly approved: boolean;
  /** Unix ms: the one reading of the clock that the decision rests on. */
  readonly at: number;
};

/** From a price to a decision. The requirement is judged before anything is looked up. */
export async function judge(
  ports: JudgingPorts,
  call: JudgedCall,
  received: unknown,
  approval: StoredApproval | null,
  at: number,
): Promise<Result<Judged, DemandRefusal>> {
  const payer = ports.wallet.address;
  const { owner } = ports;
  const read = readDemand(received, { payer, owner: owner?.address ?? null }, ports.policy);
  if (!read.ok) return read;
  const affordable = withinMaximum(read.value, call.maxAmount);
  if (!affordable.ok) return affordable;
  const demand = affordable.value;
  // A price that changed meanwhile is another payment: the owner has not approved that one.
  const approved = approval !== null && approvesPayment(approval, payer, demand);

  call.onProgress('checking both parties and the mandate');
  const now = () => at;
  const unmandated = unmandatedRule(ports, call, demand, at);
  // Started together: the agent waits for the slower check, not for their sum.
  const [compliance, assurance] = await Promise.all([
    inSpan(
      call.span.child('check compliance', 'internal'),
      (span) =>
        checkCompliance(
          ports.compliance,
          { ...call, span },
          { payer, owner: owner?.address ?? null, payee: demand.payTo },
          now,
        ),
      ({ refusal }) => ({ attributes: { 'countersign.code': refusal ?? 'APPROVED' } }),
    ),
    inSpan(
      call.span.child('check assurance', 'internal'),
      (span) =>
        checkAssurance(
          ports.mandates,
          { span },
          { payer, owner, demand, policy: unmandated.policy, signers: signersFor(ports, call, demand) },
          now,
        ),
      ({ kind, rule }) => ({ attributes: { 'countersign.outcome': kind, 'countersign.rule': rule } }),
    ),
  ]);
  const decision = decidePayment(compliance, assurance, unmandated, approved);
  const { result, rule } = assurance;
  return ok({
    payer,
    demand,
    compliance,
    assurance: result,
    assuranceRule: rule,
    ...mandateReasonOf(decision, assurance),
    decision,
    approval,
    approved,
    at,
  });
}

/** Who may sign for this service. A contract is asked on the chain that the payment is on. */
export const signersFor = (
  { policy, chain }: Pick<JudgingPorts, 'policy' | 'chain'>,
  { serviceId }: Pick<JudgedCall, 'serviceId'>,
  { chainId }: Demand,
): Signers => ({
  admitted: policy.offerSigners?.get(serviceId) ?? [],
  contractSigned: chain?.signedByContract(chainId) ?? null,
});

/** Nothing where another check refuses: its code is not the mandate's. */
const mandateReasonOf = (decision: Decision, assurance: AssuranceVerdict): Pick<Judged, 'mandateReason'> =>
  decision.kind === 'refuse' && assurance.kind === 'refused' && decision.code === assurance.code
    ? { mandateReason: assurance.reason }
    : {};

/** What holds for a service that sends neither cart mandate nor signed offer. */
const unmandatedRule = (
  { policy }: JudgingPorts,
  { serviceId }: JudgedCall,
  { amount }: Demand,
  at: number,
) => ({
  policy: policy.missingCart.byService.get(serviceId) ?? policy.missingCart.otherwise,
  amount,
  cap: policy.maxUnmandatedAmount,
  daily: policy.maxUnmandatedDaily,
  at,
});
