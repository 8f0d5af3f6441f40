import type { SecretToSend } from '@countersign/protocol/enclave/session-commands';
import { fail, ok } from '@countersign/protocol/result';
import { place } from '@countersign/protocol/vault/credential-use';
import type { RuleFinding } from '@countersign/protocol/vault/review';
import { rulesDigest } from '@countersign/review/rules-digest';
import type { Session } from '../session.ts';
import type { Attempt } from './attempt.ts';
import { type Answer, finish } from './finish.ts';
import type { PendingOperation } from './pending.ts';
import { pictureOf } from './picture.ts';
import type { Reviewed } from './reviewed.ts';
import { isDenied, type Stopped } from './sent.ts';

type Warn = Parameters<typeof pictureOf>[1];

/** Whoever does not decide for so long has not agreed. */
const maxWaitMs = 10 * 60_000;

/** Answers an operation whose requests were stopped: they are refused, or a person is asked about them. */
export async function answerStopped(
  session: Session,
  warn: Warn,
  attempt: Attempt,
  reviewed: Reviewed,
  stopped: readonly Stopped[],
): Promise<Answer> {
  const isRefused = stopped.some(isDenied);
  const held = stopped.map(({ id }) => id);
  const objected = withRules(reviewed, isRefused ? 'deny' : 'ask', stopped);
  const { review } = objected;
  if (isRefused) session.browser.drop(held);
  const recorded = await session.record({
    eventType: isRefused ? 'policy_rejected' : 'human_approval_requested',
    who: attempt.who,
    detail: detailOf(attempt, objected, stopped),
  });
  if (!recorded.ok) session.browser.drop(held);
  if (!recorded.ok) return recorded;
  if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
  const audit_id = recorded.value;
  if (isRefused) return ok(finish(session, attempt, { status: 'rejected', audit_id, review }));
  const { operationId: operation_id } = attempt;
  const picture = await pictureOf(session, warn, attempt);
  session.pending.set(operation_id, {
    attempt: { ...attempt, stored: null },
    reviewed: objected,
    held,
    secrets: stopped.flatMap(secretsIn),
    hands: session.hands,
    agreedHands: session.agreedHands,
    picture,
    seenBy: new Map(),
  });
  session.tell({ type: 'approval.requested', at: session.at(), operation_id, review });
  session.clock.after(maxWaitMs, () => void session.rejectWaiting(operation_id, 'request.expired'));
  return ok(finish(session, attempt, { status: 'pending_approval', audit_id, review }));
}

/** Of the address no more than the record has. */
const secretsIn = ({ facts: { address, method }, secrets }: Stopped): SecretToSend[] => {
  const { origin, pathname } = new URL(address.url);
  const how = place.shape.method.safeParse(method);
  return secrets.map(({ credentialId, field, at }) => ({
    credentialId,
    field,
    place: { origin, path: pathname.slice(0, 2048), method: how.data ?? 'UNSAID', field: at },
  }));
};

/** Lets exactly the requests go that a person agreed to. */
export async function sendApproved(
  session: Session,
  warn: Warn,
  attempt: Attempt,
  { reviewed, held }: PendingOperation,
): Promise<Answer> {
  session.sent.begin(attempt, reviewed, session.browser);
  session.sent.agree(held);
  const released = await session.ending.before(session.browser.release(held));
  const stopped = session.sent.end();
  if (stopped.length > 0 && !session.isOver) return answerStopped(session, warn, attempt, reviewed, stopped);
  const done = released === 'over' ? fail(ended) : released;
  const recorded = await session.record({
    eventType: 'sandbox_operation',
    who: attempt.who,
    detail: {
      phase: 'outcome',
      operationId: attempt.operationId,
      status: done.ok ? 'executed' : 'failed',
      ...(done.ok ? {} : { problem: done.error.code }),
    },
  });
  if (!recorded.ok) return recorded;
  const answer = done.ok
    ? ({ status: 'executed' } as const)
    : { status: 'failed' as const, error: done.error };
  return ok(finish(session, attempt, { ...answer, audit_id: recorded.value, review: reviewed.review }));
}

const ended = {
  code: 'interrupted',
  message: 'The session ended during this operation. It is not known whether it was done.',
} as const;

/** Returns the review with the findings of the element's rules and of the requests together. */
function withRules(reviewed: Reviewed, verdict: 'ask' | 'deny', stopped: readonly Stopped[]): Reviewed {
  const found = new Map<string, RuleFinding>();
  for (const finding of [...reviewed.review.rules, ...stopped.flatMap(({ rules }) => rules)])
    if (finding.rule !== 'none') found.set(finding.rule, finding);
  return { ...reviewed, review: { ...reviewed.review, verdict, rules: [...found.values()] } };
}

const detailOf = (
  { operationId, operation, approvedBy }: Attempt,
  { review }: Reviewed,
  stopped: readonly Stopped[],
) => ({
  operationId,
  operationType: operation.operation_type,
  ...(approvedBy !== null && { approvedBy }),
  requests: stopped.map(({ facts }) => facts),
  requestReviews: stopped.map(({ waived, beyondFacts }) => ({
    ...(waived.length > 0 && { waived }),
    ...(beyondFacts.length > 0 && { beyondFacts }),
  })),
  rulesDigest,
  verdict: review.verdict,
  rules: review.rules.map(({ rule, verdict }) => ({ rule, verdict })),
});
