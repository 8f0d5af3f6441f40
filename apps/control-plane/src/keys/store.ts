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

export type KnownKey = Caller & {
  /** Whether the audit log has `key_created`. */
  readonly isRecorded: boolean;
};

const find = statement<KnownKey>(
  'key.find',
  `select id as "keyId", tenant_id as "tenantId", role, name, recorded_at is not null as "isRecorded"
   from control_plane.api_key where hash = $1 and revoked_at is null`,
);

/** Whose key has this hash; null for nobody's and for a revoked one. */
export const findKey = (db: Queryable, hash: Buffer): Promise<KnownKey | null> => firstRow(db, find, [hash]);

const findRevoked = statement<{ id: string }>(
  'key.find-revoked',
  'select id from control_plane.api_key where id = $1 and revoked_at is not null',
);

export const isKeyRevoked = async (db: Queryable, keyId: string): Promise<boolean> =>
  (await firstRow(db, findRevoked, [keyId])) !== null;

const approvers = statement<{ name: string }>(
  'key.approvers',
  `select name from control_plane.api_key where tenant_id = $1 and role = 'approver' and revoked_at is null`,
);

/** Names of the keys that decide in a tenant. */
export const approverNames = async (db: Queryable, tenantId: string): Promise<readonly string[]> =>
  (await rows(db, approvers, [tenantId])).map(({ name }) => name);

const revoke = statement<Caller>(
  'key.revoke',
  `update control_plane.api_key set revoked_at = $3 where tenant_id = $1 and name = $2 and revoked_at is null
   returning id as "keyId", tenant_id as "tenantId", role, name`,
);

/** The key that is revoked by this; null when the tenant has none of this name in use. */
export const revokeKey = (db: Queryable, tenantId: string, name: string, at: Date): Promise<Caller | null> =>
  firstRow(db, revoke, [tenantId, name, at]);

export type ListedKey = Pick<NewKey, 'tenantId' | 'role' | 'name' | 'createdAt'> & {
  readonly revokedAt: Date | null;
};

const list = statement<ListedKey>(
  'key.list',
  `select tenant_id as "tenantId", role, name, created_at as "createdAt", revoked_at as "revokedAt"
   from control_plane.api_key order by tenant_id, created_at, id`,
);

/** All keys, revoked ones too. */
export const listKeys = (db: Queryable): Promise<readonly ListedKey[]> => rows(db, list, []);
