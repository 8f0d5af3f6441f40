import type { Operation } from '@countersign/protocol/vault/operation';
import type { OperationReview } from '@countersign/protocol/vault/review';
import type { OperationProblem, OperationResult, OperationStatus } from '@countersign/protocol/vault/sandbox';
import { firstRow, type Queryable, rows, statement, unflushed } from '@countersign/service/sql';

/** What an agent asked for, and what came of it. */
export type OperationRow = {
  readonly id: string;
  readonly sessionId: string;
  /** The token that asked. */
  readonly tokenId: string;
  /** As the agent wrote it. */
  readonly operation: Operation;
  /** What its placeholders mean. */
  readonly credentialId: string | null;
  readonly at: Date;
  /** Null: under way. */
  readonly status: OperationStatus | null;
  readonly result: unknown;
  readonly error: OperationProblem | null;
  readonly review: OperationReview | null;
  readonly auditId: string | null;
  readonly durationMs: number;
  readonly decidedBy: string | null;
};

export type NewOperation = Pick<
  OperationRow,
  'id' | 'sessionId' | 'tokenId' | 'operation' | 'credentialId' | 'at'
>;

const asked = 'id, session_id, token_id, operation, credential_id, at';
const valuesOf = ({ id, sessionId, tokenId, operation, credentialId, at }: NewOperation) => [
  id,
  sessionId,
  tokenId,
  JSON.stringify(operation),
  credentialId,
  at,
];

// It need not be on disk: what is done is in the audit log first, and who tells the end of it tells all of it again.
const insert = statement(
  'operation.insert',
  `insert into vault.operation (${asked})
   select $1::uuid, $2::uuid, $3::uuid, $4::json, $5::uuid, $6::timestamptz from ${unflushed}`,
);

/** Keeps an operation before the enclave hears of it. */
export async function insertOperation(db: Queryable, operation: NewOperation): Promise<void> {
  await rows(db, insert, valuesOf(operation));
}

const remove = statement('operation.delete', 'delete from vault.operation where id = $1 and status is null');

/** Forgets an operation that the enclave did not take. */
export async function deleteOperation(db: Queryable, id: string): Promise<void> {
  await rows(db, remove, [id]);
}

// That it waits for a person may come after what the person said; what is done stays done. The server may have lost the row.
const settle = statement(
  'operation.settle',
  `insert into vault.operation as o (${asked}, status, result, error, review, audit_id, duration_ms, decided_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   on conflict (id) do update set status = excluded.status, result = excluded.result, error = excluded.error,
     review = excluded.review, audit_id = excluded.audit_id, duration_ms = excluded.duration_ms,
     decided_by = coalesce(excluded.decided_by, o.decided_by)
   where excluded.status <> 'pending_approval' or o.status is null or o.status = 'pending_approval'`,
);

/** Most characters of a result's text that are kept; the agent was given all of it. */
export const mostKept = 32_768;

/** Keeps what came of an operation, and who decided it where a person did: on disk when it resolves. */
export async function settleOperation(
  db: Queryable,
  operation: NewOperation,
  done: OperationResult,
  decidedBy: string | null = null,
): Promise<void> {
  const { status, result, error, review, audit_id, duration_ms } = done;
  await rows(db, settle, [
    ...valuesOf(operation),
    status,
    kept(result),
    error === undefined ? null : JSON.stringify(error),
    JSON.stringify(review),
    audit_id,
    duration_ms,
    decidedBy,
  ]);
}

function kept(result: unknown): string {
  const json = JSON.stringify(result ?? null);
  if (json.length <= mostKept) return json;
  const text = typeof result === 'string' ? result : json;
  return JSON.stringify(`${text.slice(0, mostKept)}… (cut: ${text.length} characters in all)`);
}

