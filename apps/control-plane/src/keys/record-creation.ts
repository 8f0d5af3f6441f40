import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';

const note = statement<Caller & { readonly createdAt: Date }>(
  'key.note-recorded',
  `update control_plane.api_key set recorded_at = $2 where id = $1 and recorded_at is null
   returning id as "keyId", tenant_id as "tenantId", role, name, created_at as "createdAt"`,
);

/** In a transaction: writes `key_created` to the audit log, once for each key. */
export async function recordCreation(
  db: Queryable,
  enclave: Enclave,
  keyId: string,
  at: Date,
  actor: string = 'command:create-key',
): Promise<void> {
  const key = await firstRow(db, note, [keyId, at]);
  if (key === null) return;
  const { tenantId, name, role, createdAt } = key;
  const detail = { keyId, name, role, createdAt: createdAt.toISOString() };
  const draft = { eventType: 'key_created' as const, tenantId, actor, detail };
  await ask(enclave, 'control.record', { draft });
}
