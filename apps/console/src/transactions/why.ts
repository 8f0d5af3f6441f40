/** Why a payment was refused, and what the owner can do about it. */
export type Why = {
  readonly says: string;
  readonly wayOut: string;
  /** The page where that is done; null if it is not in the console. */
  readonly place: 'approval' | 'mandates' | 'compliance' | null;
};

const approve = { wayOut: 'It can be paid once you approve it.', place: 'approval' } as const;
const sign = { wayOut: 'Sign one so that your agent can pay again.', place: 'mandates' } as const;
const later = {
  wayOut: 'Nothing is wrong with the payment. Your agent may try again.',
  place: null,
} as const;
const verified = { wayOut: 'Submit your identity, or see what is required.', place: 'compliance' } as const;
const payee = { wayOut: 'Only the payee can change this. Use another service.', place: null } as const;
const merchant = { wayOut: 'Do not pay until its operator has fixed this.', place: null } as const;
/** The signature was given out: it is good until its time ends. */
const signed = {
  wayOut: 'The payment may still go through in the next few minutes. Check here again before you pay again.',
  place: null,
} as const;
const rules = {
  wayOut: 'To allow it, add it to your mandate’s rules.',
  place: 'mandates',
} as const;

/** In the order of the filter. The codes are those of gateways and of the owner's rules. */
export const whys: Readonly<Record<string, Why>> = {
  MANDATE_PAUSED: {
    says: 'Your mandate was paused',
    wayOut: 'Resume it so that your agent can pay again.',
    place: 'mandates',
  },
  PER_TX_LIMIT_EXCEEDED: { says: 'Over your limit per payment', ...approve },
  APPROVAL_THRESHOLD_EXCEEDED: { says: 'Over your “Ask me above” amount', ...approve },
  NEW_PAYEE: { says: 'The first payment to this payee', ...approve },
  TOTAL_BUDGET_EXCEEDED: { says: 'Over your remaining budget', ...approve },
  PERIOD_BUDGET_EXCEEDED: { says: 'Over the period’s remaining budget', ...approve },
  CART_MANDATE_MISSING: { says: 'The service did not sign an offer for it', ...approve },
  WALLET_APPROVAL_REQUIRED: { says: 'Needs your approval', ...approve },
  APPROVAL_REJECTED: {
    says: 'You rejected it',
    wayOut: 'Your agent may ask again if you tell it to.',
    place: 'approval',
  },
  MANDATE_NOT_FOUND: { says: 'You had no active mandate', ...sign },
  MANDATE_PENDING: {
    says: 'Your mandate was not signed yet',
    wayOut: 'Sign it so that your agent can pay.',
    place: 'mandates',
  },
  MANDATE_EXPIRED: {
    says: 'Your mandate had expired',
    wayOut: 'Renew it so that your agent can pay again.',
    place: 'mandates',
  },
  MANDATE_EXHAUSTED: {
    says: 'Your mandate was used up',
    wayOut: 'Raise its budget or sign a new one.',
    place: 'mandates',
  },
  MANDATE_REVOKED: { says: 'Your mandate was revoked', ...sign },
  MERCHANT_NOT_ALLOWED: { says: 'Your rules do not list this merchant', ...rules },
  SERVICE_NOT_ALLOWED: { says: 'Your rules do not list this service', ...rules },
  PAYER_KYC_NOT_APPROVED: { says: 'You are not verified', ...verified },
  PAYER_KYT_REJECTED: {
    says: 'Your wallet did not pass screening',
    wayOut: 'View the checks, and ask your operator.',
    place: 'compliance',
  },
  PAYEE_KYC_NOT_APPROVED: { says: 'The payee is not verified', ...payee },
  PAYEE_ON_OTHER_NETWORKS: { says: 'The payee is admitted on other networks', ...payee },
  PAYEE_KYT_REJECTED: { says: 'The payee’s wallet did not pass screening', ...payee },
  COMPLIANCE_API_ERROR: { says: 'A check did not respond', ...later },
  ASSURANCE_API_ERROR: { says: 'The dashboard did not respond to the gateway', ...later },
  MERCHANT_SIGNATURE_INVALID: { says: 'The merchant’s signature is not valid', ...merchant },
  MERCHANT_NOT_REGISTERED: { says: 'The merchant has no account here', ...merchant },
  CART_MANDATE_INVALID: { says: 'The merchant’s offer cannot be read', ...merchant },
  CART_MANDATE_MISMATCH: { says: 'The merchant’s offer is for another payment', ...merchant },
  VC_PROOF_INVALID: {
    says: 'Your mandate’s signature is not valid',
    wayOut: 'Verify it on its page, then sign a new one.',
    place: 'mandates',
  },
  MANDATE_TAMPERED: {
    says: 'Your mandate does not match what you signed',
    wayOut: 'Verify it on its page, then tell your operator.',
    place: 'mandates',
  },
  PAYMENT_UNSUPPORTED: {
    says: 'Your gateway is not configured to make this payment',
    wayOut: 'Its operator configures what it pays without asking.',
    place: null,
  },
  CANCELLED: { says: 'Your agent cancelled the call', ...later },
  APPROVAL_ALREADY_USED: {
    says: 'Its approval was already used',
    wayOut: 'Your agent may ask for another.',
    place: null,
  },
  PAYMENT_REJECTED: {
    says: 'The service refused the signed payment',
    ...signed,
  },
  SETTLEMENT_FAILED: {
    says: 'The settlement failed',
    ...signed,
  },
  PAYMENT_OUTCOME_UNKNOWN: {
    says: 'It is not known yet whether it was paid',
    wayOut: 'This record is updated if the gateway finds out. Check your wallet before you pay again.',
    place: null,
  },
};

/** A code that we have no words for goes by its own name. */
export const whyText = (reason: string): string => whys[reason]?.says ?? reason;

/**
 * Returns the text before a reason that we have no text for. An error may have happened after the payment.
 */
export const unknownReason = (result: 'reject' | 'error'): string =>
  `${result === 'reject' ? 'Not paid' : 'Failed'}. Reason given by whoever reported it:`;
