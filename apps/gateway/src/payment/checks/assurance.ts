import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { CartMandate } from '@countersign/protocol/gateway/cart-mandate';
import type { AssuranceRefusal } from '@countersign/protocol/gateway/codes';
import type { AssuranceOutcome, AssuranceRule, AssuranceVerdict } from '../../rules/verdicts.ts';
import type { CartPolicy } from '../../rules/policy.ts';
import type { MandateAnswer } from '../../rules/mandate.ts';
import type { OwnerPort } from '../../ports/owner.ts';
import type { MandatePort } from '../../ports/dashboard.ts';
import type { ToolCall } from '../../ports/tool-call.ts';
import { exceededLimit } from '../../rules/budget.ts';
import { cartMatches } from '../../rules/cart-binding.ts';
import type { Demand } from '../../rules/demand.ts';
import { judgeStatement } from '../../rules/agent-statement.ts';
import { credentialHash, judgeMandate } from '../../rules/mandate-credential.ts';
import { merchantSignatureHolds } from '../../rules/merchant-signature.ts';
import { resultOf } from './assurance-result.ts';
import { checkOffer, type Signers } from './offer.ts';

/**
 * Compares the merchant's cart with the owner's mandate: merchant signature, credential signature, budget
 * rule, in this order; the first that fails ends it (gateway.assurance.order). A signed offer counts as a cart
 * (docs/decisions/0033). Without either the first is skipped, and amount and payee of the requirement are held against the
 * mandate (docs/decisions/0018).
 */
export async function checkAssurance(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  about: Checked,
  now: () => number,
): Promise<AssuranceVerdict> {
  const outcome = await verify(port, call, about, now);
  return { ...outcome, result: resultOf(outcome, about.demand, new Date(now()).toISOString()) };
}

type Checked = {
  readonly payer: Address;
  /** Whose agent the payer is; null: the payer's wallet is its owner's. */
  readonly owner: OwnerPort | null;
  readonly demand: Demand;
  /** What is asked of a service that sends neither cart nor offer. */
  readonly policy: CartPolicy;
  readonly signers: Signers;
};

async function verify(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  about: Checked,
  now: () => number,
): Promise<AssuranceOutcome> {
  const { demand } = about;
  switch (demand.cart.kind) {
    case 'malformed':
      return refused('cart', 'CART_MANDATE_INVALID');
    case 'missing':
      return demand.offer.kind === 'missing'
        ? withoutCart(port, call, about, now)
        : withOffer(port, call, about, now);
    case 'cart': {
      const { cart } = demand.cart;
      const merchant = await verifyMerchant(port, call, cart);
      if (merchant !== null) return merchant;
      if (!cartMatches(cart, demand)) return refused('cart-binding', 'CART_MANDATE_MISMATCH');
      return verifyMandate(port, call, about, now);
    }
  }
}

/** An offer that is this price, signed by one who may, is held against the mandate as a cart is. */
async function withOffer(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  about: Checked,
  now: () => number,
): Promise<AssuranceOutcome> {
  const refusal = await checkOffer(about.demand, about.signers, now());
  return refusal ?? verifyMandate(port, call, about, now);
}

/** An agent wallet pays nothing without its owner's statement and mandate, whatever is asked of the service. */
async function withoutCart(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  about: Checked,
  now: () => number,
): Promise<AssuranceOutcome> {
  const { owner, policy } = about;
  if (policy === 'budget') return verifyMandate(port, call, about, now);
  if (owner === null || policy === 'require' || policy === 'reject') return skipped;
  const outcome = await verifyMandate(port, call, about, now);
  return policy === 'challenge' && outcome.kind !== 'refused' ? skipped : outcome;
}

/** What the owner signed binds without a cart too: only a wallet that never had a mandate has nothing to keep to. */
async function verifyMandate(
  port: MandatePort,
  call: Pick<ToolCall, 'span'>,
  { payer, owner, demand, policy }: Checked,
  now: () => number,
): Promise<AssuranceOutcome> {
  const askedAt = now();
  const answer = await port.activeMandate(payer, call.span);
  if (answer.kind === 'never' && owner === null && paysUnmandated(demand, policy))
    return demand.offer.kind === 'missing' ? skipped : { kind: 'skipped', rule: 'mandate' };
  if (answer.kind === 'none' && answer.reason !== undefined)
    return { ...refused('mandate', noMandate.none), reason: answer.reason };
  if (answer.kind !== 'found') return refused('mandate', noMandate[answer.kind]);
  const about = { payer, chainId: demand.chainId, now: now() };
  if (owner === null) return withinMandate(answer.mandate, about, demand, askedAt);
  const agentOf = await verifyOwner(answer.mandate, about, owner);
  if (!agentOf.ok) return { ...refused(ruleOf[agentOf.error], agentOf.error), mandateId: answer.mandate.id };
  return withinMandate(answer.mandate, { ...about, agentOf: agentOf.value }, demand, askedAt);
}

/** A price that was signed is paid by whom a bare one would be paid by, under the same caps. */
const paysUnmandated = ({ cart, offer }: Demand, policy: CartPolicy): boolean =>
  cart.kind === 'missing' && (offer.kind === 'missing' || policy === 'budget' || policy === 'skip');

/** Both chains of signatures: the owner's over the statement about this wallet, and over the mandate. */
async function verifyOwner(
  mandate: MandateAnswer,
  about: { readonly payer: Address; readonly chainId: number; readonly now: number },
  owner: OwnerPort,
): Promise<Result<NonNullable<Parameters<typeof judgeMandate>[1]['agentOf']>, keyof typeof ruleOf>> {
  const statement = judgeStatement(mandate.statement, { ...about, owner: owner.address });
  if (!statement.ok) return statement;
  const { hash, signature, accountId } = statement.value;
  if (!(await owner.signed(hash, signature, about.chainId))) return fail('VC_PROOF_INVALID');
  const credential = credentialHash(mandate, about.chainId);
  const signed =
    credential !== null && (await owner.signed(credential.hash, credential.signature, about.chainId));
  return ok({ owner: owner.address, accountId, signed });
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
): Promise<AssuranceOutcome | null> {
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
  about: Parameters<typeof judgeMandate>[1],
  demand: Demand,
  askedAt: number,
): AssuranceOutcome {
  const limits = judgeMandate(mandate, about);
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
