import type { Address } from '@countersign/protocol/address';
import type { Batch, NewBatch } from '@countersign/protocol/control/batch-routes';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

export type StoredBatch = {
  readonly id: string;
  readonly tenantId: string;
  readonly policyId: string;
  readonly policyVersion: number;
  /** Null: of any user. */
  readonly userId: string | null;
  readonly service: string;
  readonly action: string;
  readonly condition: string | null;
  readonly maxExecutions: number;
  readonly used: number;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly createdBy: string;
  readonly createdByKey: string;
  readonly createdAt: Date;
};

const made = [
  'id',
  'tenantId',
  'policyId',
  'policyVersion',
  'userId',
  'service',
  'action',
  'condition',
  'maxExecutions',
  'expiresAt',
  'createdBy',
  'createdByKey',
  'createdAt',
] as const;
const later = ['used', 'revokedAt'] as const;
export const batchTable = sqlTable('control_plane.batch', 'b', [...made, ...later]);
const columns = batchTable.list(...made, ...later);

const insert = statement('batch.insert', `${batchTable.insertInto(...made)} values (${placeholders(made)})`);

export async function insertBatch(db: Queryable, batch: StoredBatch): Promise<void> {
  await rows(
    db,
    insert,
    made.map((field) => batch[field]),
  );
}

const find = statement<StoredBatch>(
  'batch.find',
  `select ${columns} from ${batchTable.from} where b.tenant_id = $1 and b.id = $2`,
);

export const findBatch = (db: Queryable, tenantId: string, id: string): Promise<StoredBatch | null> =>
  firstRow(db, find, [tenantId, id]);

const list = statement<StoredBatch>(
  'batch.list',
  `select ${columns} from ${batchTable.from} where b.tenant_id = $1 order by b.seq desc limit $2 offset $3`,
);
const count = statement<{ total: number }>(
  'batch.count',
  'select count(*) as total from control_plane.batch where tenant_id = $1',
);

type Page = { readonly limit: number; readonly offset: number };

/** Newest first. */
export async function listBatches(db: Queryable, tenantId: string, { limit, offset }: Page) {
  const [items, counted] = await Promise.all([
    rows(db, list, [tenantId, limit, offset]),
    firstRow(db, count, [tenantId]),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const revoke = statement<StoredBatch>(
  'batch.revoke',
  `update control_plane.batch b set revoked_at = $3 where b.tenant_id = $1 and b.id = $2 and b.revoked_at is null
   returning ${columns}`,
);

/** Null where there is none, or it was revoked before. */
export const revokeBatch = (
  db: Queryable,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  at: Date,
): Promise<StoredBatch | null> => firstRow(db, revoke, [tenantId, id, at]);

/** The execution for which a batch is sought, and who asks. */
export type Sought = Pick<StoredBatch, 'tenantId' | 'policyId' | 'policyVersion' | 'service' | 'action'> & {
  readonly userId: string;
  readonly keyId: string;
  readonly keyName: string;
};

/** A batch with the account whose person created it; null if a key of this control plane did. */
export type FittingBatch = StoredBatch & { readonly account: Address | null };

// Of a key that still is one, and never of whoever asks.
const fitting = statement<FittingBatch>(
  'batch.fitting',
  `select ${columns}, k.account from ${batchTable.from}
     join control_plane.api_key k on k.id = b.created_by_key and k.revoked_at is null
   where b.tenant_id = $1 and b.policy_id = $2 and b.policy_version = $3 and b.service = $4 and b.action = $5
     and (b.user_id is null or b.user_id = $6) and b.created_by_key <> $7 and b.created_by <> $8
     and b.revoked_at is null and b.expires_at > $9 and b.used < b.max_executions
   order by b.expires_at, b.seq`,
);

/** Those of others that still have room, whoever ends first first; conditions are not looked at. */
export const fittingBatches = (
  db: Queryable,
  sought: Sought,
  now: Date,
): Promise<readonly FittingBatch[]> => {
  const { tenantId, policyId, policyVersion, service, action, userId, keyId, keyName } = sought;
  return rows(db, fitting, [tenantId, policyId, policyVersion, service, action, userId, keyId, keyName, now]);
};

const use = statement<StoredBatch>(
  'batch.use',
  `update control_plane.batch b set used = b.used + 1
   where b.id = $1 and b.used < b.max_executions and b.expires_at > $2 and b.revoked_at is null returning ${columns}`,
);

/** Takes one execution of a batch, on whichever node; null where none is left by now. */
export const takeOne = (db: Queryable, id: string, now: Date): Promise<StoredBatch | null> =>
  firstRow(db, use, [id, now]);

export function stateOf(
  { revokedAt, used, maxExecutions, expiresAt }: StoredBatch,
  now: Date,
): Batch['state'] {
  if (revokedAt !== null) return 'revoked';
  if (used >= maxExecutions) return 'exhausted';
  return expiresAt <= now ? 'expired' : 'active';
}

export const showBatch = (batch: StoredBatch, now: Date): Batch => ({
  batch_id: batch.id,
  policy_id: batch.policyId,
  policy_version: batch.policyVersion,
  user_id: batch.userId,
  service: batch.service,
  action: batch.action,
  condition: batch.condition,
  max_executions: batch.maxExecutions,
  used: batch.used,
  expires_at: batch.expiresAt.toISOString(),
  state: stateOf(batch, now),
  created_by: batch.createdBy,
  created_at: batch.createdAt.toISOString(),
});

/** Returns a new batch from a request, unused. */
export const newBatch = (
  body: NewBatch,
  about: Pick<StoredBatch, 'id' | 'tenantId' | 'policyVersion' | 'createdBy' | 'createdByKey' | 'createdAt'>,
): StoredBatch => ({
  ...about,
  policyId: body.policy_id,
  userId: body.user_id ?? null,
  service: body.service,
  action: body.action,
  condition: body.condition ?? null,
  maxExecutions: body.max_executions,
  used: 0,
  expiresAt: new Date(body.expires_at),
  revokedAt: null,
});
