import { legible } from '../ui/legible.ts';

/** The rules that hand a payment to the owner, in the owner's words. */
const rules: Readonly<Record<string, string>> = {
  PER_TX_LIMIT_EXCEEDED: 'Over your limit per payment',
  TOTAL_BUDGET_EXCEEDED: 'Over your remaining budget',
  APPROVAL_THRESHOLD_EXCEEDED: 'Over the amount above which you are asked',
  PERIOD_BUDGET_EXCEEDED: 'Over your budget for the period',
  NEW_PAYEE: 'It is the first payment to this payee',
  CART_MANDATE_MISSING: 'The service did not sign an offer for it',
};

/** A rule that we have no words for goes by its own name. */
const ruleText = (reason: string): string => rules[reason] ?? legible(reason);

type Asked = { readonly reason: string; readonly reasons?: readonly string[] | undefined };

/** Every rule that a payment exceeds: whoever approves it approves all of that. */
export const whyAsked = ({ reason, reasons = [reason] }: Asked): string => reasons.map(ruleText).join('. ');
