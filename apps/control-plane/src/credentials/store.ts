import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import type { CredentialMetadata } from '@countersign/protocol/control/credential-routes';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';
import { placeholders, sqlTable } from '@countersign/service/sql-table';

export type Credential = {
  readonly id: string;
  readonly tenantId: string;
  readonly namespace: string;
  readonly label: string;
  readonly kind: string;
  readonly sensitivity: number;
  readonly rotationPolicy: CredentialMetadata['rotation_policy'] | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly policyId: string | null;
  readonly fingerprint: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly certificateExpiresAt: Date | null;
  /** Number of the value in use. */
  readonly version: number;
  /** The newest that was ever sealed. */
  readonly newestVersion: number;
  /** When the value in use came into use. */
  readonly valueAt: Date;
  readonly rotationDueAt: Date | null;
  /** The newest one; null where there was none. */
  readonly rotation: CredentialMetadata['rotation'];
};

const made = [
  'id',
  'tenantId',
  'namespace',
  'label',
  'kind',
  'sensitivity',
  'rotationPolicy',
  'tags',
  'fingerprint',
  'createdBy',
  'createdAt',
  'certificateExpiresAt',
  'valueAt',
  'rotationDueAt',
  'version',
] as const;
const later = ['policyId', 'newestVersion'] as const;
/** The binding of a value, apart from its version, then the envelope in the order of `bytesOf`. */
const sealedFields = ['serviceId', 'type', 'root', 'salt', 'nonce', 'ciphertext'] as const;
const table = sqlTable('control_plane.credential', 'c', [...made, ...later, ...sealedFields]);
/** Columns of `control_plane.credential c`. */
export const columns = `${table.list(...made, ...later)},
  (select json_build_object('rotation_id', r.id, 'state', r.state) from control_plane.rotation r
     where r.credential_id = c.id order by r.seq desc limit 1) as rotation`;

const insert = statement(
  'control-credential.insert',
  `${table.insertInto(...made, ...sealedFields)} values (${placeholders([...made, ...sealedFields])})`,
);

/** Returns the binding of a credential's ciphertext. */
export const bindingOf = (
  { tenantId, id, namespace, label }: Pick<Credential, 'tenantId' | 'id' | 'namespace' | 'label'>,
  type: CredentialType,
  version: number,
): Binding => ({ tenantId, credentialId: id, serviceId: `${namespace}/${label}`, type, version });

export async function insertCredential(
  db: Queryable,
  credential: Omit<Credential, 'policyId'>,
  { serviceId, type, version }: Binding,
  envelope: Envelope,
): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const { rotationPolicy, tags } = credential;
  const row = { ...credential, rotationPolicy: json(rotationPolicy), tags: json(tags), version };
  await rows(db, insert, [...made.map((field) => row[field]), serviceId, type, ...bytesOf(envelope)]);
}

/** Returns an envelope as column values. */
export const bytesOf = ({ root, salt, nonce, ciphertext }: Envelope) =>
  [root, ...[salt, nonce, ciphertext].map((text) => Buffer.from(text, 'base64'))] as const;

const find = statement<Credential>(
  'control-credential.find',
  `select ${columns} from ${table.from} where c.tenant_id = $1 and c.id = $2`,
);

export const findCredential = (db: Queryable, tenantId: string, id: string): Promise<Credential | null> =>
  firstRow(db, find, [tenantId, id]);

type SealedRow = Omit<Binding, 'tenantId' | 'credentialId'> &
  Record<'salt' | 'nonce' | 'ciphertext', Buffer> & { readonly root: number };

const sealed = statement<SealedRow>(
  'control-credential.sealed',
  `select ${table.list('version', ...sealedFields)} from ${table.from} where c.tenant_id = $1 and c.id = $2`,
);

/** Returns what the enclave needs to open a credential; null if there is none with this id. */
export async function findSealed(
  db: Queryable,
  tenantId: string,
  credentialId: string,
): Promise<{ readonly binding: Binding; readonly envelope: Envelope } | null> {
  const found = await firstRow(db, sealed, [tenantId, credentialId]);
  if (found === null) return null;
  const { serviceId, type, version, root } = found;
  const [salt = '', nonce = '', ciphertext = ''] = [found.salt, found.nonce, found.ciphertext].map((bytes) =>
    bytes.toString('base64'),
  );
  return {
    binding: { tenantId, credentialId, serviceId, type, version },
    envelope: { root, salt, nonce, ciphertext },
  };
}

const bind = statement<Credential>(
  'control-credential.bind',
  `update control_plane.credential c set policy_id = $3 where c.tenant_id = $1 and c.id = $2 returning ${columns}`,
);

/** The credential with its new policy; null when there is none of this id. */
export const bindPolicy = (
  db: Queryable,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  policyId: string | null,
): Promise<Credential | null> => firstRow(db, bind, [tenantId, id, policyId]);

const selected = `c.tenant_id = $1 and ($2::text is null or c.namespace = $2)
  and ($3::timestamptz is null or c.rotation_due_at <= $3)`;

const list = statement<Credential>(
  'control-credential.list',
  `select ${columns} from ${table.from}
   where ${selected} order by c.seq desc limit $4 offset $5`,
);
const count = statement<{ total: number }>(
  'control-credential.count',
  `select count(*) as total from ${table.from} where ${selected}`,
);

/** Newest first, of one namespace or (null) of all, due by a time or (null) whenever. */
export async function listCredentials(
  db: Queryable,
  which: { readonly tenantId: string; readonly namespace: string | null; readonly dueBy: Date | null },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly Credential[]; readonly total: number }> {
  const whose = [which.tenantId, which.namespace, which.dueBy];
  const [items, counted] = await Promise.all([
    rows(db, list, [...whose, limit, offset]),
    firstRow(db, count, whose),
  ]);
  return { items, total: counted?.total ?? 0 };
}
