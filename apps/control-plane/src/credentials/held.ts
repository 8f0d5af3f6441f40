import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { dueAt } from './due-date.ts';
import { bytesOf, columns, type Credential } from './store.ts';

const hold = statement<Credential>(
  'control-credential.hold',
  `select ${columns} from control_plane.credential c where c.tenant_id = $1 and c.id = $2 for update`,
);

/**
 * Locks a credential until the transaction ends: nobody else can change it, or create a connector that needs
 * it.
 */
export const holdCredential = (db: Queryable, tenantId: string, id: string): Promise<Credential | null> =>
  firstRow(db, hold, [tenantId, id]);

const keep = statement<{ id: string }>(
  'control-credential.keep',
  `select c.id from control_plane.credential c where c.tenant_id = $1 and c.id = $2 for key share`,
);

/** Returns whether the credential exists, and keeps it from being deleted until the transaction ends. */
export const keepCredential = async (db: Queryable, tenantId: string, id: string): Promise<boolean> =>
  (await firstRow(db, keep, [tenantId, id])) !== null;

const setValue = statement<Credential>(
  'control-credential.set-value',
  `update control_plane.credential c set fingerprint = $2, value_at = $3, rotation_due_at = $4, rotation_told = false,
     service_id = $5, type = $6, version = $7, newest_version = greatest(newest_version, $7), root = $8, salt = $9, nonce = $10,
     ciphertext = $11, certificate_expires_at = $12
   where c.id = $1 returning ${columns}`,
);

/** Makes this the only value in use from the end of the transaction, which holds the credential. */
export async function useValue(
  db: Queryable,
  credential: Credential,
  next: Pick<Credential, 'fingerprint' | 'certificateExpiresAt'> & { binding: Binding; envelope: Envelope },
  now: Date,
): Promise<Credential> {
  const { serviceId, type, version } = next.binding;
  const due = dueAt(credential.rotationPolicy, now);
  const about = [credential.id, next.fingerprint, now, due, serviceId, type, version];
  const used = await firstRow(db, setValue, [...about, ...bytesOf(next.envelope), next.certificateExpiresAt]);
  if (used === null) throw new Error('a credential that is held is gone');
  return used;
}

const due = statement<Credential>(
  'control-credential.take-due',
  `update control_plane.credential c set rotation_told = true where c.id in (
     select id from control_plane.credential where rotation_due_at <= $1 and not rotation_told
     order by rotation_due_at limit $2 for update skip locked)
   returning ${columns}`,
);

/**
 * Takes credentials that are due and have not been reported, in the transaction that reports them. Nobody
 * else gets the same ones.
 */
export const takeDue = (db: Queryable, now: Date, limit: number): Promise<readonly Credential[]> =>
  rows(db, due, [now, limit]);

const remove = statement('control-credential.delete', 'delete from control_plane.credential where id = $1');

export async function removeCredential(db: Queryable, id: string): Promise<void> {
  await rows(db, remove, [id]);
}
