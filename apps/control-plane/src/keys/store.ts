import type { Address } from '@countersign/protocol/address';
import type { Role } from '@countersign/protocol/control/dialect';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders } from '@countersign/service/sql-table';
import type { Caller } from '../callers.ts';
import { callerColumns, keyTable } from './table.ts';

const made = ['id', 'tenantId', 'role', 'name', 'hash', 'createdAt'] as const;

const insert = statement<{ id: string }>(
  'key.insert',
  `${keyTable.insertInto(...made)} values (${placeholders(made)})
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

type Found = KnownKey & { readonly account: Address | null; readonly session: string | null };

const find = statement<Found>(
  'key.find',
  `select ${callerColumns}, k.recorded_at is not null as "isRecorded",
     k.account, p.session
   from (select id as key_id, null::uuid as session from control_plane.api_key where hash = $1 and person is null
     union all select key_id, session from control_plane.person_token where hash = $1 and expires_at > $2) p
     join control_plane.api_key k on k.id = p.key_id
   where k.revoked_at is null`,
);

/** Whose key, or which person's token, has this hash; null for nobody's and for one that has ended. */
export async function findKey(db: Queryable, hash: Buffer, now: Date): Promise<KnownKey | null> {
  const found = await firstRow(db, find, [hash, now]);
  if (found === null) return null;
  const { account, session, ...key } = found;
  return account === null ? key : { ...key, person: { account, session } };
}

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
  `update ${keyTable.from} set revoked_at = $3 where k.tenant_id = $1 and k.name = $2 and k.revoked_at is null
   returning ${callerColumns}`,
);

/** The key that is revoked by this; null when the tenant has none of this name in use. */
export const revokeKey = (db: Queryable, tenantId: string, name: string, at: Date): Promise<Caller | null> =>
  firstRow(db, revoke, [tenantId, name, at]);

export type ListedKey = Pick<NewKey, 'tenantId' | 'name' | 'createdAt'> & {
  readonly role: Caller['role'];
  readonly revokedAt: Date | null;
};

const list = statement<ListedKey>(
  'key.list',
  `select ${keyTable.list('tenantId', 'role', 'name', 'createdAt', 'revokedAt')}
   from ${keyTable.from} order by k.tenant_id, k.created_at, k.id`,
);

/** All keys, revoked ones too. */
export const listKeys = (db: Queryable): Promise<readonly ListedKey[]> => rows(db, list, []);
