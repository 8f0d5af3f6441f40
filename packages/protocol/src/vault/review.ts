import { z } from 'zod';

/** From the mildest to the strictest. `ask` waits for a person. */
export const verdicts = ['allow', 'ask', 'deny'] as const;
export type Verdict = (typeof verdicts)[number];

export const ruleFinding = z.strictObject({
  /** Stable, dotted. */
  rule: z.string(),
  verdict: z.enum(verdicts),
  /** For the agent: what is wrong and what to do. Never text of the page. */
  message: z.string(),
});
export type RuleFinding = z.infer<typeof ruleFinding>;

/** `review` in the answer of `execute`: page 3, Sandbox sessions. */
export const operationReview = z.strictObject({
  verdict: z.enum(verdicts),
  rules: z.array(ruleFinding),
  duration_ms: z.number().min(0),
});
export type OperationReview = z.infer<typeof operationReview>;
