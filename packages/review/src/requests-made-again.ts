import {
  denies,
  type Made,
  ofLateRequest,
  ofRequests,
  type RecordedRule,
  type RecordOfReview,
} from './recorded.ts';
import type { RequestFacts } from './request/facts.ts';
import { judgeRequest } from './request/judge.ts';
import { objectionsLeft } from './request/objections-left.ts';
import type { Flaw } from './unjudged.ts';

/** As `of` an operation, whose own rules stand first. */
export function heldAgain(
  eventType: string,
  detail: RecordOfReview['detail'],
  of: readonly RecordedRule[],
): Made | Flaw {
  const read = ofRequests.safeParse(detail);
  if (!read.success || read.data.requests.length !== read.data.requestReviews.length)
    return 'facts-unreadable';
  const { requests, requestReviews, approvedBy } = read.data;
  const isAgreed = approvedBy !== undefined;
  const found = requests.map((facts, at) => requestAgain(facts, requestReviews[at], isAgreed));
  const all = new Map<string, RecordedRule>();
  for (const one of [...of, ...found.flat()]) if (one.rule !== 'none') all.set(one.rule, one);
  const isRefused = found.some((rules) => rules.some(({ verdict }) => verdict === 'deny'));
  return {
    verdict: isRefused ? 'deny' : 'ask',
    rules: [...all.values()],
    fits:
      eventType === (isRefused ? 'policy_rejected' : 'human_approval_requested') &&
      found.every((rules) => rules.length > 0),
  };
}

type RequestReview = {
  readonly waived?: readonly string[] | undefined;
  readonly beyondFacts?: readonly string[] | undefined;
};

/** Without a person who agreed nothing but what no rule knows can be a page's own; of one that is gone nothing counts. */
function requestAgain(
  facts: RequestFacts,
  { waived = [], beyondFacts = [] }: RequestReview = {},
  isAgreed = false,
): RecordedRule[] {
  const counts = isAgreed || beyondFacts.includes('request.gone');
  const left = objectionsLeft(
    judgeRequest(facts).rules,
    waived.filter((rule) => counts || rule === 'request.unknown-write'),
  );
  return [...left, ...beyondFacts.map(denies)];
}

/** Nobody waits for its answer: it is refused whatever is said against it, if anything is. */
export function lateAgain(eventType: string, detail: RecordOfReview['detail']): Made | Flaw {
  const read = ofLateRequest.safeParse(detail);
  if (!read.success) return 'facts-unreadable';
  const { request, waived, refusedBefore } = read.data;
  const isObjected = refusedBefore === true || requestAgain(request, { waived }).length > 0;
  return {
    verdict: isObjected ? 'deny' : 'allow',
    rules: isObjected ? [denies('request.late')] : [{ rule: 'none', verdict: 'allow' }],
    fits: eventType === 'policy_rejected',
  };
}
