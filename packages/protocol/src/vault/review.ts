import { z } from 'zod';
import { verdicts } from './verdict.ts';

export const ruleFinding = z.strictObject({
  /** Stable, dotted. */
  rule: z.string(),
  verdict: z.enum(verdicts),
  /** Tells the agent what is wrong and what to do. It never contains text of the page. */
  message: z.string(),
});
export type RuleFinding = z.infer<typeof ruleFinding>;

/** `review` in the answer of `execute` (spec: vault.review). */
export const operationReview = z.strictObject({
  verdict: z.enum(verdicts),
  rules: z.array(ruleFinding),
  duration_ms: z.number().min(0),
});
export type OperationReview = z.infer<typeof operationReview>;
