import { type Address, parseAddress } from '@countersign/protocol/address';
import type { CartMandate } from '@countersign/protocol/gateway/cart-mandate';
import type { AssuranceErrorCode, AssuranceRefusal, LimitCode } from '@countersign/protocol/gateway/codes';
import type { AssuranceResult } from '@countersign/protocol/gateway/envelope';
import type { CartPolicy } from '../config.ts';
import type { Budget, MandateAnswer, MandatePort, ToolCall } from '../ports.ts';
import { exceededLimit } from '../rules/budget.ts';
import { cartMatches } from '../rules/cart-binding.ts';
import type { Demand } from '../rules/demand.ts';
import { judgeMandate } from '../rules/mandate-credential.ts';
import { merchantSignatureHolds } from '../rules/merchant-signature.ts';

/** The rules of the check, in the order in which they are asked (gateway.assurance.order). */
export const assuranceRules = [
  'cart',
  'merchant',
  'merchant-signature',
  'cart-binding',
  'mandate',
  'credential',
  'limits',
] as const;
export type AssuranceRule = (typeof assuranceRules)[number];

/** `rule` is the one that ended the check: all before it passed. */
type Outcome = { readonly rule: AssuranceRule } & (
  | { readonly kind: 'passed'; readonly mandateId: string; readonly budget: Budget }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'over-limit'; readonly code: LimitCode; readonly mandateId: string }
  | { readonly kind: 'refused'; readonly code: AssuranceRefusal; readonly mandateId?: string }
);

export type AssuranceVerdict = Outcome & { readonly result: AssuranceResult };

/**
 * Compares the merchant's cart with the owner's mandate: merchant signature, credential signature, budget
 * rule, in this order; the first that fails ends it (gateway.assurance.order). Without a cart the first
 * is skipped, and amount and payee of the requirement are held against the mandate (docs/decisions/0018).
 */
export async function checkAssurance(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  about: Checked,
  now: () => number,
): Promise<AssuranceVerdict> {
  const outcome = await verify(port, call, about, now);
  const hasCart = about.demand.cart.kind !== 'missing';
  return { ...outcome, result: resultOf(outcome, hasCart, new Date(now()).toISOString()) };
}

type Checked = {
  readonly payer: Address;
  readonly demand: Demand;
  /** What is asked of a service that sends no cart. */
  readonly policy: CartPolicy;
};

async function verify(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  about: Checked,
  now: () => number,
): Promise<Outcome> {
  const { demand, policy } = about;
  switch (demand.cart.kind) {
    case 'malformed':
      return refused('cart', 'CART_MANDATE_INVALID');
    case 'missing':
      return policy === 'budget' ? verifyMandate(port, call, about, now) : skipped;
    case 'cart': {
      const { cart } = demand.cart;
      const merchant = await verifyMerchant(port, call, cart);
      if (merchant !== null) return merchant;
      if (!cartMatches(cart, demand)) return refused('cart-binding', 'CART_MANDATE_MISMATCH');
      return verifyMandate(port, call, about, now);
    }
  }
}

/** What the owner signed binds without a cart too: only a wallet that never had a mandate has nothing to keep to. */
async function verifyMandate(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  { payer, demand }: Checked,
  now: () => number,
): Promise<Outcome> {
  const askedAt = now();
  const answer = await port.activeMandate(payer, call.span);
  if (answer.kind === 'never' && demand.cart.kind === 'missing') return skipped;
  if (answer.kind !== 'found') return refused('mandate', noMandate[answer.kind]);
  return withinMandate(answer.mandate, { payer, demand, askedAt, now: now() });
}

const skipped = { kind: 'skipped', rule: 'cart' } as const;

const noMandate = {
  never: 'MANDATE_NOT_FOUND',
  none: 'MANDATE_NOT_FOUND',
  expired: 'MANDATE_EXPIRED',
  unavailable: 'ASSURANCE_API_ERROR',
  'not-configured': 'ASSURANCE_API_ERROR',
} as const;

