import { formatAmount } from '@countersign/protocol/amount';
import { type GatewayCode, stageOf } from '@countersign/protocol/gateway/codes';
import type { EnvelopeDetail, GatewayEnvelope, ServiceFailure } from '@countersign/protocol/gateway/envelope';
import type { Address } from '@countersign/protocol/address';
import type { Settled } from '../ports/chain.ts';
import { type PaymentEntry, takenOf } from '../ports/payment-entry.ts';
import type { Facts } from './facts.ts';
import { assuranceMessages } from './checks/assurance-result.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Misleading } from '../rules/call-outcome.ts';
import type { Demand } from '../rules/demand.ts';
import { judgedIn } from '../rules/judged-terms.ts';
import { afterDoubt } from './words.ts';

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

/** What an envelope tells of a price that makes sense. */
export function paymentContext(demand: Demand, payer: Address): Record<string, unknown> {
  return {
    x402Version: demand.x402Version,
    scheme: demand.by.kind === 'upto' ? 'upto' : 'exact',
    ...(demand.by.kind !== 'eip3009' && { transferMethod: 'permit2' }),
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
    judged: judgedIn(demand),
    ...offersIn(demand),
  };
}

/** All that are for this price, where there are several: one of them holds, or none does. */
const offersIn = ({ offer }: Demand): Readonly<Record<string, unknown>> =>
  offer.kind !== 'offer'
    ? {}
    : {
        offer: offer.signed.received,
        ...(offer.others.length > 0 && { otherOffers: offer.others.map(({ received }) => received) }),
      };

/** Of a payment that was sent and whose answer nobody has. */
export function paymentInDoubt(
  call: ToolCall,
  now: number,
  facts: Facts,
  payment: PaymentEntry,
): GatewayEnvelope {
  const code = 'PAYMENT_OUTCOME_UNKNOWN';
  const message = `${messages[code]} ${afterDoubt(call, payment)}`;
  return envelope(call, now, code, message, detailOf(facts, signedContext(payment)));
}

/** Of a payment that has settled, and whose answer went down with the process that waited for it. */
export function paidInVain(
  entry: PaymentEntry,
  now: number,
  { transaction, moved }: Settled,
): GatewayEnvelope {
  const { payer, asset, payload, ifSettled } = entry;
  const amount = takenOf(entry, moved);
  const { serviceName, tokenSymbol, metadata } = ifSettled;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const about = {
    serviceId: serviceName,
    toolName: text(metadata?.['toolName']),
    traceId: text(metadata?.['traceId']),
  };
  const { network } = { ...payload, ...(payload as { accepted?: object }).accepted } as { network?: string };
  const message = `Paid ${amount} ${tokenSymbol}. The gateway stopped before the service had answered, so there is no answer. Calling again would be a second payment.`;
  return envelope(about, now, 'DOWNSTREAM_TOOL_ERROR', message, {
    paymentMade: true,
    paymentResponse: {
      success: true,
      payer,
      ...(transaction !== null && { transaction }),
      ...(network !== undefined && { network }),
    },
    paymentContext: { payer, asset, amountDecimal: amount, ...signedContext(entry) },
  });
}

/** What an envelope tells of the signed payment. `validBefore` is Unix seconds. */
export const signedContext = ({ nonce, validBefore }: PaymentEntry) => ({ nonce, validBefore });

export const price = (demand: Demand): string => `${formatAmount(demand.amount)} ${demand.token.symbol}`;

