/** The stages of the pipeline at which a call can end (spec: gateway.envelope). */
export const stages = [
  'tool_execution',
  'compliance_check',
  'assurance_check',
  'payment_requested',
  'payment_required',
] as const;
export type Stage = (typeof stages)[number];

/** Every code of an envelope and the stage it belongs to. */
export const stageOf = {
  SUCCESS: 'tool_execution',
  SERVICE_NOT_FOUND: 'tool_execution',
  TOOL_NOT_FOUND: 'tool_execution',
  INVALID_ARGUMENTS: 'tool_execution',
  DOWNSTREAM_UNAVAILABLE: 'tool_execution',
  DOWNSTREAM_TIMEOUT: 'tool_execution',
  DOWNSTREAM_TOOL_ERROR: 'tool_execution',
  TOOL_DEFINITION_CHANGED: 'tool_execution',
  IDEMPOTENCY_CONFLICT: 'tool_execution',
  PRICE_UNKNOWN: 'tool_execution',
  CANCELLED: 'tool_execution',
  COMPLIANCE_NOT_CONFIGURED: 'compliance_check',
  COMPLIANCE_API_ERROR: 'compliance_check',
  PAYER_KYC_NOT_APPROVED: 'compliance_check',
  PAYER_KYT_REJECTED: 'compliance_check',
  PAYEE_KYC_NOT_APPROVED: 'compliance_check',
  PAYEE_KYT_REJECTED: 'compliance_check',
  MERCHANT_SIGNATURE_INVALID: 'assurance_check',
  MERCHANT_NOT_REGISTERED: 'assurance_check',
  CART_MANDATE_INVALID: 'assurance_check',
  CART_MANDATE_MISMATCH: 'assurance_check',
  VC_PROOF_INVALID: 'assurance_check',
  MANDATE_NOT_FOUND: 'assurance_check',
  MANDATE_EXPIRED: 'assurance_check',
  MANDATE_TAMPERED: 'assurance_check',
  ASSURANCE_API_ERROR: 'assurance_check',
  WALLET_APPROVAL_REQUIRED: 'payment_required',
  PRICE_ABOVE_MAXIMUM: 'payment_required',
  PAYMENT_UNSUPPORTED: 'payment_required',
  PAYMENT_REQUIREMENT_INVALID: 'payment_required',
  PAYMENT_PAYLOAD_INVALID: 'payment_required',
  APPROVAL_REJECTED: 'payment_required',
  APPROVAL_EXPIRED: 'payment_required',
  APPROVAL_ALREADY_USED: 'payment_required',
  PAYMENT_REJECTED: 'payment_requested',
  SETTLEMENT_FAILED: 'payment_requested',
  PAYMENT_OUTCOME_UNKNOWN: 'payment_requested',
} as const satisfies Record<string, Stage>;

export type GatewayCode = keyof typeof stageOf;

/** Budget rule codes: they never end a call, they escalate to `WALLET_APPROVAL_REQUIRED` (spec: gateway.assurance). */
export const limitCodes = ['PER_TX_LIMIT_EXCEEDED', 'TOTAL_BUDGET_EXCEEDED'] as const;
export type LimitCode = (typeof limitCodes)[number];

export const assuranceRefusals = [
  'MERCHANT_SIGNATURE_INVALID',
  'MERCHANT_NOT_REGISTERED',
  'CART_MANDATE_INVALID',
  'CART_MANDATE_MISMATCH',
  'VC_PROOF_INVALID',
  'MANDATE_NOT_FOUND',
  'MANDATE_EXPIRED',
  'MANDATE_TAMPERED',
  'ASSURANCE_API_ERROR',
] as const satisfies readonly GatewayCode[];
export type AssuranceRefusal = (typeof assuranceRefusals)[number];

export const assuranceErrorCodes = [...assuranceRefusals, ...limitCodes, 'CART_MANDATE_MISSING'] as const;
export type AssuranceErrorCode = (typeof assuranceErrorCodes)[number];

export const complianceReasonCodes = [
  'APPROVED',
  'KYC_NOT_APPROVED',
  'KYC_NOT_FOUND',
  'KYT_REJECTED',
  'COMPLIANCE_API_ERROR',
  'COMPLIANCE_NOT_CONFIGURED',
] as const;
export type ComplianceReasonCode = (typeof complianceReasonCodes)[number];
