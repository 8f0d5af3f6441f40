import { randomUUID } from 'node:crypto';
import { asLogin, type Place } from '@countersign/protocol/vault/credential-use';
import { columnsAs, firstRow, type Queryable, rows, statement } from '@countersign/service/sql';

/** A place where a credential was allowed. */
export type Use = Place & { readonly id: string; readonly allowedBy: string; readonly createdAt: Date };

const columns = columnsAs({
  id: 'u.id',
  origin: 'u.origin',
  path: 'u.path',
  method: 'u.method',
  field: 'u.field',
  allowedBy: 'u.allowed_by',
  createdAt: 'u.created_at',
} satisfies Record<keyof Use, string>);

const list = statement<Use>(
  'credential-use.list',
  `select ${columns} from vault.credential_use u where u.credential_id = $1 order by u.seq desc limit $2`,
);

/** Returns the places of one credential, newest first. */
export const listUses = (db: Queryable, credentialId: string, limit: number): Promise<readonly Use[]> =>
  rows(db, list, [credentialId, limit]);

// A credential that was deleted meanwhile has no places.
const insert = statement(
  'credential-use.insert',
  `insert into vault.credential_use (id, credential_id, origin, path, method, field, allowed_by, created_at)
   select $1, c.id, $3, $4, $5, $6, $7, $8 from vault.credential c where c.id = $2
   on conflict (credential_id, origin, path, method, field) do update set allowed_by = excluded.allowed_by
   where credential_use.allowed_by = '${asLogin}'`,
);

/** Keeps a place, if it is not kept already; who agreed to it counts for more than that it was a log-in. */
export async function insertUse(
  db: Queryable,
  credentialId: string,
  { origin, path, method, field }: Place,
  { allowedBy, at }: { readonly allowedBy: string; readonly at: Date },
): Promise<void> {
  await rows(db, insert, [randomUUID(), credentialId, origin, path, method, field, allowedBy, at]);
}

const hold = statement<Place>(
  'credential-use.hold',
  `select u.origin, u.path, u.method, u.field from vault.credential_use u
   where u.id = $1 and u.credential_id = $2 for update`,
);

/** The place, which nobody else revokes until the transaction ends. Null when the credential has no such one. */
export const holdUse = (db: Queryable, id: string, credentialId: string): Promise<Place | null> =>
  firstRow(db, hold, [id, credentialId]);

const remove = statement('credential-use.delete', 'delete from vault.credential_use where id = $1');

export async function deleteUse(db: Queryable, id: string): Promise<void> {
  await rows(db, remove, [id]);
}
