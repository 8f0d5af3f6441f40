import { formatAmount } from '@countersign/protocol/amount';
import { type GatewayCode, stageOf } from '@countersign/protocol/gateway/codes';
import type {
  AssuranceResult,
  EnvelopeDetail,
  GatewayEnvelope,
} from '@countersign/protocol/gateway/envelope';
import type { Address } from '@countersign/protocol/address';
import { assuranceMessages } from './checks/assurance.ts';
import type { ComplianceVerdict } from './checks/compliance.ts';
import type { PaymentEntry } from './ports.ts';
import type { Demand } from './rules/demand.ts';

/** What a call has come to know so far; the envelope shows it. */
export type Facts = {
  readonly payer: Address;
  readonly demand: Demand;
  readonly compliance: ComplianceVerdict;
  readonly assurance: AssuranceResult;
};

type About = { readonly serviceId: string; readonly toolName: string; readonly traceId: string };

/** The one way to an envelope: every field present, stage by code, and no text but ours in `message`. */
export function envelope(
  about: About,
  now: number,
  code: GatewayCode,
  message: string,
  detail: Partial<EnvelopeDetail> = {},
): GatewayEnvelope {
  return {
    ok: code === 'SUCCESS',
    stage: stageOf[code],
    code,
    message,
    traceId: about.traceId,
    timestamp: new Date(now).toISOString(),
    detail: {
      serviceId: about.serviceId,
      toolName: about.toolName,
      paymentMade: false,
      paymentResponse: null,
      complianceDecision: null,
      assuranceResult: null,
      payeeComplianceDecision: null,
      paymentContext: null,
      downstreamContent: null,
      ...detail,
    },
  };
}

export function detailOf(facts: Facts, more: object = {}): Partial<EnvelopeDetail> {
  return {
    complianceDecision: facts.compliance.payer,
    payeeComplianceDecision: facts.compliance.payee,
    assuranceResult: facts.assurance,
    paymentContext: { ...paymentContext(facts.demand, facts.payer), ...more },
  };
}

function paymentContext(demand: Demand, payer: Address): Record<string, unknown> {
  return {
    x402Version: demand.x402Version,
    scheme: 'exact',
    network: demand.network,
    asset: demand.token.address,
    amount: demand.units.toString(),
    payTo: demand.payTo,
    maxTimeoutSeconds: demand.maxTimeoutSeconds,
    ...(demand.resource !== undefined && { resource: demand.resource }),
    amountDecimal: formatAmount(demand.amount),
    currency: demand.token.symbol,
    payer,
    cartMandate: demand.cart.kind === 'cart' ? demand.cart.cart : null,
  };
}

/** What an envelope tells of the signed payment. `validBefore` is Unix seconds. */
export const signedContext = ({ nonce, validBefore }: PaymentEntry) => ({ nonce, validBefore });

export const price = (demand: Demand): string => `${formatAmount(demand.amount)} ${demand.token.symbol}`;

/** Fixed text for each code: it says what went wrong and what to do. Prices and reasons are added by the caller. */
export const messages = {
  ...assuranceMessages,
  SUCCESS: 'The tool answered.',
  PAID_FOR_NOTHING:
    'The tool gave nothing for it: detail.paymentResponse and the receipt are your evidence in a dispute.',
  SERVICE_NOT_FOUND: 'No such service. list_gateway_services names them all.',
  TOOL_NOT_FOUND: 'This service has no such tool. list_gateway_services names them all.',
  INVALID_ARGUMENTS:
    'The call was not sent: its arguments are not what the tool takes. list_gateway_services has its inputSchema.',
  DOWNSTREAM_UNAVAILABLE: 'The service cannot be reached right now. Nothing was paid; try again later.',
  DOWNSTREAM_TIMEOUT: 'The service did not answer in time. Nothing was paid.',
  DOWNSTREAM_TOOL_ERROR: 'The tool failed. detail.downstreamContent has what it answered.',
  TOOL_DEFINITION_CHANGED:
    'The tool is not the one that was accepted; nothing was sent. The owner can accept it: countersign gateway accept SERVICE TOOL.',
  IDEMPOTENCY_CONFLICT: 'This idempotencyKey was used for another call. Take a new key.',
  PRICE_UNKNOWN: 'The price of this tool is not known without calling it.',
  COMPLIANCE_NOT_CONFIGURED:
    'Payment refused: COMPLIANCE_BASE_URL or COMPLIANCE_API_KEY is not set, so nobody can be screened.',
  COMPLIANCE_API_ERROR: 'Payment refused: a screening look-up gave no trustworthy answer. Try again later.',
  PAYER_KYC_NOT_APPROVED: 'Payment refused: KYC of the payer is not approved.',
  PAYER_KYT_REJECTED: "Payment refused: KYT rejects the payer's wallet.",
  PAYEE_KYC_NOT_APPROVED: 'Payment refused: KYC of the payee is not approved.',
  PAYEE_KYT_REJECTED: "Payment refused: KYT rejects the payee's wallet.",
  WALLET_APPROVAL_REQUIRED:
    'The owner has to approve this payment: sign detail.paymentContext.approval.typedData with the wallet, then call again with paymentPayload {approvalId, signature}.',
  PAYMENT_UNSUPPORTED: 'Nothing was paid: this is not a payment we make.',
  PAYMENT_REQUIREMENT_INVALID: 'Nothing was paid: the service asks for money in a form that makes no sense.',
  PAYMENT_PAYLOAD_INVALID: 'Nothing was paid: paymentPayload is not a valid approval of this very call.',
  APPROVAL_EXPIRED: 'Nothing was paid: the approval has expired. Call without paymentPayload for a new one.',
  APPROVAL_ALREADY_USED:
    'Nothing was paid: the approval was used before. Call without paymentPayload for a new one.',
  PAYMENT_REJECTED:
    'The service refused the signed payment, and no money has moved. It can still be taken until detail.paymentContext.validBefore; with an idempotencyKey, calling again is safe.',
  SETTLEMENT_FAILED:
    'The service says that the settlement failed; no result was given. It can still happen until detail.paymentContext.validBefore; with an idempotencyKey, calling again is safe.',
  PAYMENT_OUTCOME_UNKNOWN:
    'The payment was sent and no trustworthy answer came: money may have moved. Do not pay again before detail.paymentContext.validBefore; with an idempotencyKey, calling again is safe.',
} satisfies Record<GatewayCode | keyof typeof assuranceMessages | 'PAID_FOR_NOTHING', string>;
