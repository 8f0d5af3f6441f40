import type { RuleFinding } from '@countersign/protocol/vault/review';

/** Said of the others, and said again where nobody is asked. */
const nobodyToAsk = 'approval.never';

/** What is left of the objections to a request: `waived` are rules that do not count for it, since it is the page's own or a person agreed. */
export const objectionsLeft = (rules: readonly RuleFinding[], waived: readonly string[]): RuleFinding[] =>
  rules.filter(({ rule, verdict }) => verdict !== 'allow' && rule !== nobodyToAsk && !waived.includes(rule));
