import type { Binding, Envelope } from '@countersign/protocol/enclave/credential-parts';
import type { CredentialMetadata } from '@countersign/protocol/control/credential-routes';
import type { CredentialType } from '@countersign/protocol/vault/credential';
import { firstRow, type Queryable, rows, statement } from '@countersign/service/sql';

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
};

const columns = `c.id, c.tenant_id as "tenantId", c.namespace, c.label, c.kind, c.sensitivity,
  c.rotation_policy as "rotationPolicy", c.tags, c.policy_id as "policyId", c.fingerprint, c.created_by as "createdBy",
  c.created_at as "createdAt"`;

const insert = statement(
  'control-credential.insert',
  `insert into control_plane.credential (id, tenant_id, namespace, label, kind, sensitivity, rotation_policy, tags,
     policy_id, fingerprint, created_by, created_at, service_id, type, version, root, salt, nonce, ciphertext)
   values ($1, $2, $3, $4, $5, $6, $7, $8, null, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
);

/** What the ciphertext of a credential belongs to. */
export const bindingOf = (
  { tenantId, id, namespace, label }: Pick<Credential, 'tenantId' | 'id' | 'namespace' | 'label'>,
  type: CredentialType,
): Binding => ({ tenantId, credentialId: id, serviceId: `${namespace}/${label}`, type, version: 1 });

export async function insertCredential(
  db: Queryable,
  credential: Omit<Credential, 'policyId'>,
  { serviceId, type, version }: Binding,
  { root, salt, nonce, ciphertext }: Envelope,
): Promise<void> {
  const { id, tenantId, namespace, label, kind, sensitivity, rotationPolicy, tags } = credential;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await rows(db, insert, [
    id,
    tenantId,
    namespace,
    label,
    kind,
    sensitivity,
    json(rotationPolicy),
    json(tags),
    credential.fingerprint,
    credential.createdBy,
    credential.createdAt,
    serviceId,
    type,
    version,
    root,
    ...[salt, nonce, ciphertext].map((text) => Buffer.from(text, 'base64')),
  ]);
}

const find = statement<Credential>(
  'control-credential.find',
  `select ${columns} from control_plane.credential c where c.tenant_id = $1 and c.id = $2`,
);

export const findCredential = (db: Queryable, tenantId: string, id: string): Promise<Credential | null> =>
  firstRow(db, find, [tenantId, id]);

type SealedRow = Omit<Binding, 'tenantId' | 'credentialId'> &
  Record<'salt' | 'nonce' | 'ciphertext', Buffer> & { readonly root: number };

const sealed = statement<SealedRow>(
  'control-credential.sealed',
  `select service_id as "serviceId", type, version, root, salt, nonce, ciphertext from control_plane.credential
   where tenant_id = $1 and id = $2`,
);

/** What the enclave needs to open a credential; null when there is none of this id. */
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

const list = statement<Credential>(
  'control-credential.list',
  `select ${columns} from control_plane.credential c
   where c.tenant_id = $1 and ($2::text is null or c.namespace = $2) order by c.seq desc limit $3 offset $4`,
);
const count = statement<{ total: number }>(
  'control-credential.count',
  `select count(*) as total from control_plane.credential
   where tenant_id = $1 and ($2::text is null or namespace = $2)`,
);

/** Newest first, of one namespace or (null) of all. */
export async function listCredentials(
  db: Queryable,
  which: { readonly tenantId: string; readonly namespace: string | null },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly Credential[]; readonly total: number }> {
  const whose = [which.tenantId, which.namespace];
  const [items, counted] = await Promise.all([
    rows(db, list, [...whose, limit, offset]),
    firstRow(db, count, whose),
  ]);
  return { items, total: counted?.total ?? 0 };
}
