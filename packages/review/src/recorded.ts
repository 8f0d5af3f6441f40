import { type Verdict, verdicts } from '@countersign/protocol/vault/verdict';
import { z } from 'zod';
import { beyondFacts, beyondRequest } from './beyond-facts.ts';
import { reviewFacts } from './facts.ts';
import { requestFacts } from './request/facts.ts';
import { heard } from './second-judge.ts';

const rule = z.object({ rule: z.string(), verdict: z.enum(verdicts) });
/** Whatever a hostile record repeats: a review objects fewer times beyond its facts. */
const maxBeyond = 4;
/** Requests of one operation that a record has. */
const maxRequests = 5;
const ruleIds = z.array(z.string()).optional();

/** What the record of any verdict has in its `detail`. */
export const recordedVerdict = z.object({
  operationId: z.string().optional(),
  operationType: z.string().optional(),
  approvedBy: z.string().optional(),
  phase: z.string().optional(),
  verdict: z.enum(verdicts),
  rules: z.array(rule),
  rulesDigest: z.string().optional(),
});
export type RecordedVerdict = z.infer<typeof recordedVerdict>;
export type RecordedRule = z.infer<typeof rule>;

/** Of an operation, before it is done. */
export const ofOperation = z.object({
  facts: reviewFacts,
  secondJudge: heard.optional(),
  beyondFacts: z.array(z.enum(beyondFacts)).max(maxBeyond).optional(),
});

/** Of requests that an operation set off and that were held. */
export const ofRequests = z.object({
  approvedBy: z.string().optional(),
  requests: z.array(requestFacts).min(1).max(maxRequests),
  requestReviews: z.array(
    z.strictObject({
      waived: ruleIds,
      beyondFacts: z.array(z.enum(beyondRequest)).max(maxBeyond).optional(),
    }),
  ),
});

/** Of a request that came when its operation was over. `refusedBefore`: nothing else is said against it. */
export const ofLateRequest = z.object({
  request: requestFacts,
  waived: ruleIds,
  refusedBefore: z.literal(true).optional(),
});

export type RecordOfReview = {
  /** Where it stands in the log; without it, after those that were told before. */
  readonly leafIndex?: number;
  readonly eventType: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** A record names its rules; what each of them tells people and agents is its message, which the digest of the rules covers. */
export type Judged = {
  readonly verdict: Verdict;
  readonly rules: readonly (RecordedRule & { readonly message?: string })[];
};

/** What follows from a record, and whether its kind of record is what that leads to. */
export type Made = Judged & { readonly fits: boolean };

/** An objection that no facts show. */
export const denies = (rule: string): RecordedRule => ({ rule, verdict: 'deny' });
