import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { page } from '../vault/fields.ts';
import { digest, name, newName, time } from './fields.ts';
import { rotation, rotationState, valueRules } from './rotation.ts';

/** Only `scheduled` needs an interval. */
const rotationPolicy = z
  .strictObject({
    type: name,
    interval_days: z.int().min(1).max(3650).optional(),
    /** How the enclave generates a new value; if absent, 32 letters and digits. */
    value: valueRules.partial().optional(),
  })
  .refine(({ type, interval_days }) => type !== 'scheduled' || interval_days !== undefined, {
    message: 'is required',
    path: ['interval_days'],
  });

const about = {
  namespace: newName,
  label: newName,
  type: name,
  /** The larger the more sensitive; what it means is the owner's. */
  sensitivity: z.int().min(0).max(100),
  rotation_policy: rotationPolicy.optional(),
  tags: z
    .record(z.string().min(1).max(128), z.string().max(256))
    .refine((tags) => Object.keys(tags).length <= 64, 'must have at most 64 tags')
    .optional(),
};

const secret = {
  /**
   * The value: if `type` is one of the vault's and this is JSON of its fields, it is stored as that type,
   * otherwise as a key.
   */
  value: z.string().min(1).max(65_536).optional(),
  /**
   * In its place: enc and ciphertext (RFC 9180) to the report's `sealPublicKey`, base64, of the JSON text `{"key": value}` or,
   * where `type` is one of the vault's, of what it holds.
   */
  sealed_value: z.base64().min(1).optional(),
};

const newCredential = z.strictObject({ ...about, ...secret });
const newValue = z.strictObject(secret);

const created = z.object({
  credential_id: z.uuid(),
  namespace: name,
  label: name,
  sensitivity: z.int(),
  created_at: time,
  fingerprint: digest,
  /** The end of a certificate's validity; null for other types. */
  certificate_expires_at: time.nullable(),
});

const metadata = created.extend({
  type: name,
  rotation_policy: about.rotation_policy,
  tags: about.tags,
  /** The policy that it is bound to. */
  policy_id: name.nullable(),
  /** Number of the value in use, from 1; numbers are never reused. */
  version: z.int().min(1),
  /** When that value came into use. */
  value_at: time,
  /** When it is to be replaced; null where no interval is set. */
  rotation_due_at: time.nullable(),
  /** The newest one; null where there was none. */
  rotation: z.object({ rotation_id: z.uuid(), state: rotationState }).nullable(),
});

/** Credentials of the control plane. No answer holds a value (spec: control-plane.credential). */
export const controlCredentialRoutes = {
  createCredential: {
    method: 'POST',
    path: '/v1/vault/credentials',
    auth: 'key',
    scope: 'keep',
    summary: 'Store a credential, encrypted in the enclave; send exactly one of value and sealed_value',
    body: newCredential,
    data: created,
    created: true,
  },
  listCredentials: {
    method: 'GET',
    path: '/v1/vault/credentials',
    auth: 'key',
    scope: 'read',
    summary: 'List the metadata of credentials, newest first',
    query: z.object({
      namespace: name.optional(),
      /** `due`: those alone that are to be rotated by now. */
      rotation: z.literal('due').optional(),
      ...page,
    }),
    data: z.object({ items: z.array(metadata), total: z.int() }),
  },
  getCredential: {
    method: 'GET',
    path: '/v1/vault/credentials/:id',
    auth: 'key',
    scope: 'read',
    summary: 'Get the metadata of a credential',
    data: metadata,
    refusals: ['not_found'],
  },
  putCredentialValue: {
    method: 'PUT',
    path: '/v1/vault/credentials/:id/value',
    auth: 'key',
    scope: 'write',
    summary:
      'Replace the value with one of the same form: new executions use it, running ones finish with the old value; send exactly one of value and sealed_value',
    body: newValue,
    data: metadata,
    refusals: ['not_found', 'rotation_under_way'],
  },
  deleteCredential: {
    method: 'DELETE',
    path: '/v1/vault/credentials/:id',
    auth: 'key',
    scope: 'write',
    summary: 'Delete a credential with its ciphertext; refused as long as a connector needs it',
    data: z.object({ credential_id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found', 'credential_in_use', 'rotation_under_way'],
  },
  startRotation: {
    method: 'POST',
    path: '/v1/vault/credentials/:id/rotations',
    auth: 'key',
    scope: 'write',
    summary:
      'Rotate a credential: the enclave generates a new value and sets it at the service by the operation that a connector names; both values are kept until it is confirmed',
    body: z.strictObject({
      /** Whose connector does it, where several name an operation. */
      service: name.optional(),
    }),
    data: rotation,
    created: true,
    refusals: ['not_found', 'conflict', 'rotation_under_way'],
  },
  listRotations: {
    method: 'GET',
    path: '/v1/vault/credentials/:id/rotations',
    auth: 'key',
    scope: 'read',
    summary: 'List the rotations of a credential, newest first',
    query: z.object(page),
    data: z.object({ items: z.array(rotation), total: z.int() }),
    refusals: ['not_found'],
  },
  resolveRotation: {
    method: 'POST',
    path: '/v1/vault/credentials/:id/rotations/:rotation_id/resolve',
    auth: 'key',
    scope: 'write',
    summary:
      'Resolve a rotation whose outcome is unknown: name the value that the service accepts, and the other one is dropped, or check the next value once more',
    body: z.strictObject({ valid: z.enum(['next', 'current', 'check']) }),
    data: rotation,
    refusals: ['not_found', 'conflict', 'rotation_under_way'],
  },
  bindPolicy: {
    method: 'PATCH',
    path: '/v1/vault/policies/:credential_id',
    auth: 'key',
    scope: 'write',
    summary: 'Bind a policy to a credential, which can then be used only under that policy',
    body: z.strictObject({ policy_id: name.nullable() }),
    data: metadata,
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
export type CredentialMetadata = z.output<typeof metadata>;
export type NewControlValue = z.output<typeof newValue>;
export type NewControlCredential = z.output<typeof newCredential>;