/** Fixed text for each code: it says what went wrong and what to do. Prices and reasons are added by the caller. */
export const messages = {
  ...assuranceMessages,
  SUCCESS: 'The tool answered.',
  USED_A_RIGHT: 'The tool answered. It was paid for before, so this wallet signed in, and nothing was paid.',
  PAID_FOR_NOTHING:
    'The tool gave nothing for it: detail.paymentResponse and the receipt are your evidence in a dispute.',
  SERVICE_NOT_FOUND: 'No such service. list_gateway_services names them all.',
  TOOL_NOT_FOUND: 'This service has no such tool. list_gateway_services names them all.',
  INVALID_ARGUMENTS:
    'The call was not sent: its arguments are not what the tool takes. list_gateway_services has its inputSchema.',
  DOWNSTREAM_UNAVAILABLE: 'The service cannot be reached right now. Nothing was paid; try again later.',
  DOWNSTREAM_TIMEOUT: 'The service did not answer in time. Nothing was paid.',
  DOWNSTREAM_TOOL_ERROR:
    'The tool failed: detail.downstreamContent or detail.downstreamError has what it answered.',
  TOOL_DEFINITION_CHANGED:
    'The tool is not the one that was accepted; nothing was sent. The owner can accept it: countersign gateway accept SERVICE TOOL.',
  IDEMPOTENCY_CONFLICT: 'This idempotencyKey was used for another call. Take a new key.',
  CANCELLED: 'The call was cancelled before anything was paid. Nothing was signed or sent.',
  PRICE_UNKNOWN: 'The price of this tool is not known without calling it.',
  COMPLIANCE_NOT_CONFIGURED:
    'Payment refused: COMPLIANCE_BASE_URL or COMPLIANCE_API_KEY is not set, or the dashboard does not know the key, so nobody can be screened. The operator of the gateway has to correct it.',
  COMPLIANCE_API_ERROR: 'Payment refused: a screening look-up gave no trustworthy answer. Try again later.',
  PAYER_KYC_NOT_APPROVED: 'Payment refused: KYC of the payer is not approved.',
  PAYER_KYT_REJECTED: "Payment refused: KYT rejects the payer's wallet.",
  PAYEE_KYC_NOT_APPROVED: 'Payment refused: KYC of the payee is not approved.',
  PAYEE_KYT_REJECTED: "Payment refused: KYT rejects the payee's wallet.",
  WALLET_APPROVAL_REQUIRED:
    'The owner has to approve this payment: they open detail.paymentContext.approval.approvalUrl. Then make the same call with paymentPayload {approvalId}; waitSeconds (up to 50) waits for the decision inside a call. Where there is no page, the owner signs approval.typedData with the wallet: {approvalId, signature}.',
  PRICE_ABOVE_MAXIMUM: 'Nothing was paid: the price is above your maxAmount.',
  OWNER_HAS_APPROVED:
    'The owner has approved this payment: make the same call with paymentPayload {approvalId}, from detail.paymentContext.approval.',
  APPROVAL_REJECTED:
    'Nothing was paid: the owner refused this payment. Ask for it again only if they tell you to; detail.paymentContext.approval.rejectReason has their reason, if they gave one.',
  PAYMENT_UNSUPPORTED: 'Nothing was paid: this is not a payment we make.',
  PAYMENT_REQUIREMENT_INVALID: 'Nothing was paid: the service asks for money in a form that makes no sense.',
  PAYMENT_PAYLOAD_INVALID: 'Nothing was paid: paymentPayload is not a valid approval of this very call.',
  APPROVAL_EXPIRED: 'Nothing was paid: the approval has expired. Call without paymentPayload for a new one.',
  APPROVAL_ALREADY_USED:
    'This call paid nothing: its approval was used for an earlier payment. Call without paymentPayload only to pay once more: that asks the owner anew.',
  PAYMENT_REJECTED:
    'The service refused the signed payment, and no money has moved. It can still be taken until detail.paymentContext.validBefore.',
  SETTLEMENT_FAILED:
    'The service says that the settlement failed; no result was given. It can still happen until detail.paymentContext.validBefore.',
  PAYMENT_OUTCOME_UNKNOWN: 'The payment was sent and no trustworthy answer came: money may have moved.',
} satisfies Record<
  GatewayCode | keyof typeof assuranceMessages | 'USED_A_RIGHT' | 'PAID_FOR_NOTHING' | 'OWNER_HAS_APPROVED',
  string
>;

/** Of a price that is for something else than what was called. */
export const misleadingMessages: Readonly<Record<Misleading, string>> = {
  'offered-elsewhere':
    'Nothing was paid: the signed offer of the service is for something else than what was called. Where an HTTP service signs another origin than it is called at, the operator of the gateway can name that in OFFER_ORIGINS.',
  'another-realm':
    'Nothing was paid: the service asks in the name of another host than the one that was called. Where that is its own, the operator of the gateway can name it in OFFER_ORIGINS.',
  'another-request': 'Nothing was paid: the service asks for the price of another request than was sent.',
  'header-taken':
    'Nothing was paid: the service wants its payment in a header that its credential from the vault leaves no room for. It has to ask for it in Payment-Authorization.',
};

const refusesUs =
  'The service refuses the credentials of this gateway. Nothing was paid; its operator has to correct DOWNSTREAM_MCP_HEADERS.';

/** Where calling again does not help, what does. */
export const unavailableMessages: { readonly [R in ServiceFailure['reason']]?: string } = {
  unauthorized: refusesUs,
  forbidden: refusesUs,
  redirect:
    'The service sends us to another address, which is not followed. Nothing was paid; the operator of the gateway has to correct DOWNSTREAM_MCP_URLS or HTTP_SERVICES.',
  rate_limited:
    'The service asks for fewer calls. Nothing was paid; wait detail.downstreamFailure.retryAfter seconds, if it says so.',
};
