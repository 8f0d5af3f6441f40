import { hash, randomUUID } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import type { Execution, NewExecution } from '@countersign/protocol/control/execution-routes';
import { ok, type Result } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { takesAction } from '../connectors/actions.ts';
import { findConnectorOf, type StoredConnector } from '../connectors/store.ts';
import { ask } from '../enclave.ts';
import type { Jobs } from '../jobs.ts';
import type { createDeciders } from '../policy/deciders.ts';
import { type CedarValue, readParams } from '../policy/params.ts';
import { type Answer, type Refusal, refusal } from '../refusal.ts';
import { conclude, type EndParts } from './end.ts';
import { eventOf } from './events.ts';
import { fingerprintOf, keyInUse, keyReused, readIdempotencyKey, replayed } from './idempotency.ts';
import { type Judgement, judge } from './judge.ts';
import { isEnded } from './life.ts';
import { enqueue } from './queue.ts';
import { approvalRecord, requestRecord } from './records.ts';
import type { ShowWhole } from './show.ts';
import {
  confirmByBatch,
  findByIdempotencyKey,
  insertExecution,
  noteAuditRef,
  noteFirstAnswer,
  type StoredExecution,
} from './store.ts';
import type { WaitForEnd } from './wait.ts';

/** What is asked of people. */
export type Approvals = {
  /** In a transaction: id of a batch that stands in for people, used up by one; null: people must be asked. */
  readonly useBatch: (
    db: Queryable,
    execution: StoredExecution,
    params: CedarValue,
  ) => Promise<string | null>;
  /** In a transaction: from now on people are waited for, until `approvalExpiresAt`. */
  readonly begin: (db: Queryable, execution: StoredExecution) => Promise<void>;
};

export type CreateParts = EndParts & {
  readonly pool: Pool;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly approvals: Approvals;
  readonly deciderOf: ReturnType<typeof createDeciders>;
  readonly show: ShowWhole;
  readonly waitForEnd: WaitForEnd;
};

/** How long a sync caller waits beyond the time that the run may take. */
const queuePatienceMs = 10_000;

type CreateHandler = ControlHandlers['createExecution'];

/** Has an action done once: the same request again gets the same answer. */
export function createExecution(parts: CreateParts): CreateHandler {
  return async ({ body, headers, caller }) => {
    const key = readIdempotencyKey(headers.get('idempotency-key'));
    if (!key.ok) return key;
    const params = readParams(body.params);
    if (!params.ok) return refusal('invalid_request', params.error);
    const fingerprint = fingerprintOf('POST /v1/executions', body);
    const asked = { body, params: params.value, caller, fingerprint, idempotencyKey: key.value };
    const known = await findByIdempotencyKey(parts.pool, caller, key.value);
    if (known !== null) return replay(parts, known, fingerprint);
    const made = await make(parts, asked);
    if (!made.ok) return made;
    if (made.value !== null) return answer(parts, made.value);
    const first = await findByIdempotencyKey(parts.pool, caller, key.value);
    return first === null ? keyInUse : replay(parts, first, fingerprint);
  };
}

type Asked = {
  readonly body: NewExecution;
  readonly params: CedarValue;
  readonly caller: Caller;
  readonly fingerprint: Buffer;
  readonly idempotencyKey: string;
};

/** What the first request was answered, or that it is not answered yet. */
async function replay(
  { pool, sealing, show }: CreateParts,
  execution: StoredExecution,
  fingerprint: Buffer,
): Promise<Answer<Execution>> {
  if (!execution.fingerprint.equals(fingerprint)) return keyReused;
  if (execution.firstAnswer !== null) {
    const text = await sealing.open(execution, 'first_answer', execution.firstAnswer);
    return { ...ok(JSON.parse(text) as Execution), status: 202, headers: replayed };
  }
  if (!isEnded(execution.status)) return keyInUse;
  return { ...shownAs(execution, await show(pool, execution)), headers: replayed };
}

/** The answer to a new one: at once where it ended or is waited for elsewhere, else when it ended. */
async function answer(parts: CreateParts, made: Made): Promise<Answer<Execution>> {
  const { pool, show, waitForEnd } = parts;
  if (made.shown !== null) return shownAs(made.execution, made.shown);
  const { execution } = made;
  const then = await waitForEnd(execution, execution.timeoutSeconds * 1000 + queuePatienceMs);
  if (isEnded(then.status)) return ok(await show(pool, then));
  return { ...ok(await answerFirst(parts, pool, then)), status: 202 };
}

/** 200 is for a sync caller alone, whose execution has ended. */
const shownAs = ({ mode, status }: StoredExecution, shown: Execution) =>
  mode === 'sync' && isEnded(status) ? ok(shown) : { ...ok(shown), status: 202 as const };

/** `shown`: the answer, where it is known; else it is waited for. */
type Made = { readonly execution: StoredExecution; readonly shown: Execution | null };

