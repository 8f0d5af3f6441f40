import type { AssuranceRefusal, GatewayCode, LimitCode } from '@countersign/protocol/gateway/codes';
import type { Amount } from '@countersign/protocol/amount';
import type { AssuranceVerdict } from './verdicts.ts';
import type { ComplianceVerdict } from './verdicts.ts';
import type { CartPolicy } from './policy.ts';
import type { Budget } from './budget.ts';

export type ApprovalReason = LimitCode | 'CART_MANDATE_MISSING';

export type Decision =
  | { readonly kind: 'refuse'; readonly code: GatewayCode; readonly why: string | null }
  | { readonly kind: 'ask-owner'; readonly reason: ApprovalReason }
  /** `mandateId` null: no mandate applies, and `budget` is that of the day; a null `budget`: the owner was asked. */
  | {
      readonly kind: 'pay';
      readonly mandateId: string | null;
      readonly budget: Budget | null;
      /** Sends the payment of this very call that has left already, and signs no other. */
      readonly resumes?: true;
    };

/**
 * The whole payment policy. Compliance comes first; a limit asks the owner, unless the owner has approved this
 * very payment; everything else refuses.
 */
export function decidePayment(
  compliance: ComplianceVerdict,
  assurance: AssuranceVerdict,
  unmandated: {
    readonly policy: CartPolicy;
    readonly amount: Amount;
    readonly cap: Amount;
    /** Cap for one UTC day. */
    readonly daily: Amount;
    /** Unix ms. */
    readonly at: number;
  },
  approved: boolean,
): Decision {
  if (compliance.refusal !== null) return refuse(compliance.refusal);
  switch (assurance.kind) {
    case 'refused':
      return refuse(assurance.code satisfies AssuranceRefusal, assurance.why);
    case 'over-limit':
      return approved
        ? { kind: 'pay', mandateId: assurance.mandateId, budget: null }
        : { kind: 'ask-owner', reason: assurance.code };
    case 'passed':
      return { kind: 'pay', mandateId: assurance.mandateId, budget: approved ? null : assurance.budget };
    case 'skipped':
      return decideUnmandated(unmandated, approved);
  }
}

function decideUnmandated(
  { policy, amount, cap, daily, at }: Parameters<typeof decidePayment>[2],
  approved: boolean,
): Decision {
  switch (policy) {
    case 'require':
      return refuse('PAYMENT_UNSUPPORTED', 'the service sent no cart mandate, and CART_POLICY requires one');
    case 'reject':
      return refuse(
        'PAYMENT_UNSUPPORTED',
        'the service sent no cart mandate, and CART_MANDATE_MISSING_POLICY rejects that',
      );
    case 'challenge':
      return approved
        ? { kind: 'pay', mandateId: null, budget: null }
        : { kind: 'ask-owner', reason: 'CART_MANDATE_MISSING' };
    case 'budget':
    case 'skip':
      return amount > cap
        ? refuse(
            'PAYMENT_UNSUPPORTED',
            'without a cart mandate the amount is above PAYMENT_UNMANDATED_MAX_AMOUNT',
          )
        : { kind: 'pay', mandateId: null, budget: { remaining: daily, signed: daily, askedAt: at } };
  }
}

const refuse = (code: GatewayCode, why: string | null = null): Decision => ({ kind: 'refuse', code, why });
