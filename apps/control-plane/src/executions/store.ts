import type {
  EndedStatus,
  ExecutionProblem,
  ExecutionStatus,
  HitlDecision,
  SignedReceipt,
} from '@countersign/protocol/control/execution';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';
import { before } from './life.ts';

/** An execution as it stands in the tables. */
export type StoredExecution = {
  readonly id: string;
  readonly tenantId: string;
  readonly keyId: string;
  /** Name of the key. */
  readonly createdBy: string;
  readonly fingerprint: Buffer;
  readonly status: ExecutionStatus;
  readonly mode: 'sync' | 'async';
  readonly userId: string;
  readonly service: string;
  readonly action: string;
  readonly connectorId: string;
  readonly policyId: string;
  readonly policyVersion: number;
  readonly policyDigest: string;
  readonly determining: readonly string[];
  readonly riskTier: string | null;
  /** Sealed, as are `data` and `firstAnswer`. */
  readonly params: Buffer;
  readonly paramsHash: string;
  readonly data: Buffer | null;
  readonly firstAnswer: Buffer | null;
  readonly timeoutSeconds: number;
  /** These three are null where nobody is asked. */
  readonly quorum: number | null;
  readonly approvers: readonly string[] | null;
  readonly approvalExpiresAt: Date | null;
  readonly batchId: string | null;
  readonly attempt: number;
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
  readonly jti: string | null;
  readonly tokenExp: Date | null;
  readonly tokenSpentAt: Date | null;
  readonly problem: ExecutionProblem | null;
  readonly proof: SignedReceipt | null;
  readonly auditRef: string;
  readonly durationMs: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

const made = [
  'id',
  'tenantId',
  'keyId',
  'createdBy',
  'fingerprint',
  'status',
  'mode',
  'userId',
  'service',
  'action',
  'connectorId',
  'policyId',
  'policyVersion',
  'policyDigest',
  'determining',
  'riskTier',
  'params',
  'paramsHash',
  'timeoutSeconds',
  'quorum',
  'approvers',
  'approvalExpiresAt',
  'batchId',
  'createdAt',
] as const;
const later = [
  'data',
  'firstAnswer',
  'attempt',
  'lease',
  'leaseUntil',
  'jti',
  'tokenExp',
  'tokenSpentAt',
  'problem',
  'proof',
  'auditRef',
  'durationMs',
  'endedAt',
] as const;
export const executionTable = sqlTable('control_plane.execution', 'e', [...made, ...later, 'idempotencyKey']);
/** Columns of `control_plane.execution e`. */
export const columns = executionTable.list(...made, ...later);

const insert = statement<{ id: string }>(
  'execution.insert',
  `${executionTable.insertInto(...made, 'idempotencyKey', 'auditRef')} values (${placeholders([...made, 'idempotencyKey'])}, '')
   on conflict (tenant_id, key_id, idempotency_key) do nothing returning id`,
);

/**
 * Keeps a new one; false where this key has another execution under this idempotency key. Waits for a transaction that is
 * just about to make it.
 */
export async function insertExecution(
  db: Queryable,
  one: StoredExecution,
  idempotencyKey: string,
): Promise<boolean> {
  const row = { ...one, determining: JSON.stringify(one.determining) };
  const inserted = await rows(db, insert, [...made.map((field) => row[field]), idempotencyKey]);
  return inserted.length > 0;
}

const find = statement<StoredExecution>(
  'execution.find',
  `select ${columns} from ${executionTable.from} where e.tenant_id = $1 and e.id = $2`,
);

export const findExecution = (db: Queryable, tenantId: string, id: string): Promise<StoredExecution | null> =>
  firstRow(db, find, [tenantId, id]);

const hold = statement<StoredExecution>(
  'execution.hold',
  `select ${columns} from ${executionTable.from} where e.tenant_id = $1 and e.id = $2 for update`,
);

/** Locks an execution until the transaction ends. */
export const holdExecution = (db: Queryable, tenantId: string, id: string): Promise<StoredExecution | null> =>
  firstRow(db, hold, [tenantId, id]);

const findByKey = statement<StoredExecution>(
  'execution.find-by-key',
  `select ${columns} from ${executionTable.from}
   where e.tenant_id = $1 and e.key_id = $2 and e.idempotency_key = $3`,
);

/** Returns the execution that a key requested under an idempotency key. */
export const findByIdempotencyKey = (
  db: Queryable,
  { tenantId, keyId }: Pick<StoredExecution, 'tenantId' | 'keyId'>,
  idempotencyKey: string,
): Promise<StoredExecution | null> => firstRow(db, findByKey, [tenantId, keyId, idempotencyKey]);

type DecisionRow = Pick<HitlDecision, 'decision' | 'approver'> & {
  readonly executionId: string;
  readonly at: Date;
  readonly comment: string | null;
  readonly wallet: string | null;
  readonly signature: string | null;
};
/** A person's decision; receipts do not include the comment. */
export type StoredDecision = { readonly decision: HitlDecision; readonly comment: string | null };

const told = ['executionId', 'decision', 'approver', 'at', 'comment', 'wallet', 'signature'] as const;
export const decisionTable = sqlTable('control_plane.decision', 'd', [...told, 'keyId']);

const decisions = statement<DecisionRow>(
  'execution.decisions',
  `select ${decisionTable.list(...told)}
   from ${decisionTable.from} where d.execution_id = any($1::uuid[]) order by d.at, d.key_id`,
);

/** Returns the decisions about each of these executions, in the order in which they were made. */
export async function decisionsOf(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredDecision[]>> {
  const found = ids.length === 0 ? [] : await rows(db, decisions, [ids]);
  return new Map(ids.map((id) => [id, found.filter((one) => one.executionId === id).map(decisionFrom)]));
}

const decisionFrom = ({
  decision,
  approver,
  at,
  comment,
  wallet,
  signature,
}: DecisionRow): StoredDecision => ({
  decision: {
    decision,
    approver,
    at: at.toISOString(),
    method: wallet === null ? 'key' : 'wallet',
    ...(wallet !== null && { wallet }),
    ...(signature !== null && { signature }),
  },
  comment,
});

const noteRecord = statement(
  'execution.note-record',
  'update control_plane.execution set audit_ref = $2 where id = $1',
);

/** Which audit record is its newest. */
export async function noteAuditRef(db: Queryable, id: string, auditId: string): Promise<void> {
  await rows(db, noteRecord, [id, auditId]);
}

const noteAnswer = statement(
  'execution.note-answer',
  'update control_plane.execution set first_answer = $2 where id = $1 and first_answer is null',
);

/** Stores the first answer, given before the end; sealed. */
export async function noteFirstAnswer(db: Queryable, id: string, answer: Buffer): Promise<void> {
  await rows(db, noteAnswer, [id, answer]);
}

/** The end of an execution, with the receipt that proves it. */
export type End = {
  readonly status: EndedStatus;
  readonly problem: ExecutionProblem | null;
  readonly proof: SignedReceipt;
  readonly auditId: string;
  /** The service's response, sealed. */
  readonly data: Buffer | null;
  readonly durationMs: number;
  readonly at: Date;
};

const end = statement<StoredExecution>(
  'execution.end',
  `update control_plane.execution e set status = $2, problem = $3, proof = $4, audit_ref = $5, data = $6, duration_ms = $7,
     ended_at = $8, lease = null, lease_until = null
   where e.id = $1 and e.status = any($9::text[]) and e.lease is not distinct from $10::uuid returning ${columns}`,
);

/**
 * Returns the ended execution; null if its state has changed meanwhile, or (`lease`) another worker has taken
 * it.
 */
export const endExecution = (
  db: Queryable,
  { id, lease }: Pick<StoredExecution, 'id' | 'lease'>,
  { status, problem, proof, auditId, data, durationMs, at }: End,
): Promise<StoredExecution | null> => {
  const how = [problem === null ? null : JSON.stringify(problem), JSON.stringify(proof), auditId, data];
  return firstRow(db, end, [id, status, ...how, durationMs, at, before(status), lease]);
};

const queued = statement<StoredExecution>(
  'execution.queue',
  `update control_plane.execution e set status = 'pending', lease = null, lease_until = null
   where e.id = $1 and e.status = any($2::text[]) and e.lease is not distinct from $3::uuid returning ${columns}`,
);

/** Returns the queued execution; null if its state has changed meanwhile, or another worker has taken it. */
export const queueExecution = (
  db: Queryable,
  { id, lease }: Pick<StoredExecution, 'id' | 'lease'>,
): Promise<StoredExecution | null> => firstRow(db, queued, [id, before('pending'), lease]);

const load = statement<{ waiting: number; running: number }>(
  'execution.load',
  `select count(*) filter (where status = 'pending') as waiting, count(*) filter (where status = 'running') as running
   from control_plane.execution where status in ('pending', 'running')`,
);

/** Returns the numbers of executions that wait for a worker and that run, for all tenants. */
export const workLoad = async (
  db: Queryable,
): Promise<{ readonly waiting: number; readonly running: number }> =>
  (await firstRow(db, load, [])) ?? { waiting: 0, running: 0 };

const confirm = statement(
  'execution.confirm-by-batch',
  `update control_plane.execution set status = 'pending', batch_id = $2, quorum = null, approvers = null,
     approval_expires_at = null where id = $1 and status = 'pending_hitl'`,
);

/** Confirms an execution by a batch, in the transaction that creates it, so that nobody is asked. */
export async function confirmByBatch(
  db: Queryable,
  execution: StoredExecution,
  batchId: string,
): Promise<StoredExecution> {
  await rows(db, confirm, [execution.id, batchId]);
  return { ...execution, status: 'pending', batchId, quorum: null, approvers: null, approvalExpiresAt: null };
}
