import type { ReviewFacts } from '../facts.ts';

/** One reason to object. What no rule objects to is allowed. */
export type Rule = {
  /** Stable: audit records name it. */
  readonly id: string;
  readonly verdict: 'ask' | 'deny';
  /** For the agent: what is wrong and what to do. Made of fixed words, so that no text of a page or script reaches it. */
  readonly message: string | ((facts: ReviewFacts) => string);
  readonly applies: (facts: ReviewFacts) => boolean;
};
