import type { ReviewFacts } from '../facts.ts';

/** One reason to object. What no rule objects to is allowed. */
export type Rule = {
  /** Stable: audit records name it. */
  readonly id: string;
  readonly verdict: 'ask' | 'deny';
  /** For the agent: what is wrong and what to do. Fixed, so that no text of a page reaches it. */
  readonly message: string;
  readonly applies: (facts: ReviewFacts) => boolean;
};
