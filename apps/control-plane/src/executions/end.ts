import type { CommandReply } from '@countersign/protocol/enclave/commands';
import type { EndedStatus, ExecutionProblem, HitlDecision } from '@countersign/protocol/control/execution';
import type { Queryable } from '@countersign/service/sql';
import type { Enclave } from '../enclave.ts';
import type { Signals } from '../signals.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { endEventOf, eventOf } from './events.ts';
import { settleRotation } from '../rotations/settle.ts';
import { hitlProofOf } from './hitl-proof.ts';
import type { Sealing } from './sealing.ts';
import { endExecution, type StoredExecution } from './store.ts';

export type EndParts = {
  readonly enclave: Enclave;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly signals: Pick<Signals, 'tell'>;
  readonly sealing: Sealing;
  readonly now: () => Date;
};

/** Why something ends that did not run, or of which nobody knows whether it did. */
export type Conclusion = {
  readonly status: Exclude<EndedStatus, 'completed'>;
  readonly problem: ExecutionProblem | null;
  /** The actor's name in audit records. */
  readonly actor: string;
};

export const endedSignal = (id: string): string => `ended ${id}`;

/**
 * In a transaction: ends an execution, tells the webhooks and whoever waits. Null where it is in another state by now, or in
 * other hands. `body`: what the service answered, as the enclave gave it.
 */
export async function finish(
  parts: EndParts,
  db: Queryable,
  execution: StoredExecution,
  {
    ended: { status, problem, proof, auditId },
    body,
    durationMs,
  }: {
    readonly ended: CommandReply<'control.conclude'>;
    readonly body: Buffer;
    readonly durationMs: number;
  },
): Promise<StoredExecution | null> {
  const { webhooks, signals, sealing, now } = parts;
  const data = body.length === 0 ? null : await sealing.seal(execution, 'data', body);
  const how = { status, problem, proof, auditId, data, durationMs, at: now() };
  const ended = await endExecution(db, execution, how);
  if (ended === null) return null;
  await settleRotation(parts, db, ended);
  const type = endEventOf(ended);
  if (type !== null) await webhooks.emit(db, eventOf(type, ended));
  await signals.tell(db, endedSignal(ended.id));
  return ended;
}

/**
 * In a transaction that holds the execution: ends what did not run, with receipt and record of the enclave. Where the enclave
 * knows of a run that it had come to an end, it ends as that; where an attempt was cut off, nobody knows whether it was done.
 */
export async function conclude(
  parts: EndParts,
  db: Queryable,
  execution: StoredExecution,
  conclusion: Conclusion,
): Promise<StoredExecution | null> {
  const answer = await parts.enclave.call('control.conclude', {
    ...describe(execution, await hitlProofOf(db, execution)),
    paramsHash: execution.paramsHash,
    ...(execution.attempt === 0 ? conclusion : afterAttempt(conclusion)),
  });
  if (!answer.ok) throw new Error(`the enclave refused control.conclude: ${answer.error.code}`);
  const { reply: ended, body } = answer.value;
  return finish(parts, db, execution, { ended, body, durationMs: ranFor(execution, parts.now()) });
}

/** Returns the conclusion of an execution that was started once and then interrupted. */
function afterAttempt(conclusion: Conclusion): Conclusion {
  const { status, problem, actor } = conclusion;
  if (status === 'outcome_unknown') return conclusion;
  const why = `it was interrupted, and ended before it was retried (${problem?.code ?? status})`;
  const message = `${why}: ask the service whether it was done`;
  return { status: 'outcome_unknown', problem: { code: 'outcome_unknown', message }, actor };
}

/** Returns what the enclave records and signs. */
export const describe = (execution: StoredExecution, hitlProof: HitlDecision[] | null) => ({
  tenantId: execution.tenantId,
  executionId: execution.id,
  userId: execution.userId,
  agent: execution.createdBy,
  service: execution.service,
  action: execution.action,
  policyId: execution.policyId,
  policyVersion: execution.policyVersion,
  policyDigest: execution.policyDigest,
  riskTier: execution.riskTier,
  hitlProof,
});

const ranFor = ({ status, tokenSpentAt }: StoredExecution, now: Date): number =>
  status === 'running' && tokenSpentAt !== null ? Math.max(0, now.getTime() - tokenSpentAt.getTime()) : 0;
