import type { Address } from '@countersign/protocol/address';
import type { Execution } from '@countersign/protocol/control/execution-routes';
import { ok, type Result } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { ask } from '../enclave.ts';
import { conclude, type EndParts } from '../executions/end.ts';
import { eventOf } from '../executions/events.ts';
import { enqueue } from '../executions/queue.ts';
import { asRevoked } from '../executions/revoked.ts';
import { noSuchExecution } from '../executions/routes.ts';
import type { ShowWhole } from '../executions/show.ts';
import { holdExecution, noteAuditRef, queueExecution, type StoredExecution } from '../executions/store.ts';
import type { Jobs } from '../jobs.ts';
import { isKeyRevoked } from '../keys/store.ts';
import { approvedFor } from '../people/store.ts';
import { type Answer, type Refusal, refusal } from '../refusal.ts';
import { isAsker, isNamed } from './approvers.ts';
import { expire, isOver } from './expiry.ts';
import { signerOf } from './signer.ts';
import { countApprovals, insertDecision, type NewDecision } from './store.ts';

export type DecideParts = EndParts & {
  readonly pool: Pool;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly show: ShowWhole;
};

type DecideHandler = ControlHandlers['decideExecution'];
type Said = Parameters<DecideHandler>[0]['body'];

/**
 * Records an approver's decision about a waiting execution. Decisions are serialized across nodes, so that
 * each counts once.
 */
export const decideExecution =
  (parts: DecideParts): DecideHandler =>
  async ({ body, params: { execution_id: id = '' }, caller }) => {
    if (!isUuid(id)) return noSuchExecution;
    return inTransaction(parts.pool, async (db): Promise<Answer<Execution>> => {
      const held = await holdExecution(db, caller.tenantId, id);
      if (held === null) return noSuchExecution;
      if (held.status !== 'pending_hitl') return tooLate(held.status);
      const at = parts.now();
      if (isOver(held, at)) {
        await expire(parts, db, held);
        return tooLate('expired');
      }
      const allowed = whoSays(held, body, caller);
      if (!allowed.ok) return allowed;
      if (await isKeyRevoked(db, held.keyId)) {
        await conclude(parts, db, held, { ...asRevoked, actor: 'control-plane' });
        return tooLate('cancelled');
      }
      const wallet = allowed.value;
      const { person } = caller;
      const before =
        person === undefined || body.decision === 'deny' ? null : await approvedFor(db, id, person.account);
      if (before !== null) return refusal('conflict', 'somebody of your account has already approved it');
      const decision = decisionOf(held, body, { caller, wallet, at });
      if (!(await insertDecision(db, decision)))
        return refusal('conflict', 'this key or this wallet has already decided');
      const draft = recordOf(held, decision, caller);
      const { auditId } = await ask(parts.enclave, 'control.record', { draft });
      await noteAuditRef(db, id, auditId);
      return ok(await parts.show(db, await takeEffect(parts, db, { ...held, auditRef: auditId }, decision)));
    });
  };

const tooLate = (status: string) => refusal('conflict', `it is ${status}: it no longer waits for approval`);

/** The wallet that signed, or null for none; a refusal where this caller may not decide. */
function whoSays(
  execution: StoredExecution,
  { decision, hitl_proof }: Said,
  { keyId, name, person }: Caller,
): Result<Address | null, Refusal> {
  const wallet = hitl_proof === undefined ? null : signerOf(decidedOf(execution, decision), hitl_proof);
  if (hitl_proof !== undefined && wallet === null)
    return refusal(
      'invalid_request',
      'hitl_proof: must be a signature of 65 bytes with v 27 or 28 and low s (EIP-2)',
    );
  if (isAsker(execution, { keyId, name, wallet, account: person?.account ?? null }))
    return refusal('self_approval', 'you cannot decide about what you requested or what is done for you');
  return isNamed(execution.approvers ?? [], { name, wallet })
    ? ok(wallet)
    : refusal('not_an_approver', 'the policy names other approvers, by key or by the wallet that must sign');
}

const decidedOf = (execution: StoredExecution, decision: Said['decision']) => ({
  executionId: execution.id,
  policyId: execution.policyId,
  policyVersion: execution.policyVersion,
  service: execution.service,
  action: execution.action,
  paramsHash: execution.paramsHash,
  decision,
});

type Who = { readonly caller: Caller; readonly wallet: Address | null; readonly at: Date };

const decisionOf = (
  { id }: StoredExecution,
  { decision, comment, hitl_proof }: Said,
  { caller, wallet, at }: Who,
): NewDecision => ({
  executionId: id,
  keyId: caller.keyId,
  approver: caller.name,
  decision,
  comment: comment ?? null,
  wallet,
  signature: hitl_proof ?? null,
  at,
});

/** The first denial ends it; with the last approval it waits to be run. */
async function takeEffect(
  parts: DecideParts,
  db: Queryable,
  execution: StoredExecution,
  { decision, approver }: NewDecision,
): Promise<StoredExecution> {
  if (decision === 'deny') {
    const conclusion = { ...asDenied, actor: `key:approver:${approver}` };
    return changed(await conclude(parts, db, execution, conclusion));
  }
  if ((await countApprovals(db, execution.id)) < (execution.quorum ?? 1)) return execution;
  const queued = changed(await queueExecution(db, execution));
  await enqueue(db, parts.jobs, queued);
  await parts.webhooks.emit(db, eventOf('execution.approved', queued));
  return queued;
}

const asDenied = {
  status: 'denied',
  problem: { code: 'hitl_denied', message: 'an approver denied it' },
} as const;

function changed(execution: StoredExecution | null): StoredExecution {
  if (execution === null) throw new Error('an execution was changed while it was held');
  return execution;
}

/** Whatever people write beside it stays out: it is theirs, and a record can never be taken back. */
const recordOf = (execution: StoredExecution, said: NewDecision, caller: Caller) => ({
  eventType: 'human_approval_received' as const,
  tenantId: execution.tenantId,
  actor: actorOf(caller),
  detail: {
    execution_id: execution.id,
    user_id: execution.userId,
    policy_id: execution.policyId,
    policy_version: execution.policyVersion,
    service: execution.service,
    action: execution.action,
    params_hash: execution.paramsHash,
    decision: said.decision,
    approver: said.approver,
    method: said.wallet === null ? 'key' : 'wallet',
    ...(said.wallet !== null && { wallet: said.wallet, signature: said.signature }),
  },
});