const interrupt = statement(
  'operation.interrupt',
  `update vault.operation set status = 'failed', error = $2 where id = $1 and status is null`,
);
const interruptOld = statement(
  'operation.interrupt-old',
  `update vault.operation set status = 'failed', error = $2 where status is null and at < $1`,
);

const nobodyKnows = JSON.stringify({
  code: 'interrupted',
  message:
    'A process ended meanwhile, so nobody knows whether this was done. Look at the page before you repeat it.',
});

/** Nobody will learn what came of an operation that was under way. */
export async function interruptOperation(db: Queryable, id: string): Promise<void> {
  await rows(db, interrupt, [id, nobodyKnows]);
}

/** The same of all that began before: whoever waited for them is gone. */
export async function interruptOperationsBefore(db: Queryable, when: Date): Promise<void> {
  await rows(db, interruptOld, [when, nobodyKnows]);
}

// Of what events tell the answer tells more, which is mostly there before these are on disk.
const noteReview = statement(
  'operation.note-review',
  `update vault.operation set review = coalesce(review, $2) from ${unflushed} where id = $1 and session_id = $3`,
);

type Reviewed = { readonly sessionId: string; readonly id: string; readonly review: OperationReview };

/** Keeps what the review said, in case that nothing more comes. */
export async function noteReviewed(
  db: Queryable,
  {
    sessionId,
    id,
    review,
  }: { readonly sessionId: string; readonly id: string; readonly review: OperationReview },
): Promise<void> {
  await rows(db, noteReview, [id, JSON.stringify(review), sessionId]);
}

const noteWait = statement(
  'operation.note-wait',
  `update vault.operation set status = 'pending_approval', review = $2 from ${unflushed}
   where id = $1 and session_id = $3 and status is null`,
);

/** A person is asked, in case that whoever waits for the answer is gone. */
export async function noteWaiting(db: Queryable, { sessionId, id, review }: Reviewed): Promise<void> {
  await rows(db, noteWait, [id, JSON.stringify(review), sessionId]);
}

const noteEnd = statement(
  'operation.note-end',
  `update vault.operation set status = $3, audit_id = $4, duration_ms = $5 from ${unflushed}
   where id = $1 and session_id = $2
     and (status is null or (status = 'pending_approval' and $3 <> 'pending_approval'))`,
);

/** What an event tells of an end: less than the answer to whoever asked, which may never have come. */
export async function noteFinished(
  db: Queryable,
  end: Pick<OperationRow, 'id' | 'sessionId' | 'auditId' | 'durationMs'> & {
    readonly status: OperationStatus;
  },
): Promise<void> {
  await rows(db, noteEnd, [end.id, end.sessionId, end.status, end.auditId, end.durationMs]);
}

const columns = `o.id, o.session_id as "sessionId", o.token_id as "tokenId", o.operation,
  o.credential_id as "credentialId", o.at, o.status, o.result, o.error, o.review, o.audit_id as "auditId",
  o.duration_ms as "durationMs", o.decided_by as "decidedBy"`;

const find = statement<OperationRow>(
  'operation.find',
  `select ${columns} from vault.operation o where o.id = $1 and o.session_id = $2`,
);

export const findOperation = (db: Queryable, id: string, sessionId: string): Promise<OperationRow | null> =>
  firstRow(db, find, [id, sessionId]);

/** An operation of which there is something to tell. */
export type ToldOperation = OperationRow & { readonly status: OperationStatus };

const list = statement<ToldOperation>(
  'operation.list',
  `select ${columns} from vault.operation o where o.session_id = $1 and o.status is not null
   order by o.seq desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'operation.count',
  'select count(*) as total from vault.operation o where o.session_id = $1 and o.status is not null',
);

/** What was done in a session, newest first. */
export async function listOperations(
  db: Queryable,
  sessionId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly ToldOperation[]; readonly total: number }> {
  const [items, counted] = await Promise.all([
    rows(db, list, [sessionId, limit, offset]),
    firstRow(db, count, [sessionId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}
