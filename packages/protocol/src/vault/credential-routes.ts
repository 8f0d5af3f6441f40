import { z } from 'zod';
import { legibleName } from '../legible-name.ts';
import type { RouteTable } from '../route.ts';
import type { VaultCode } from './codes.ts';
import { credentialType } from './credential.ts';
import { credentialUse } from './credential-use.ts';
import type { VaultAuth } from './dialect.ts';
import { page } from './fields.ts';
import { urlPatterns } from './allowed-urls.ts';

const time = z.iso.datetime();
const anyObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** A text that can be a part of an audit record and of a binding. */
const serviceId = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');

/** How a browser session fills it in; `network` keeps the real value out of the page. */
export const fillMode = z.enum(['network', 'dom', 'auto']);

const plaintext = {
  /** Its fields are checked in the enclave, by the type. */
  plaintext_data: anyObject.optional(),
  /** Alternative to `data`: enc and ciphertext to the report's `sealPublicKey` (RFC 9180), base64. */
  sealed_data: z.base64().min(1).optional(),
};

const newCredential = z.strictObject({
  service_id: legibleName(serviceId),
  credential_type: credentialType,
  ...plaintext,
  label: legibleName(z.string().min(1).max(256)).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  /** The URLs where it may be used; none: nowhere, until its owner names one or approves a first use. */
  allowed_urls: urlPatterns.optional(),
  fill_mode: fillMode.default('network'),
  metadata: anyObject.optional(),
});
export type NewCredential = z.output<typeof newCredential>;
const newValue = z.strictObject(plaintext);
export type NewValue = z.output<typeof newValue>;

/** The public properties of a credential. */
export const credentialInfo = z.object({
  id: z.uuid(),
  service_id: z.string(),
  credential_type: credentialType,
  label: z.string().optional(),
  allowed_urls: z.array(z.string()),
  fill_mode: fillMode,
  metadata: anyObject.optional(),
  created_at: time,
  expires_at: z.nullable(time),
  /** Keyed for this credential: another one with the same plaintext has another. */
  fingerprint: z.string(),
  /** Number of its value, from 1. */
  version: z.int().min(1),
});
export type CredentialInfo = z.infer<typeof credentialInfo>;

/** Credentials are sealed, listed, decrypted and deleted (spec: vault.credential). */
export const credentialRoutes = {
  createCredential: {
    method: 'POST',
    path: '/api/v1/credentials',
    auth: 'bearer',
    scope: 'credential:write',
    summary:
      'Store a credential, encrypted in the enclave; send exactly one of plaintext_data and sealed_data',
    body: newCredential,
    data: credentialInfo,
    created: true,
    refusals: ['insufficient_scope'],
  },
  listCredentials: {
    method: 'GET',
    path: '/api/v1/credentials',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'List the metadata of credentials, newest first',
    query: z.object({
      service_id: z.string().max(256).optional(),
      credential_type: credentialType.optional(),
      ...page,
    }),
    data: z.object({ items: z.array(credentialInfo), total: z.int() }),
  },
  getCredential: {
    method: 'GET',
    path: '/api/v1/credentials/:id',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'Get the metadata of a credential',
    data: credentialInfo,
    refusals: ['not_found'],
  },
  updateCredential: {
    method: 'PATCH',
    path: '/api/v1/credentials/:id',
    auth: 'bearer',
    scope: 'credential:write',
    summary: 'Update the URLs where a credential may be used; takes effect with the next operation',
    body: z.strictObject({ allowed_urls: urlPatterns }),
    data: credentialInfo,
    refusals: ['not_found'],
  },
  putCredentialValue: {
    method: 'PUT',
    path: '/api/v1/credentials/:id/value',
    auth: 'bearer',
    scope: 'credential:write',
    summary:
      'Replace a credential’s value: the next operation uses the new value, one in progress finishes with the old; send exactly one of plaintext_data and sealed_data',
    body: newValue,
    data: credentialInfo,
    refusals: ['not_found'],
  },
  listCredentialUses: {
    method: 'GET',
    path: '/api/v1/credentials/:id/uses',
    auth: 'bearer',
    scope: 'credential:read',
    summary: 'List the places where a credential may be used without asking again, newest first',
    data: z.object({ items: z.array(credentialUse), total: z.int() }),
    refusals: ['not_found'],
  },
  deleteCredentialUse: {
    method: 'DELETE',
    path: '/api/v1/credentials/:id/uses/:use_id',
    auth: 'bearer',
    scope: 'credential:write',
    summary: 'Revoke a place, from the next operation on',
    data: z.object({ id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found'],
  },
  deleteCredential: {
    method: 'DELETE',
    path: '/api/v1/credentials/:id',
    auth: 'bearer',
    scope: 'credential:write',
    summary: 'Delete a credential with its ciphertext',
    data: z.object({ id: z.uuid(), deleted: z.literal(true) }),
    refusals: ['not_found'],
  },
  decryptCredential: {
    method: 'POST',
    path: '/api/v1/credentials/:id/decrypt',
    auth: 'bearer',
    scope: 'credential:decrypt',
    summary: 'Decrypt a credential inside the enclave, once the access is in the audit log',
    body: z.strictObject({
      reason: z.string().min(1).max(500),
      /** P-256, uncompressed, base64: the answer then has `sealed_data` for this key in place of the plaintext. */
      recipient_public_key: z.base64().length(88).optional(),
    }),
    data: z.object({
      id: z.uuid(),
      plaintext_data: anyObject.optional(),
      sealed_data: z.base64().optional(),
      audit_id: z.string(),
    }),
    refusals: ['not_found', 'credential_expired'],
  },
} as const satisfies RouteTable<VaultCode, VaultAuth>;
