import { fail, ok, type Result } from '@countersign/protocol/result';
import type { RuleFinding } from '@countersign/protocol/vault/review';
import type { OperationProblem } from '@countersign/protocol/vault/sandbox';
import type { Observation } from '@countersign/review/observation';
import type { Roots } from '../../credential/envelope.ts';
import type { Session } from '../session.ts';
import { withAddress } from './address.ts';
import type { Attempt } from './attempt.ts';
import { type Answer, finish } from './finish.ts';
import type { PendingOperation } from './pending.ts';
import { answerOf, leave } from './answer.ts';
import { changesPage, usesPage } from './hands.ts';
import { writtenIn } from './written.ts';
import { CannotLend, type Inspected, inspect, textOf } from './lend.ts';
import { answerStopped } from './stopped.ts';
import { pictureOf } from './picture.ts';
import { learn } from './places.ts';
import { WorkerFailed } from '../worker/session-worker.ts';
import { review, type Reviewer } from './review.ts';
import { agreedNow, isSame, type Objection, objecting, type Reviewed, reviewDetail } from './reviewed.ts';

/** Shared by the operations of all sessions. */
export type OperationParts = Reviewer & {
  readonly roots: Roots;
  /** Logs what should not happen. Never pass it text of a page. */
  readonly warn: (what: string, why: unknown) => void;
};

/** Most operations of a session that wait for a person. */
const maxPending = 32;

/** Observe, judge, record, act, record: nothing is done before the record of it is on disk. */
export async function execute(session: Session, parts: OperationParts, attempt: Attempt): Promise<Answer> {
  const { operationId: operation_id, operation } = attempt;
  session.tell({
    type: 'operation.started',
    at: session.at(),
    operation_id,
    operation_type: operation.operation_type,
  });
  // The worker hears what was written before the page is copied for it.
  const [isFull, observation] = await Promise.all([
    write(session, attempt),
    observe(session, parts, attempt),
  ]);
  session.hands += session.browser.takeMoves();
  if (isFull === null) return tooCostly(session, attempt);
  if (observation === null) return cutOff(session, attempt);
  const judged = await review(session, parts, attempt, observation, isFull);
  if (judged === null) return tooCostly(session, attempt);
  const lent =
    judged.review.verdict === 'allow'
      ? lendable(session, parts, attempt, judged)
      : ok<Lendable>({ reviewed: judged, inspected: null });
  if (!lent.ok) return lent;
  const { reviewed, inspected } = lent.value;
  session.tell({ type: 'operation.reviewed', at: session.at(), operation_id, review: reviewed.review });
  switch (reviewed.review.verdict) {
    case 'deny':
      return reject(session, attempt, reviewed);
    case 'ask':
      return askPerson(session, parts, attempt, reviewed);
    case 'allow':
      return act(session, parts, attempt, reviewed, inspected);
  }
}

/** Returns whether what it writes has more words than there is room for; null where that took too much. */
async function write({ worker }: Session, { operation }: Attempt): Promise<boolean | null> {
  try {
    const { isFull } = await worker.write(writtenIn(operation));
    return isFull;
  } catch (error) {
    if (error instanceof WorkerFailed) return null;
    throw error;
  }
}

const changed: Objection = {
  rule: 'approval.page-changed',
  verdict: 'deny',
  message:
    'The page has changed since a person approved this. Read it again, and request the operation again.',
};

/** Runs what a person agreed to, if the page is still what it was then. */
export async function executeApproved(
  session: Session,
  parts: OperationParts,
  attempt: Attempt,
  { reviewed: agreed, hands, agreedHands }: Pick<PendingOperation, 'reviewed' | 'hands' | 'agreedHands'>,
  observation: Observation | null,
): Promise<Answer> {
  // To bring into view what was agreed to is part of it.
  session.browser.takeMoves();
  if (observation === null) return cutOff(session, attempt);
  // The second judge has spoken already, and heard the same facts.
  const hadManyWords = agreed.facts.operation.words === 'too-many';
  const seen = await review(session, { ...parts, secondJudge: null }, attempt, observation, hadManyWords);
  if (seen === null) return tooCostly(session, attempt);
  const now = agreedNow(agreed, seen);
  const isBound = usesPage(attempt.operation);
  const isTouched = isBound && hands !== session.hands;
  // What was agreed to meanwhile may have filled the form.
  if (isTouched || !isSame(agreed, now, isBound && agreedHands === session.agreedHands))
    return reject(session, attempt, objecting(now, changed));
  const lent = lendable(session, parts, attempt, now);
  if (!lent.ok) return lent;
  const { reviewed, inspected } = lent.value;
  return reviewed.review.verdict === 'deny'
    ? reject(session, attempt, reviewed)
    : act(session, parts, attempt, reviewed, inspected);
}

