import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { page } from '../vault/fields.ts';
import { digest, name, time } from './fields.ts';

/** Only `scheduled` needs an interval. */
const rotationPolicy = z
  .strictObject({ type: name, interval_days: z.int().min(1).max(3650).optional() })
  .refine(({ type, interval_days }) => type !== 'scheduled' || interval_days !== undefined, {
    message: 'is required',
    path: ['interval_days'],
  });

const about = {
  namespace: name,
  label: name,
  type: name,
  /** The larger the more sensitive; what it means is the owner's. */
  sensitivity: z.int().min(0).max(100),
  rotation_policy: rotationPolicy.optional(),
  tags: z
    .record(z.string().min(1).max(128), z.string().max(256))
    .refine((tags) => Object.keys(tags).length <= 64, 'must be at most 64 tags')
    .optional(),
};

const newCredential = z.strictObject({
  ...about,
  /** Where `type` is one of the vault's and this is the JSON text of what it holds, kept as such; else as a key. */
  value: z.string().min(1).max(65_536).optional(),
  /**
   * In its place: enc and ciphertext (RFC 9180) to the report's `sealPublicKey`, base64, of the JSON text `{"key": value}` or,
   * where `type` is one of the vault's, of what it holds.
   */
  sealed_value: z.base64().min(1).optional(),
});

const created = z.object({
  credential_id: z.uuid(),
  namespace: name,
  label: name,
  sensitivity: z.int(),
  created_at: time,
  fingerprint: digest,
});

const metadata = created.extend({
  type: name,
  rotation_policy: about.rotation_policy,
  tags: about.tags,
  /** The policy that it is bound to. */
  policy_id: name.nullable(),
});

/** Credentials of the control plane: document 3, Control-plane resources. Their values never come back. */
export const controlCredentialRoutes = {
  createCredential: {
    method: 'POST',
    path: '/v1/vault/credentials',
    auth: 'key',
    scope: 'keep',
    summary: 'Keep a credential, encrypted in the enclave; exactly one of value and sealed_value',
    body: newCredential,
    data: created,
    created: true,
  },
  listCredentials: {
    method: 'GET',
    path: '/v1/vault/credentials',
    auth: 'key',
    scope: 'read',
    summary: 'Metadata of credentials, newest first',
    query: z.object({ namespace: name.optional(), ...page }),
    data: z.object({ items: z.array(metadata), total: z.int() }),
  },
  getCredential: {
    method: 'GET',
    path: '/v1/vault/credentials/:id',
    auth: 'key',
    scope: 'read',
    summary: 'Metadata of one credential',
    data: metadata,
    refusals: ['not_found'],
  },
  bindPolicy: {
    method: 'PATCH',
    path: '/v1/vault/policies/:credential_id',
    auth: 'key',
    scope: 'write',
    summary: 'Bind a policy to a credential: it is used under that policy alone',
    body: z.strictObject({ policy_id: name.nullable() }),
    data: metadata,
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
export type CredentialMetadata = z.output<typeof metadata>;
export type NewControlCredential = z.output<typeof newCredential>;
