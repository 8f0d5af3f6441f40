import { firstRow, type Queryable, statement } from '@countersign/service/sql';
import type { Caller } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { callerColumns, keyTable } from './table.ts';

const note = statement<Caller & { readonly createdAt: Date }>(
  'key.note-recorded',
  `update ${keyTable.from} set recorded_at = $2 where k.id = $1 and k.recorded_at is null
   returning ${callerColumns}, ${keyTable.list('createdAt')}`,
);

/** Writes `key_created` to the audit log, in a transaction, once for each key. */
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