/** Null when the browser is gone or does not answer. */
export async function observe(
  session: Session,
  { warn }: OperationParts,
  { operation }: Attempt,
): Promise<Observation | null> {
  try {
    const seen = await session.ending.before(session.browser.observe(operation));
    return seen === 'over' ? null : seen;
  } catch (error) {
    warn('the page could not be observed', error);
    return null;
  }
}

type Lendable = { readonly reviewed: Reviewed; readonly inspected: Inspected | null };

/**
 * Returns whether the credential that placeholders mean is there, and as it must be. It is looked into when
 * all else is agreed.
 */
export function lendable(session: Session, { roots }: OperationParts, attempt: Attempt, reviewed: Reviewed) {
  const { fields } = reviewed.facts.operation;
  if (fields.length === 0) return ok<Lendable>({ reviewed, inspected: null });
  if (attempt.stored === null) return fail({ code: 'INVALID_COMMAND', field: 'credential' } as const);
  const inspected = inspect(roots, attempt.stored, fields, session.clock.now());
  if (inspected.ok) return ok<Lendable>({ reviewed, inspected: inspected.value });
  return 'code' in inspected.error
    ? fail(inspected.error)
    : ok<Lendable>({ reviewed: objecting(reviewed, inspected.error), inspected: null });
}

async function reject(session: Session, attempt: Attempt, reviewed: Reviewed): Promise<Answer> {
  const recorded = await session.record({
    eventType: 'policy_rejected',
    who: attempt.who,
    detail: detailOf(attempt, reviewed),
  });
  if (!recorded.ok) return recorded;
  const { review } = reviewed;
  return ok(finish(session, attempt, { status: 'rejected', audit_id: recorded.value, review }));
}

const costly: RuleFinding = {
  rule: 'review.too-costly',
  verdict: 'deny',
  message:
    'The review took too much time or memory, and nothing was done. Make the operation shorter and simpler.',
};

/** Refuses an operation that cannot be reviewed within the limits. */
async function tooCostly(session: Session, attempt: Attempt): Promise<Answer> {
  if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
  const { operationId, operation, who } = attempt;
  const rules = [{ rule: costly.rule, verdict: costly.verdict }];
  const detail = { operationId, operationType: operation.operation_type, verdict: 'deny', rules };
  const recorded = await session.record({ eventType: 'policy_rejected', who, detail });
  if (!recorded.ok) return recorded;
  const review = { verdict: costly.verdict, rules: [costly], duration_ms: 0 };
  return ok(finish(session, attempt, { status: 'rejected', audit_id: recorded.value, review }));
}

const tooMany: Objection = {
  rule: 'approval.too-many',
  verdict: 'deny',
  message: 'Too many operations of this session are waiting for a person. Wait until they are decided.',
};

async function askPerson(
  session: Session,
  parts: OperationParts,
  attempt: Attempt,
  reviewed: Reviewed,
): Promise<Answer> {
  if (session.pending.size >= maxPending) return reject(session, attempt, objecting(reviewed, tooMany));
  const recording = session.record({
    eventType: 'human_approval_requested',
    who: attempt.who,
    detail: detailOf(attempt, reviewed),
  });
  // To look changes nothing, so it is done while the record is written.
  const picture = await pictureOf(session, parts.warn, attempt);
  const recorded = await recording;
  if (!recorded.ok) return recorded;
  if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
  const { review } = reviewed;
  session.pending.set(attempt.operationId, {
    attempt: { ...attempt, stored: null },
    reviewed,
    held: [],
    secrets: [],
    hands: session.hands,
    agreedHands: session.agreedHands,
    picture,
    seenBy: new Map(),
  });
  session.tell({
    type: 'approval.requested',
    at: session.at(),
    operation_id: attempt.operationId,
    review,
  });
  return ok(finish(session, attempt, { status: 'pending_approval', audit_id: recorded.value, review }));
}

async function act(
  session: Session,
  parts: OperationParts,
  attempt: Attempt,
  reviewed: Reviewed,
  inspected: Inspected | null,
): Promise<Answer> {
  const intent = await session.record({
    eventType: 'sandbox_operation',
    who: attempt.who,
    ...(inspected !== null && attempt.meant !== null && { credentialId: attempt.meant.credentialId }),
    detail: { phase: 'intent', ...detailOf(attempt, reviewed) },
  });
  if (!intent.ok) return intent;
  const begin = session.clock.elapsed();
  const meant = await withAddress(session, attempt);
  session.sent.begin(meant.ok ? meant.value : attempt, reviewed, session.browser);
  if (changesPage(attempt.operation, reviewed))
    if (attempt.approvedBy === null) session.hands += 1;
    else session.agreedHands += 1;
  const done = meant.ok ? await perform(session, parts, meant.value, reviewed, inspected) : meant;
  const stopped = session.sent.end();
  if (stopped.length > 0 && !session.isOver)
    return answerStopped(session, parts.warn, attempt, reviewed, stopped);
  const durationMs = Math.round(session.clock.elapsed() - begin);
  return conclude(session, parts, attempt, { reviewed, inspected, done, durationMs, intent: intent.value });
}