async function verifyMerchant(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  cart: CartMandate,
): Promise<Outcome | null> {
  const address = parseAddress(cart.merchant_address);
  if (address === null) return refused('cart', 'CART_MANDATE_INVALID');
  const registered = await port.publicKey(address, call.span);
  if (registered.kind === 'not-found') return refused('merchant', 'MERCHANT_NOT_REGISTERED');
  if (registered.kind !== 'key') return refused('merchant', 'ASSURANCE_API_ERROR');
  return merchantSignatureHolds(cart, registered.publicKey)
    ? null
    : refused('merchant-signature', 'MERCHANT_SIGNATURE_INVALID');
}

function withinMandate(
  mandate: MandateAnswer,
  about: { readonly payer: Address; readonly demand: Demand; readonly askedAt: number; readonly now: number },
): Outcome {
  const { payer, demand, askedAt, now } = about;
  const limits = judgeMandate(mandate, { payer, chainId: demand.chainId, now });
  if (!limits.ok) return { ...refused(ruleOf[limits.error], limits.error), mandateId: mandate.id };
  const exceeded = exceededLimit(demand.amount, limits.value);
  if (exceeded !== null) return { kind: 'over-limit', rule: 'limits', code: exceeded, mandateId: mandate.id };
  const { remaining, total: signed } = limits.value;
  const budget = { remaining, signed, askedAt };
  return { kind: 'passed', rule: 'limits', mandateId: mandate.id, budget };
}

const ruleOf = {
  MANDATE_NOT_FOUND: 'mandate',
  MANDATE_EXPIRED: 'mandate',
  VC_PROOF_INVALID: 'credential',
  MANDATE_TAMPERED: 'credential',
} as const;

const refused = (rule: AssuranceRule, code: AssuranceRefusal) => ({ kind: 'refused', rule, code }) as const;

/** The result once something stood in the way after the check: a limit, or a mandate that ended meanwhile. */
export function explainRefusal(result: AssuranceResult, reason: AssuranceErrorCode): AssuranceResult {
  return { ...result, passed: false, ...explained(reason) };
}

function resultOf(outcome: Outcome, hasCart: boolean, checkedAt: string): AssuranceResult {
  switch (outcome.kind) {
    case 'passed':
      return {
        passed: true,
        ...(!hasCart && explained('CART_MANDATE_MISSING')),
        checkedAt,
        mandateId: outcome.mandateId,
      };
    case 'skipped':
      return { passed: true, ...explained('CART_MANDATE_MISSING'), checkedAt };
    case 'over-limit':
    case 'refused':
      return {
        passed: false,
        ...explained(outcome.code),
        checkedAt,
        ...(outcome.mandateId !== undefined && { mandateId: outcome.mandateId }),
      };
  }
}

const explained = (errorCode: AssuranceErrorCode) => ({
  errorCode,
  errorMessage: assuranceMessages[errorCode],
});

export const assuranceMessages = {
  MERCHANT_SIGNATURE_INVALID: "The merchant's signature over the cart does not hold.",
  MERCHANT_NOT_REGISTERED:
    'The merchant has no account at the dashboard, so its signature cannot be checked.',
  CART_MANDATE_INVALID: 'The cart mandate is incomplete or malformed.',
  CART_MANDATE_MISMATCH: 'The signed cart names another amount, payee or currency than the payment.',
  VC_PROOF_INVALID: "The owner's signature over the mandate does not hold.",
  MANDATE_NOT_FOUND: 'The owner has no active mandate. The owner can sign one in the dashboard.',
  MANDATE_EXPIRED: "The owner's mandate has expired. The owner can renew it in the dashboard.",
  MANDATE_TAMPERED: 'The dashboard tells other terms than the owner signed.',
  ASSURANCE_API_ERROR: 'A dashboard look-up gave no trustworthy answer.',
  PER_TX_LIMIT_EXCEEDED: "The amount is above the mandate's limit for one transaction.",
  TOTAL_BUDGET_EXCEEDED: "The amount is above what is left of the mandate's budget.",
  CART_MANDATE_MISSING: 'The service sent no cart mandate; the check of its signature was skipped.',
} satisfies Record<AssuranceErrorCode, string>;
