/** The rules that hand a payment to the owner, in the owner's words. */
const rules: Readonly<Record<string, string>> = {
  PER_TX_LIMIT_EXCEEDED: 'Above your limit for one payment',
  TOTAL_BUDGET_EXCEEDED: 'More than is left of your budget',
  CART_MANDATE_MISSING: 'The service signed no offer for it',
};

/** Why the owner is asked. A rule that we have no words for goes by its own name. */
export const ruleText = (reason: string): string => rules[reason] ?? reason;