/** The new execution, once its record is on disk; null where there is one of this key already. */
function make(parts: CreateParts, asked: Asked): Promise<Result<Made | null, Refusal>> {
  const { pool, deciderOf } = parts;
  const { body, caller, params } = asked;
  const { tenantId } = caller;
  return inTransaction(pool, async (db): Promise<Result<Made | null, Refusal>> => {
    const connector = await findConnectorOf(db, tenantId, body.service);
    if (connector === null) return refusal('not_found', `there is no connector of this service`);
    if (!takesAction(connector, body.action))
      return refusal('invalid_request', 'action: is none of the connector of this service');
    const { policy_id: policyId, user_id: userId, service, action } = body;
    const judged = await judge(
      db,
      deciderOf,
      { tenantId, policyId, userId, service, action, params },
      connector,
    );
    if (judged === null) return refusal('not_found', 'there is no such policy');
    const draft = await newExecution(parts, asked, connector, judged);
    if (!(await insertExecution(db, draft, asked.idempotencyKey))) return ok(null);
    return ok(await begin(parts, db, draft, { asked, connector, judged }));
  });
}

async function newExecution(
  { sealing, now }: CreateParts,
  { body, caller, fingerprint }: Asked,
  connector: StoredConnector,
  { policy, verdict, problem }: Judgement,
): Promise<StoredExecution> {
  const at = now();
  const id = randomUUID();
  const text = Buffer.from(canonicalText(body.params));
  const duties = problem === null ? verdict.duties : null;
  return {
    id,
    tenantId: caller.tenantId,
    keyId: caller.keyId,
    createdBy: caller.name,
    fingerprint,
    status: duties === null ? 'pending' : 'pending_hitl',
    mode: body.mode,
    userId: body.user_id,
    service: body.service,
    action: body.action,
    connectorId: connector.id,
    policyId: policy.policyId,
    policyVersion: policy.version,
    policyDigest: policy.digest,
    determining: verdict.determining,
    riskTier: verdict.riskTier,
    params: await sealing.seal({ tenantId: caller.tenantId, id }, 'params', text),
    paramsHash: `sha256:${hash('sha256', text)}`,
    data: null,
    firstAnswer: null,
    timeoutSeconds: body.timeout_seconds,
    quorum: duties?.quorum ?? null,
    approvers: duties?.approvers ?? null,
    approvalExpiresAt: duties === null ? null : new Date(at.getTime() + duties.timeoutSeconds * 1000),
    batchId: null,
    attempt: 0,
    lease: null,
    leaseUntil: null,
    jti: null,
    tokenExp: null,
    tokenSpentAt: null,
    problem: null,
    proof: null,
    auditRef: '',
    durationMs: 0,
    createdAt: at,
    endedAt: null,
  };
}

type Begun = { readonly asked: Asked; readonly connector: StoredConnector; readonly judged: Judgement };

/** Records a new execution and sets it going: to its end where it is denied, else to people or to a worker. */
async function begin(
  parts: CreateParts,
  db: Queryable,
  draft: StoredExecution,
  { asked: { caller, params }, connector, judged }: Begun,
): Promise<Made> {
  const { approvals, enclave, webhooks, jobs, show } = parts;
  const asksPeople = draft.status === 'pending_hitl';
  const batchId = asksPeople ? await approvals.useBatch(db, draft, params) : null;
  const asked = batchId === null ? draft : await confirmByBatch(db, draft, batchId);
  const record = requestRecord(asked, connector, judged, actorOf(caller));
  const { auditId } = await ask(enclave, 'control.record', { draft: record });
  const recorded = { ...asked, auditRef: auditId };
  await noteAuditRef(db, draft.id, auditId);
  await webhooks.emit(db, eventOf('execution.created', recorded));
  if (judged.problem !== null) {
    const conclusion = { status: 'denied', problem: judged.problem, actor: actorOf(caller) } as const;
    const denied = await conclude(parts, db, recorded, conclusion);
    if (denied === null) throw new Error('an execution was changed by somebody before it was there');
    return { execution: denied, shown: await show(db, denied) };
  }
  if (recorded.status === 'pending_hitl') {
    const execution = await askPeople(parts, db, recorded, actorOf(caller));
    return { execution, shown: await answerFirst(parts, db, execution) };
  }
  await enqueue(db, jobs, recorded);
  return {
    execution: recorded,
    shown: recorded.mode === 'async' ? await answerFirst(parts, db, recorded) : null,
  };
}

async function askPeople(
  { enclave, webhooks, approvals }: CreateParts,
  db: Queryable,
  execution: StoredExecution,
  actor: string,
): Promise<StoredExecution> {
  const { auditId } = await ask(enclave, 'control.record', { draft: approvalRecord(execution, actor) });
  const asked = { ...execution, auditRef: auditId };
  await noteAuditRef(db, execution.id, auditId);
  await approvals.begin(db, asked);
  await webhooks.emit(db, eventOf('execution.pending_hitl', asked));
  return asked;
}

/** The answer before the end, kept for whoever asks the same again. */
async function answerFirst(
  { show, sealing }: CreateParts,
  db: Queryable,
  execution: StoredExecution,
): Promise<Execution> {
  const shown = await show(db, execution);
  const text = Buffer.from(JSON.stringify(shown));
  await noteFirstAnswer(db, execution.id, await sealing.seal(execution, 'first_answer', text));
  return shown;
}
