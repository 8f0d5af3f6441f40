import { hash, randomUUID } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import type { Execution, NewExecution } from '@countersign/protocol/control/execution-routes';
import { ok, type Result } from '@countersign/protocol/result';
import type { Pool, Queryable } from '@countersign/service/sql';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { takesAction } from '../connectors/actions.ts';
import { type CheckParams, type Misfit, refuseMisfit } from '../connectors/check-params.ts';
import { whyNeverDone } from '../connectors/usable.ts';
import { findConnectorOf, type StoredConnector } from '../connectors/store.ts';
import { ask } from '../enclave.ts';
import type { Jobs } from '../jobs.ts';
import { lookFirst } from '../look-first.ts';
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

/** The questions put to people. */
export type Approvals = {
  /**
   * Uses up one execution of a batch, in a transaction, and returns the batch's id; null if people must be
   * asked.
   */
  readonly useBatch: (
    db: Queryable,
    execution: StoredExecution,
    params: CedarValue,
  ) => Promise<string | null>;
  /** Starts to wait for people until `approvalExpiresAt`, in a transaction. */
  readonly begin: (db: Queryable, execution: StoredExecution) => Promise<void>;
};

export type CreateParts = EndParts & {
  readonly pool: Pool;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly approvals: Approvals;
  readonly deciderOf: ReturnType<typeof createDeciders>;
  readonly checkParams: CheckParams;
  readonly show: ShowWhole;
  readonly waitForEnd: WaitForEnd;
};

/** How long a synchronous caller waits in addition to the run's time limit. */
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

/** Who asks: a rotation, which alone may ask for what rotates, for an execution of this id; or a caller, by what was found of the params. */
type For =
  | { readonly kind: 'rotation'; readonly id: string }
  | { readonly kind: 'caller'; readonly looked: Looked | null };

type Looked = { readonly connectorId: string; readonly misfit: Misfit | null };

async function lookAt(
  { pool, checkParams }: CreateParts,
  { caller, body: { service, action, params } }: Asked,
): Promise<Looked | null> {
  const connector = await findConnectorOf(pool, caller.tenantId, service);
  if (connector === null || !takesAction(connector, action)) return null;
  return { connectorId: connector.id, misfit: await checkParams(connector, action, params) };
}

/** Returns the answer to the first request, or that it is still in progress. */
async function replay(
  { pool, sealing, show }: CreateParts,
  execution: StoredExecution,
  fingerprint: Buffer,
): Promise<Answer<Execution>> {
  if (!execution.fingerprint.equals(fingerprint)) return keyReused;
  if (execution.firstAnswer !== null) {
    const text = await sealing.open(execution, 'first_answer', execution.firstAnswer);
    const stored = JSON.parse(text) as Partial<Execution>;
    return { ...ok(whole(stored, execution)), status: 202, headers: replayed };
  }
  if (!isEnded(execution.status)) return keyInUse;
  return { ...shownAs(execution, await show(pool, execution)), headers: replayed };
}

/** An answer of an earlier build lacks what was not told then. */
const whole = (stored: Partial<Execution>, { auditRef }: StoredExecution): Execution =>
  ({ target_status: null, audit_refs: [auditRef], ...stored }) as Execution;

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
const make = (parts: CreateParts, asked: Asked): Promise<Result<Made | null, Refusal>> =>
  lookFirst(
    parts.pool,
    () => lookAt(parts, asked),
    (db, looked) => makeIn(parts, db, asked, { kind: 'caller', looked }),
    'the service’s connector has just changed',
  );

/** The same, in a transaction that there is; null where the connector is not the one that was looked at. */
export async function makeIn(
  parts: CreateParts,
  db: Queryable,
  asked: Asked,
  by: For,
): Promise<Result<Made | null, Refusal> | null> {
  const { body, caller, params } = asked;
  const { tenantId } = caller;
  const connector = await findConnectorOf(db, tenantId, body.service);
  if (connector === null) return refusal('not_found', `no connector for this service`);
  const why = whyNotBy(by, connector, body.action);
  if (why !== null) return why;
  // A new value is made by the rules of its credential: what stands in its place fits no schema.
  if (by.kind === 'caller') {
    if (by.looked?.connectorId !== connector.id) return null;
    if (by.looked.misfit !== null) return refuseMisfit(by.looked.misfit, 'invalid_request');
  }
  const { policy_id: policyId, user_id: userId, service, action } = body;
  const what = { tenantId, policyId, userId, service, action, params };
  const judged = await judge(db, parts.deciderOf, what, connector);
  if (judged === null) return refusal('not_found', 'policy not found');
  const id = by.kind === 'rotation' ? by.id : randomUUID();
  const draft = await newExecution(parts, { ...asked, id }, connector, judged);
  if (!(await insertExecution(db, draft, asked.idempotencyKey))) return ok(null);
  return ok(await begin(parts, db, draft, { asked, connector, judged }));
}

/** Why nobody who asks so may have this done by the connector; null where they may. */
function whyNotBy({ kind }: For, connector: StoredConnector, action: string) {
  if (!takesAction(connector, action))
    return refusal('invalid_request', 'action: is not an action of this service’s connector');
  if (connector.rotation?.action === action && kind !== 'rotation') return onlyRotates;
  const why = whyNeverDone(connector, connector.credentialId !== null, action);
  return why === null ? null : refusal('invalid_request', `action: can never run: ${why}`);
}

/** Whoever asks for it with a value of their own would know the credential from then on. */
const onlyRotates = refusal(
  'invalid_request',
  'action: rotates the service’s credential: use POST /v1/vault/credentials/:id/rotations',
);

async function newExecution(
  { sealing, now }: CreateParts,
  { body, caller, fingerprint, id }: Asked & { readonly id: string },
  connector: StoredConnector,
  { policy, verdict, problem }: Judgement,
): Promise<StoredExecution> {
  const at = now();
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
