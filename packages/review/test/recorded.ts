import type { Verdict } from '@countersign/protocol/vault/verdict';
import { factsOf } from '../src/facts.ts';
import { judgeTogether } from '../src/judge-together.ts';
import type { RecordOfReview } from '../src/recorded.ts';
import type { Review } from '../src/observation.ts';
import { type RequestFacts, requestFactsOf } from '../src/request/facts.ts';
import { judge } from '../src/review.ts';
import type { Heard } from '../src/second-judge.ts';
import { shop } from './corpus/situations.ts';

/** Of the rules in records of tests and vectors. */
export const rulesDigest = '1'.repeat(64);

export type Detail = RecordOfReview['detail'];

export const leadsTo = {
  allow: 'sandbox_operation',
  ask: 'human_approval_requested',
  deny: 'policy_rejected',
} as const satisfies Record<Verdict, string>;

/** As an enclave records an operation that was judged. */
export function recordOf(review: Review, heard?: Heard): RecordOfReview {
  const facts = factsOf(review, { commit: () => 'salted', mask: (text) => text });
  const { verdict, rules } = heard === undefined ? judge(facts) : judgeTogether(facts, heard);
  return {
    eventType: leadsTo[verdict],
    detail: {
      operationId: 'one',
      operationType: review.operation.operation_type,
      rulesDigest,
      facts,
      verdict,
      rules: rules.map(({ rule, verdict: own }) => ({ rule, verdict: own })),
      ...(verdict === 'allow' && { phase: 'intent' }),
      ...(heard !== undefined && { secondJudge: heard }),
    },
  };
}

/** A request of a page, by its first line: `POST /api/theme`. */
export function requestOf(line: string, body = ''): RequestFacts {
  const [method = '', path = ''] = line.split(' ');
  const sent = { method, url: shop + path, resource: 'fetch', contentType: 'application/json', body };
  const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
  return requestFactsOf({ ...sent, carriesCredential: false, pageUrl: shop }, about, (text) => text);
}

export const ask = (rule: string) => ({ rule, verdict: 'ask' });
export const deny = (rule: string) => ({ rule, verdict: 'deny' });
