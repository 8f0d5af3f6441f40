import type { Operation } from '@countersign/protocol/vault/operation';
import type { WhatLeft } from '@countersign/protocol/vault/left';
import type { OperationReview } from '@countersign/protocol/vault/review';
import type {
  OperationProblem,
  OperationResult,
  OperationStatus,
  PageRequest,
} from '@countersign/protocol/vault/sandbox';
import { columnsAs, firstRow, type Queryable, rows, statement, unflushed } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

/** An agent's request and its result. */
export type OperationRow = {
  readonly id: string;
  readonly sessionId: string;
  /** The token that asked; null for what the enclave tells. */
  readonly tokenId: string | null;
  /** Who asked, as audit records name it; null where that was not kept. */
  readonly actor: string | null;
  /** The agent that asked. */
  readonly agentDid: string | null;
  /** The operation as the agent wrote it. */
  readonly operation: Operation;
  /** The credential that its placeholders name. */
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
  readonly left: WhatLeft | null;
};

export type LoggedOperation = Operation | PageRequest;

export type NewOperation = Pick<
  OperationRow,
  'id' | 'sessionId' | 'tokenId' | 'actor' | 'agentDid' | 'credentialId' | 'at'
> & { readonly operation: LoggedOperation };

const asked = ['id', 'sessionId', 'tokenId', 'operation', 'credentialId', 'at', 'actor', 'agentDid'] as const;
const came = [
  'status',
  'result',
  'error',
  'review',
  'auditId',
  'durationMs',
  'decidedBy',
  'whatLeft',
] as const;
const table = sqlTable('vault.operation', 'o', [...asked, ...came]);
const valuesOf = ({ id, sessionId, tokenId, operation, credentialId, at, ...who }: NewOperation) => [
  id,
  sessionId,
  tokenId,
  JSON.stringify(operation),
  credentialId,
  at,
  who.actor,
  who.agentDid,
];

// It need not be on disk: what is done is in the audit log first, and who tells the end of it tells all of it again.
const insert = statement(
  'operation.insert',
  `${table.insertInto(...asked)}
   select $1::uuid, $2::uuid, $3::uuid, $4::json, $5::uuid, $6::timestamptz, $7::text, $8::text from ${unflushed}`,
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
  `${table.insertInto(...asked, ...came)} values (${placeholders([...asked, ...came])})
   on conflict (id) do update set status = excluded.status, result = excluded.result, error = excluded.error,
     review = excluded.review, audit_id = excluded.audit_id, duration_ms = excluded.duration_ms,
     decided_by = coalesce(excluded.decided_by, o.decided_by), what_left = excluded.what_left
   where excluded.status <> 'pending_approval' or o.status is null or o.status = 'pending_approval'`,
);

/** Most characters of a result's text that are kept; the agent was given all of it. */
export const maxKept = 32_768;

/** The result; `audit_id` is null if the enclave refused before it wrote a record. */
export type Settled = Pick<OperationResult, 'status' | 'result' | 'error' | 'left' | 'duration_ms'> & {
  readonly review: OperationReview | null;
  readonly audit_id: string | null;
};

/** Keeps what came of an operation, and who decided it where a person did: on disk when it resolves. */
export async function settleOperation(
  db: Queryable,
  operation: NewOperation,
  done: Settled,
  decidedBy: string | null = null,
): Promise<void> {
  const { status, result, error, review, audit_id, duration_ms, left } = done;
  await rows(db, settle, [
    ...valuesOf(operation),
    status,
    kept(result),
    error === undefined ? null : JSON.stringify(error),
    review === null ? null : JSON.stringify(review),
    audit_id,
    duration_ms,
    decidedBy,
    left === undefined ? null : JSON.stringify(left),
  ]);
}

function kept(result: unknown): string {
  const json = JSON.stringify(result ?? null);
  if (json.length <= maxKept) return json;
  const text = typeof result === 'string' ? result : json;
  return JSON.stringify(`${text.slice(0, maxKept)}… (cut: ${text.length} characters in all)`);
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
    'A process ended in the meantime, so it is not known whether this was done. Check the page before you repeat it.',
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

/** Notes an end that an event reports. It has less detail than the answer, which may never have arrived. */
export async function noteFinished(
  db: Queryable,
  end: Pick<OperationRow, 'id' | 'sessionId' | 'auditId' | 'durationMs'> & {
    readonly status: OperationStatus;
  },
): Promise<void> {
  await rows(db, noteEnd, [end.id, end.sessionId, end.status, end.auditId, end.durationMs]);
}

// Before its answer, which may never come; of what is watched again and again, with more each time, in whichever order.
const noteLeft = statement(
  'operation.note-left',
  `${table.insertInto(...asked, 'status', 'auditId', 'whatLeft')}
   select $1::uuid, s.id, null, $3::json, null, $4::timestamptz, $5::text, $6::text, 'executed', $7::text, $8::json
   from ${unflushed} cross join vault.session s where s.id = $2
   on conflict (id) do update set what_left = excluded.what_left
   where (o.what_left ->> 'pictures')::int < (excluded.what_left ->> 'pictures')::int`,
);

/** Keeps what left besides the results of operations. */
export async function noteWhatLeft(db: Queryable, { operation, left, ...row }: WhatWasLeft): Promise<void> {
  const { id, sessionId, at, actor, agentDid, auditId } = row;
  await rows(db, noteLeft, [
    id,
    sessionId,
    JSON.stringify(operation),
    at,
    actor,
    agentDid,
    auditId,
    JSON.stringify(left),
  ]);
}

type WhatWasLeft = Pick<OperationRow, 'id' | 'sessionId' | 'actor' | 'agentDid' | 'at' | 'auditId'> & {
  readonly operation: PageRequest;
  readonly left: WhatLeft;
};

const { whatLeft, ...sameName } = table.columns;
const columns = columnsAs({ ...sameName, left: whatLeft } satisfies Record<keyof OperationRow, string>);

const find = statement<OperationRow>(
  'operation.find',
  `select ${columns} from ${table.from} where o.id = $1 and o.session_id = $2`,
);

export const findOperation = (db: Queryable, id: string, sessionId: string): Promise<OperationRow | null> =>
  firstRow(db, find, [id, sessionId]);

/** An operation of which there is something to tell. */
export type ToldOperation = Omit<OperationRow, 'operation'> & {
  readonly operation: LoggedOperation;
  readonly status: OperationStatus;
};

// `token:ID` is the end of the actor of all that a token did.
const selected = `o.session_id = $1 and o.status is not null and ($2::text is null or o.agent_did = $2)
  and ($3::text is null or o.actor = $3 or ($3 like 'token:%' and right(o.actor, length($3) + 1) = ' ' || $3))`;
const list = statement<ToldOperation>(
  'operation.list',
  `select ${columns} from ${table.from} where ${selected} order by o.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'operation.count',
  `select count(*) as total from ${table.from} where ${selected}`,
);

/** Operations of one session; of one agent or actor, or (null) of all. */
export type OperationFilter = {
  readonly sessionId: string;
  readonly agentDid: string | null;
  readonly actor: string | null;
};

/** Returns the operations of a session, newest first. */
export async function listOperations(
  db: Queryable,
  { sessionId, agentDid, actor }: OperationFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly ToldOperation[]; readonly total: number }> {
  const [items, counted] = await Promise.all([
    rows(db, list, [sessionId, agentDid, actor, limit, offset]),
    firstRow(db, count, [sessionId, agentDid, actor]),
  ]);
  return { items, total: counted?.total ?? 0 };
}
