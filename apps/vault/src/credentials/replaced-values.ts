import type { Binding } from '@countersign/protocol/enclave/credential-parts';
import { type Queryable, rows, statement } from '@countersign/service/sql';
import { sqlTable } from '@countersign/service/sql-table';
import type { EnvelopeRow } from './envelope-row.ts';

/** So long a value that was replaced is kept, to be masked and for nothing else; and so many of one credential, the newest. */
const keptMs = 30 * 24 * 60 * 60_000;
const maxKept = 8;

const before = (now: Date) => new Date(now.getTime() - keptMs);

const sealed = [
  'credentialId',
  'tenantId',
  'serviceId',
  'type',
  'version',
  'root',
  'salt',
  'nonce',
  'ciphertext',
] as const;
const table = sqlTable('vault.replaced_value', 'r', [...sealed, 'replacedAt']);

const keep = statement(
  'replaced-value.keep',
  `insert into vault.replaced_value
     (credential_id, tenant_id, service_id, type, version, root, salt, nonce, ciphertext, replaced_at)
   select id, tenant_id, service_id, type, version, root, salt, nonce, ciphertext, $2 from vault.credential where id = $1`,
);
const trim = statement(
  'replaced-value.trim',
  `delete from vault.replaced_value where credential_id = $1 and version not in (
     select version from vault.replaced_value where credential_id = $1 order by version desc limit $2)`,
);

/** Keeps the value that is about to be replaced, in a transaction that holds the credential. */
export async function keepValue(db: Queryable, credentialId: string, now: Date): Promise<void> {
  await rows(db, keep, [credentialId, now]);
  await rows(db, trim, [credentialId, maxKept]);
}

export type ReplacedValue = EnvelopeRow & Binding;

const find = statement<ReplacedValue>(
  'replaced-value.find',
  `select ${table.list(...sealed)} from ${table.from}
   where r.credential_id = any($1::uuid[]) and r.replaced_at > $2 order by r.replaced_at desc limit $3`,
);

/** Returns the replaced values of these credentials, newest first. */
export const replacedValues = (db: Queryable, ids: readonly string[], now: Date, limit: number) =>
  rows(db, find, [ids, before(now), limit]);

const forget = statement('replaced-value.forget', 'delete from vault.replaced_value where replaced_at <= $1');

/** Forgets those whose time is over. */
export async function forgetReplacedValues(db: Queryable, now: Date): Promise<void> {
  await rows(db, forget, [before(now)]);
}
