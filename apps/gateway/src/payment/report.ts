import { formatAmount } from '@countersign/protocol/amount';
import { riskLevelNumber } from '@countersign/protocol/dashboard/compliance';
import type { ServiceResult, TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { type GatewayCode, stageOf } from '@countersign/protocol/gateway/codes';
import type { ComplianceDecision } from '@countersign/protocol/gateway/envelope';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Facts } from './facts.ts';

type Ending = {
  readonly result: ServiceResult;
  readonly code: GatewayCode;
  readonly chain: string;
  readonly transaction?: string;
  /** What was taken, where that may be less than the price; decimal text. */
  readonly amount?: string;
  /** What the code leaves open, as a word of the protocol's. */
  readonly reason?: string | undefined;
  /** The same as one clause of ours. */
  readonly why?: string | undefined;
  /** The owner's approval that was asked for or used: all records that name it are of one payment. */
  readonly approvalId?: string | undefined;
  readonly nonce?: string;
  readonly mandateId?: string | null;
  /** Names the hold that this report turns into usage. */
  readonly holdId?: string | null;
  /** Where the call went, of a payee that nobody knows. */
  readonly serviceHost?: string;
  /** What came of the receipt that the service signed, where it signs any. */
  readonly merchantReceipt?: 'missing' | 'wrong' | 'verified';
  /** Names the receipt of the decision by its hash. */
  readonly receiptHash?: string;
};

/** The record of a priced call for the transaction log (spec: gateway.report). */
export function transactionReport(call: ToolCall, facts: Facts, ending: Ending): TransactionReport {
  const { demand, payer, compliance } = facts;
  return {
    serviceName: call.serviceId,
    serviceResult: ending.result,
    chain: ending.chain,
    ...(ending.transaction !== undefined && { txHash: ending.transaction }),
    amount: amountOf(ending, demand),
    tokenSymbol: demand.token.symbol,
    payer,
    payee: demand.payTo,
    ...(ending.mandateId != null && { intentMandateId: ending.mandateId }),
    ...screened('payer', compliance.payer),
    ...screened('payee', compliance.payee),
    metadata: {
      traceId: call.traceId,
      toolName: call.toolName,
      code: ending.code,
      stage: stageOf[ending.code],
      ...(ending.reason !== undefined && { reason: ending.reason }),
      ...(ending.why !== undefined && { why: ending.why }),
      ...(ending.approvalId !== undefined && { approvalId: ending.approvalId }),
      ...(call.agent !== null && { agent: call.agent }),
      ...methodOf(demand),
      ...(ending.nonce !== undefined && { nonce: ending.nonce }),
      ...(ending.holdId != null && { holdId: ending.holdId }),
      ...(ending.serviceHost !== undefined && { serviceHost: ending.serviceHost }),
      ...(ending.merchantReceipt !== undefined && { merchantReceipt: ending.merchantReceipt }),
      ...(ending.receiptHash !== undefined && { receiptHash: ending.receiptHash }),
    },
  };
}

/** By it the dashboard knows that the nonce is one of Permit2. */
const methodOf = ({ by }: Facts['demand']): { readonly method?: string } =>
  by.kind === 'eip3009' ? {} : { method: by.kind };

const amountOf = ({ amount }: Ending, demand: Facts['demand']): string =>
  amount ?? formatAmount(demand.amount);

function screened(side: 'payer' | 'payee', decision: ComplianceDecision): Partial<TransactionReport> {
  return {
    [`${side}KycResult`]: decision.kycStatus === 'approved' ? 1 : 0,
    [`${side}KytResult`]: decision.kytDecision === 'pass' ? 1 : 0,
    ...(decision.kytRiskLevel !== 'unknown' && {
      [`${side}KytRiskLevel`]: riskLevelNumber(decision.kytRiskLevel),
    }),
  };
}