type Performed = {
  readonly reviewed: Reviewed;
  readonly inspected: Inspected | null;
  readonly done: Awaited<ReturnType<typeof perform>>;
  readonly durationMs: number;
  /** Id of the record that was on disk before. */
  readonly intent: string;
};

/** Answers once it is on disk what became of it and what leaves by the answer. */
async function conclude(
  session: Session,
  parts: OperationParts,
  attempt: Attempt,
  { reviewed, inspected, done, durationMs, intent }: Performed,
): Promise<Answer> {
  // What will be told of the session is made while the record is written.
  void session.state();
  const result = done.ok ? await answerOf(session, reviewed, done.value) : null;
  const [recorded, left] = await Promise.all([
    recordOutcome(session, attempt, done, { intent, durationMs }),
    leave(session, parts, attempt, { intent, result }),
  ]);
  if (!recorded.ok) return recorded;
  if (!left.ok) return left;
  const learned = await learn(session, attempt, reviewed, done.ok);
  if (!learned.ok) return learned;
  const outcome = done.ok
    ? { status: 'executed' as const, result, ...(left.value !== null && { left: left.value }) }
    : { status: 'failed' as const, error: done.error };
  const review = withWarning(reviewed, inspected);
  const answer = finish(session, attempt, { ...outcome, audit_id: intent, review });
  return ok(learned.value === null ? answer : { ...answer, learned: learned.value });
}

const recordOutcome = (
  session: Session,
  { who, operationId }: Attempt,
  done: Result<unknown, OperationProblem>,
  about: { readonly intent: string; readonly durationMs: number },
) =>
  session.record({
    eventType: 'sandbox_operation',
    who,
    detail: {
      phase: 'outcome',
      operationId,
      status: done.ok ? 'executed' : 'failed',
      ...(done.ok ? {} : { problem: done.error.code }),
      ...about,
    },
  });

const interrupted: OperationProblem = {
  code: 'interrupted',
  message: 'The session ended or was paused during this operation. It is not known whether it was done.',
};

/** Never rejects. What a browser throws may hold text of the page, and goes nowhere. */
async function perform(
  session: Session,
  { roots, warn }: OperationParts,
  attempt: Attempt,
  reviewed: Reviewed,
  inspected: Inspected | null,
) {
  if (!session.isActive) return fail(interrupted);
  try {
    const text = textOf(session, roots, attempt, reviewed, inspected);
    const done = await session.ending.before(
      session.browser.perform(attempt.operation, text, reviewed.script),
    );
    return done === 'over' ? fail(interrupted) : done;
  } catch (error) {
    if (error instanceof CannotLend)
      return fail<OperationProblem>({ code: 'not_permitted', message: error.message });
    warn('an operation failed', error);
    return fail(interrupted);
  }
}

/** Nothing was done, since the page could not be looked at; that much is recorded. */
async function cutOff(session: Session, attempt: Attempt): Promise<Answer> {
  if (session.isOver) return fail({ code: 'SESSION_NOT_ACTIVE' });
  const { operationId, operation, who } = attempt;
  const recorded = await session.record({
    eventType: 'sandbox_operation',
    who,
    detail: {
      phase: 'outcome',
      operationId,
      operationType: operation.operation_type,
      status: 'failed',
      problem: 'timeout',
    },
  });
  if (!recorded.ok) return recorded;
  return ok(
    finish(session, attempt, {
      status: 'failed',
      audit_id: recorded.value,
      error: {
        code: 'timeout',
        message: 'The page does not respond. Nothing was done; navigate elsewhere or wait.',
      },
      review: { verdict: 'allow', rules: [], duration_ms: 0 },
    }),
  );
}

const unmaskable: RuleFinding = {
  rule: 'masking.unmaskable',
  verdict: 'allow',
  message: 'A secret of this credential is so short that it cannot be masked: the page’s text may show it.',
};

/** Told beside the rules: it changes no verdict. */
const withWarning = ({ review }: Reviewed, inspected: Inspected | null): Reviewed['review'] =>
  inspected === null || inspected.unmaskable.length === 0
    ? review
    : { ...review, rules: [...review.rules, unmaskable] };

const detailOf = ({ operationId, operation, approvedBy }: Attempt, reviewed: Reviewed) => ({
  operationId,
  operationType: operation.operation_type,
  ...(approvedBy !== null && { approvedBy }),
  ...reviewDetail(reviewed),
});
