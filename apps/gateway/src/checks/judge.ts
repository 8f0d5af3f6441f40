import type { Address } from '@countersign/protocol/address';
import { ok, type Result } from '@countersign/protocol/result';
import { inSpan } from '@countersign/service/trace';
import type { GatewayPorts, ToolCall } from '../ports.ts';
import type { Facts } from '../reply.ts';
import { approvesPayment, type StoredApproval } from '../rules/approval.ts';
import { type Decision, decidePayment } from '../rules/decide.ts';
import { type Demand, type DemandRefusal, readDemand, withinMaximum } from '../rules/demand.ts';
import { type AssuranceRule, checkAssurance } from './assurance.ts';
import { checkCompliance } from './compliance.ts';

/** What judging a price looks at beside the price: a receipt is verified by judging again with recorded answers. */
export type JudgingPorts = Pick<GatewayPorts, 'compliance' | 'mandates' | 'policy'> & {
  readonly wallet: { readonly address: Address };
};

export type JudgedCall = Pick<ToolCall, 'serviceId' | 'toolName' | 'span' | 'onProgress' | 'maxAmount'>;

/** A price we may pay, what the checks said of it, and what is to be done. */
export type Judged = Facts & {
  readonly decision: Decision;
  /** The rule at which the assurance check ended. */
  readonly assuranceRule: AssuranceRule;
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
  const read = readDemand(received, payer, ports.policy);
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
      (span) => checkCompliance(ports.compliance, { ...call, span }, { payer, payee: demand.payTo }, now),
      ({ refusal }) => ({ attributes: { 'countersign.code': refusal ?? 'APPROVED' } }),
    ),
    inSpan(
      call.span.child('check assurance', 'internal'),
      (span) => checkAssurance(ports.mandates, { span }, { payer, demand, policy: unmandated.policy }, now),
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
    decision,
    approval,
    approved,
    at,
  });
}

/** What holds for a service that sends no cart mandate. */
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
