import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import type { NewCredential } from '@countersign/protocol/vault/credential-routes';
import { bytesOf, type EnvelopeRow } from './envelope-row.ts';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

/** A credential as everyone may see it who reaches it. */
export type Credential = {
  readonly id: string;
  readonly tenantId: string;
  readonly serviceId: string;
  readonly type: CredentialType;
  readonly version: number;
  readonly label: string | null;
  readonly allowedUrls: readonly string[];
  readonly fillMode: NewCredential['fill_mode'];
  readonly metadata: Record<string, unknown> | null;
  readonly fingerprint: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

/** A credential with the enclave's ciphertext of it. */
export type SealedCredential = Credential & EnvelopeRow;

const made = [
  'id',
  'tenantId',
  'serviceId',
  'type',
  'version',
  'label',
  'allowedUrls',
  'fillMode',
  'metadata',
  'fingerprint',
  'createdBy',
  'createdAt',
  'expiresAt',
] as const;
const sealed = ['root', 'salt', 'nonce', 'ciphertext'] as const;
export const credentialTable = sqlTable('vault.credential', 'c', [
  ...made,
  ...sealed,
] satisfies (keyof SealedCredential)[]);
const columns = credentialTable.list(...made);

/** Returns the binding of a credential's ciphertext. */
export const bindingOf = (
  credential: Pick<Credential, 'id' | 'tenantId' | 'serviceId' | 'type' | 'version'>,
): Binding => ({
  tenantId: credential.tenantId,
  credentialId: credential.id,
  serviceId: credential.serviceId,
  type: credential.type,
  version: credential.version,
});

const insert = statement(
  'credential.insert',
  `${credentialTable.insertInto(...made, ...sealed)} values (${placeholders([...made, ...sealed])})`,
);

export async function insertCredential(
  db: Queryable,
  credential: Credential,
  envelope: Envelope,
): Promise<void> {
  const { id, tenantId, serviceId, type, version, label, allowedUrls, fillMode, metadata } = credential;
  await rows(db, insert, [
    id,
    tenantId,
    serviceId,
    type,
    version,
    label,
    [...allowedUrls],
    fillMode,
    metadata === null ? null : JSON.stringify(metadata),
    credential.fingerprint,
    credential.createdBy,
    credential.createdAt,
    credential.expiresAt,
    ...bytesOf(envelope),
  ]);
}

const find = statement<SealedCredential>(
  'credential.find',
  `select ${credentialTable.list(...made, ...sealed)} from ${credentialTable.from} where c.id = any($1::uuid[])`,
);

/** The credentials of these ids, of whichever tenant, in no order. */
export const findCredentials = (
  db: Queryable,
  ids: readonly string[],
): Promise<readonly SealedCredential[]> => rows(db, find, [ids]);

/** Its addresses, else the sites that were agreed to. */
const usableAt = `case when cardinality(c.allowed_urls) > 0 then c.allowed_urls else coalesce(
     (select array_agg(distinct u.origin) from vault.credential_use u where u.credential_id = c.id), '{}') end as "allowedUrls"`;

const scope = statement<{ allowedUrls: readonly string[] }>(
  'credential.scope',
  `select ${usableAt} from ${credentialTable.from} where c.id = $1`,
);

/** Returns the URLs where it may be used; null if it is gone. */
export const scopeOf = async (db: Queryable, id: string): Promise<readonly string[] | null> =>
  (await firstRow(db, scope, [id]))?.allowedUrls ?? null;

const scopes = statement<{ id: string; type: CredentialType; allowedUrls: readonly string[] }>(
  'credential.scopes',
  `select ${credentialTable.list('id', 'type')}, ${usableAt}
   from ${credentialTable.from}
   where c.tenant_id = $1 order by c.seq desc limit $2`,
);

/**
 * Returns the type of each of the tenant's credentials and where it may be used, newest first: its URLs, or
 * else the sites that were approved.
 */
export const newestScopes = (db: Queryable, tenantId: string, limit: number) =>
  rows(db, scopes, [tenantId, limit]);

/** Which credentials a list shows; null: no matter. */
export type Selection = {
  readonly tenantId: string;
  readonly ids: readonly string[] | null;
  readonly serviceId: string | null;
  readonly type: CredentialType | null;
};

const selected = `c.tenant_id = $1 and ($2::uuid[] is null or c.id = any($2))
  and ($3::text is null or c.service_id = $3) and ($4::text is null or c.type = $4)`;

const list = statement<Credential>(
  'credential.list',
  `select ${columns} from ${credentialTable.from} where ${selected} order by c.seq desc limit $5 offset $6`,
);
const count = statement<{ total: number }>(
  'credential.count',
  `select count(*) as total from ${credentialTable.from} where ${selected}`,
);

/** Newest first. */
export async function listCredentials(
  db: Queryable,
  { tenantId, ids, serviceId, type }: Selection,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly Credential[]; readonly total: number }> {
  const which = [tenantId, ids, serviceId, type];
  const [items, counted] = await Promise.all([
    rows(db, list, [...which, limit, offset]),
    firstRow(db, count, which),
  ]);
  return { items, total: counted?.total ?? 0 };
}

const holdUrls = statement<{ allowedUrls: readonly string[] }>(
  'credential.hold-allowed-urls',
  `select ${credentialTable.list('allowedUrls')} from ${credentialTable.from} where c.id = $1 for update`,
);

/** Returns the URLs where it may be used, and locks them until the transaction ends. Null if it is gone. */
export const holdAllowedUrls = async (db: Queryable, id: string): Promise<readonly string[] | null> =>
  (await firstRow(db, holdUrls, [id]))?.allowedUrls ?? null;

const update = statement(
  'credential.set-allowed-urls',
  'update vault.credential set allowed_urls = $2 where id = $1',
);

/** Says anew where it may be used. */
export async function setAllowedUrls(
  db: Queryable,
  id: string,
  allowedUrls: readonly string[],
): Promise<void> {
  await rows(db, update, [id, [...allowedUrls]]);
}

const hold = statement<{ version: number; fingerprint: string }>(
  'credential.hold-version',
  `select c.version, c.fingerprint from ${credentialTable.from} where c.id = $1 for update`,
);

/** Returns the number of its value, and locks it until the transaction ends. Null if it is gone. */
export const holdVersion = (db: Queryable, id: string) => firstRow(db, hold, [id]);

const value = statement<Credential>(
  'credential.set-value',
  `update ${credentialTable.from} set version = $2, fingerprint = $3, root = $4, salt = $5, nonce = $6, ciphertext = $7
   where c.id = $1 returning ${columns}`,
);

/** Sets its value from the end of the transaction, which holds the credential. */
export async function setValue(
  db: Queryable,
  { id, version, fingerprint }: Credential,
  envelope: Envelope,
): Promise<Credential> {
  const set = await firstRow(db, value, [id, version, fingerprint, ...bytesOf(envelope)]);
  if (set === null) throw new Error('a credential that is held is gone');
  return set;
}

const remove = statement('credential.delete', 'delete from vault.credential where id = $1');

export async function deleteCredential(db: Queryable, id: string): Promise<void> {
  await rows(db, remove, [id]);
}
