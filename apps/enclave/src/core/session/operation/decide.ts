import { fail, ok } from '@countersign/protocol/result';
import type { Session } from '../session.ts';
import { asStored, type StoredCredential } from './attempt.ts';
import { type Answer, finish } from './finish.ts';
import { sendApproved } from './stopped.ts';
import { executeApproved, lendable, observe, type OperationParts } from './execute.ts';

export type Decision = {
  readonly operationId: string;
  /** Who decides. That it is not who asked, the vault has checked. */
  readonly actor: string;
  readonly decision: 'approve' | 'reject';
  readonly stored: StoredCredential | null;
};

/** Runs or rejects an operation that waits for a person, once the record of the decision is on disk. */
export async function decide(
  session: Session,
  parts: OperationParts,
  { operationId, actor, decision, stored }: Decision,
): Promise<Answer> {
  const waiting = session.pending.get(operationId);
  if (waiting === undefined) return fail({ code: 'INVALID_COMMAND', field: 'operationId' });
  const { reviewed } = waiting;
  const meant = asStored(waiting.attempt.meant, stored ?? undefined);
  const attempt = {
    ...waiting.attempt,
    meant,
    stored,
    startedAt: session.clock.elapsed(),
    approvedBy: actor,
  };
  const isSending = waiting.held.length > 0;
  if (decision === 'approve' && !isSending) {
    const lent = lendable(session, parts, attempt, reviewed);
    if (!lent.ok) return lent;
  }
  const recording = session.record({
    eventType: 'human_approval_received',
    // What a person says of an agent's act belongs to what that agent did.
    who: { ...attempt.who, actor },
    detail: { operationId, decision },
  });
  // To look changes nothing, so it is done while the record is written.
  const looking = decision === 'approve' && !isSending ? observe(session, parts, attempt) : null;
  const recorded = await recording;
  if (!recorded.ok) return recorded;
  session.pending.delete(operationId);
  session.tell({ type: 'approval.received', at: session.at(), operation_id: operationId, decision });
  if (decision === 'approve' && isSending) return sendApproved(session, parts.warn, attempt, waiting);
  session.browser.drop(waiting.held);
  if (looking !== null) return executeApproved(session, parts, attempt, waiting, await looking);
  const { review } = reviewed;
  return ok(finish(session, attempt, { status: 'rejected', audit_id: recorded.value, review }));
}
