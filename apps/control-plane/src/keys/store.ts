import type { Role } from '@countersign/protocol/control/dialect';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';

const insert = statement<{ id: string }>(
  'key.insert',
  `insert into control_plane.api_key (id, tenant_id, role, name, hash, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict do nothing returning id`,
);

export type NewKey = {
  readonly id: string;
  readonly tenantId: string;
  readonly role: Role;
  readonly name: string;
  readonly hash: Buffer;
  readonly createdAt: Date;
};

/** False when a key of the tenant has this name already. */
export const insertKey = async (
  db: Queryable,
  { id, tenantId, role, name, hash, createdAt }: NewKey,
): Promise<boolean> => (await rows(db, insert, [id, tenantId, role, name, hash, createdAt])).length > 0;

const find = statement<Caller>(
  'key.find',
  `select id as "keyId", tenant_id as "tenantId", role, name from control_plane.api_key
   where hash = $1 and revoked_at is null`,
);

/** Whose key has this hash; null for nobody's and for a revoked one. */
export const findKey = (db: Queryable, hash: Buffer): Promise<Caller | null> => firstRow(db, find, [hash]);
