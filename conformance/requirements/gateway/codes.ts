import type { Requirement } from '../requirement.ts';

/** Every code of the envelope, with its stage and what produces it. */
export const gatewayCodeRequirements = [
  {
    id: 'gateway.code.success.free',
    source: 'page 1, Envelope codes',
    behaviour: 'A free call that worked: ok true, stage tool_execution, code SUCCESS, paymentMade false.',
    status: 'tested',
  },
  {
    id: 'gateway.code.success.paid',
    source: 'page 1, Envelope codes',
    behaviour: 'A paid call that worked: ok true, stage tool_execution, code SUCCESS, paymentMade true.',
    status: 'tested',
  },
  {
    id: 'gateway.code.service-not-found',
    source: 'page 1, Envelope codes',
    behaviour: 'An unknown serviceId: stage tool_execution, code SERVICE_NOT_FOUND, nothing is sent.',
    status: 'tested',
  },
  {
    id: 'gateway.code.tool-not-found',
    source: 'page 1, Envelope codes',
    behaviour:
      'A toolName that the service does not have: stage tool_execution, code TOOL_NOT_FOUND, nothing is ' +
      'sent.',
    status: 'tested',
  },
  {
    id: 'gateway.code.invalid-arguments',
    source: 'page 1, Envelope codes',
    behaviour:
      'Arguments that do not fit the inputSchema of the tool: stage tool_execution, code ' +
      'INVALID_ARGUMENTS, nothing is sent.',
    status: 'tested',
  },
  {
    id: 'gateway.code.downstream-unavailable',
    source: 'page 1, Envelope codes',
    behaviour: 'A service that cannot be reached: stage tool_execution, code DOWNSTREAM_UNAVAILABLE.',
    status: 'tested',
  },
  {
    id: 'gateway.code.downstream-timeout',
    source: 'page 1, Envelope codes',
    behaviour: 'A service that is late with an unpaid call: stage tool_execution, code DOWNSTREAM_TIMEOUT.',
    status: 'tested',
  },
  {
    id: 'gateway.code.downstream-tool-error',
    source: 'page 1, Envelope codes',
    behaviour:
      'A tool that answers isError, or a JSON-RPC error, without asking for money: stage tool_execution, ' +
      'code DOWNSTREAM_TOOL_ERROR, paymentMade false.',
    status: 'tested',
  },
  {
    id: 'gateway.code.downstream-tool-error.after-payment',
    source: 'page 1, Envelope codes',
    behaviour:
      'A tool that fails after a settled payment: code DOWNSTREAM_TOOL_ERROR, paymentMade true, recorded ' +
      'as pass.',
    status: 'tested',
  },
  {
    id: 'gateway.code.tool-definition-changed',
    source: 'page 1, Envelope codes',
    behaviour:
      'A tool whose name, description, schema or annotations differ from what was accepted first: stage ' +
      'tool_execution, code TOOL_DEFINITION_CHANGED, nothing is sent.',
    status: 'tested',
  },
  {
    id: 'gateway.code.tool-definition-changed.accept',
    source: 'page 1, Envelope codes',
    behaviour:
      'countersign gateway accept SERVICE [TOOL] accepts the changed definition on a running gateway; the ' +
      'next call goes through.',
    status: 'tested',
  },
  {
    id: 'gateway.code.tool-definition-changed.new-tool',
    source: 'page 1, Envelope codes',
    behaviour: 'A new tool on a known service is accepted and logged.',
    status: 'tested',
  },
  {
    id: 'gateway.code.idempotency-conflict',
    source: 'page 1, Envelope codes',
    behaviour:
      'An idempotencyKey used before with another call: stage tool_execution, code IDEMPOTENCY_CONFLICT, ' +
      'nothing is sent.',
    status: 'tested',
  },
  {
    id: 'gateway.code.price-unknown',
    source: 'page 1, Dry run and receipts',
    behaviour:
      'A dry run of a tool not known to be paid: stage tool_execution, code PRICE_UNKNOWN, ok false, ' +
      'nothing is called.',
    status: 'tested',
  },
  {
    id: 'gateway.code.cancelled',
    source: 'decision 0017',
    behaviour:
      'A call whose caller cancels it or hangs up before the payment is sent: stage tool_execution, code ' +
      'CANCELLED, recorded as reject once a price was known.',
    status: 'tested',
  },
  {
    id: 'gateway.code.compliance-not-configured',
    source: 'page 1, Envelope codes; document 1, Errors 1',
    behaviour:
      'A paid call without dashboard configuration: stage compliance_check, code COMPLIANCE_NOT_CONFIGURED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.compliance-api-error',
    source: 'page 1, Envelope codes; document 1, What the service does 8',
    behaviour:
      'A KYC or KYT look-up that fails, is late or makes no sense: stage compliance_check, code ' +
      'COMPLIANCE_API_ERROR, nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payer-kyc-not-approved',
    source: 'page 1, Envelope codes',
    behaviour:
      'A payer whose kycStatus is not approved: stage compliance_check, code PAYER_KYC_NOT_APPROVED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payer-kyt-rejected',
    source: 'page 1, Envelope codes',
    behaviour: 'A payer whose KYT decision is reject: stage compliance_check, code PAYER_KYT_REJECTED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payee-kyc-not-approved',
    source: 'page 1, Envelope codes',
    behaviour:
      'A payee whose kycStatus is not approved: stage compliance_check, code PAYEE_KYC_NOT_APPROVED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payee-kyt-rejected',
    source: 'page 1, Envelope codes',
    behaviour: 'A payee whose KYT decision is reject: stage compliance_check, code PAYEE_KYT_REJECTED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.merchant-signature-invalid',
    source: 'document 1, Errors; document 1, Step 1.4',
    behaviour:
      'A merchant signature that does not verify: stage assurance_check, code MERCHANT_SIGNATURE_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.code.merchant-not-registered',
    source: 'page 1, Envelope codes',
    behaviour:
      'A merchant without a public key at the dashboard (404, 80000011): stage assurance_check, code ' +
      'MERCHANT_NOT_REGISTERED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.vc-proof-invalid',
    source: 'document 1, Errors; document 1, Step 2.4',
    behaviour:
      'A mandate credential whose EIP-712 signature does not verify: stage assurance_check, code ' +
      'VC_PROOF_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.code.mandate-not-found',
    source: 'document 1, Errors; document 1, Step 2.1',
    behaviour: 'A payer without an active mandate: stage assurance_check, code MANDATE_NOT_FOUND.',
    status: 'tested',
  },
  {
    id: 'gateway.code.mandate-not-found.dead-mandate',
    source: 'page 1, Envelope codes',
    behaviour: 'A mandate that is exhausted, revoked or pending gives MANDATE_NOT_FOUND.',
    status: 'tested',
  },
  {
    id: 'gateway.code.mandate-expired',
    source: 'document 1, Errors; document 1, Step 2.1',
    behaviour: 'An expired mandate: stage assurance_check, code MANDATE_EXPIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.mandate-tampered',
    source: 'page 1, Envelope codes',
    behaviour:
      'A mandate whose answer goes beyond what the owner signed: stage assurance_check, code ' +
      'MANDATE_TAMPERED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.assurance-api-error',
    source: 'document 1, Errors',
    behaviour:
      'A dashboard call of the assurance check that fails or is late: stage assurance_check, code ' +
      'ASSURANCE_API_ERROR.',
    status: 'tested',
  },
  {
    id: 'gateway.code.cart-mandate-invalid',
    source: 'page 1, Envelope codes',
    behaviour:
      'A cart that is present but incomplete or malformed: stage assurance_check, code ' +
      'CART_MANDATE_INVALID; it is never treated as missing.',
    status: 'tested',
  },
  {
    id: 'gateway.code.cart-mandate-mismatch.amount',
    source: 'page 1, Paying, Binding',
    behaviour:
      'A cart whose total_amount in token units differs from the amount to be paid: stage assurance_check, ' +
      'code CART_MANDATE_MISMATCH.',
    status: 'tested',
  },
  {
    id: 'gateway.code.cart-mandate-mismatch.pay-to',
    source: 'page 1, Paying, Binding',
    behaviour: 'A cart whose pay_to differs from payTo: stage assurance_check, code CART_MANDATE_MISMATCH.',
    status: 'tested',
  },
  {
    id: 'gateway.code.cart-mandate-mismatch.currency',
    source: 'page 1, Paying, Binding',
    behaviour:
      'A cart whose currency is not the symbol of the token: stage assurance_check, code ' +
      'CART_MANDATE_MISMATCH.',
    status: 'tested',
  },
  {
    id: 'gateway.code.cart-mandate-missing',
    source: 'document 1, CartMandate 3; document 1, Errors; page 1, Envelope codes',
    behaviour:
      'Without a cart mandate assuranceResult has passed true and errorCode CART_MANDATE_MISSING, and the ' +
      'call goes on; it is never code of an envelope.',
    status: 'tested',
  },
  {
    id: 'gateway.code.per-tx-limit-exceeded',
    source: 'document 1, Errors; document 1, Step 3',
    behaviour:
      'An amount above the per-transaction limit: assuranceResult.errorCode PER_TX_LIMIT_EXCEEDED, ' +
      'envelope code WALLET_APPROVAL_REQUIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.total-budget-exceeded',
    source: 'document 1, Errors; document 1, Step 3',
    behaviour:
      'An amount above the remaining budget: assuranceResult.errorCode TOTAL_BUDGET_EXCEEDED, envelope ' +
      'code WALLET_APPROVAL_REQUIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.wallet-approval-required',
    source: 'document 1, Errors; document 1, States and transitions; page 1, Phase 2',
    behaviour:
      'The challenge has ok false, stage payment_required, code WALLET_APPROVAL_REQUIRED and ' +
      'assuranceResult.errorCode naming the limit; nothing is signed or paid.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-unsupported',
    source: 'page 1, Envelope codes',
    behaviour:
      'Scheme, network, asset, flow, amount, validity or signing domain that we do not pay: stage ' +
      'payment_required, code PAYMENT_UNSUPPORTED, nothing is looked up or signed.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-unsupported.scheme',
    source: 'page 1, Envelope codes',
    behaviour: 'A scheme other than exact gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-unsupported.flow',
    source: 'page 1, Envelope codes',
    behaviour:
      'A payment flow or transfer method other than authorization and EIP-3009 gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-unsupported.signing-domain',
    source: 'page 1, Envelope codes',
    behaviour:
      'An extra.name or extra.version other than the signing domain of the token gives PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-requirement-invalid',
    source: 'page 1, Envelope codes',
    behaviour:
      'A payment requirement that is malformed: stage payment_required, code PAYMENT_REQUIREMENT_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-requirement-invalid.copies-differ',
    source: 'page 1, Envelope codes',
    behaviour:
      'A payment requirement whose structured and text copies differ gives PAYMENT_REQUIREMENT_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-payload-invalid',
    source: 'page 1, Envelope codes',
    behaviour:
      'A paymentPayload that is garbage, wrongly signed or bound to another call: stage payment_required, ' +
      'code PAYMENT_PAYLOAD_INVALID.',
    status: 'tested',
  },
  {
    id: 'gateway.code.approval-expired',
    source: 'page 1, Envelope codes; page 1, Phase 2',
    behaviour:
      'A paymentPayload for an approval older than 15 minutes: stage payment_required, code ' +
      'APPROVAL_EXPIRED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.approval-already-used',
    source: 'page 1, Envelope codes',
    behaviour:
      'A paymentPayload for an approval used before: stage payment_required, code APPROVAL_ALREADY_USED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-rejected',
    source: 'page 1, Envelope codes',
    behaviour:
      'A service that refuses the signed payment: stage payment_requested, code PAYMENT_REJECTED, nothing ' +
      'moved.',
    status: 'tested',
  },
  {
    id: 'gateway.code.settlement-failed',
    source: 'page 1, Envelope codes',
    behaviour: 'A service that says settlement failed: stage payment_requested, code SETTLEMENT_FAILED.',
    status: 'tested',
  },
  {
    id: 'gateway.code.payment-outcome-unknown',
    source: 'page 1, Envelope codes',
    behaviour:
      'A payment that was sent without a trustworthy answer: stage payment_requested, code ' +
      'PAYMENT_OUTCOME_UNKNOWN, paymentContext with nonce and validBefore.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
