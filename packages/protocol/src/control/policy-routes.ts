import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import type { ControlCode } from './codes.ts';
import type { ControlAuth } from './dialect.ts';
import { page } from '../vault/fields.ts';
import { anObject, digest, name, newName, time } from './fields.ts';
import { hitl, policyContent, policyMode } from './policy.ts';
import { request } from './request.ts';

const newPolicy = z.strictObject({
  /** Its next version, or the first under a name of your own, which must be legible; without it the server makes a name. */
  policy_id: name.optional(),
  name: newName,
  cedar: z.string().min(1).max(65_536),
  /** A Cedar schema, or its JSON form, which is stored as text. */
  schema: z
    .union(
      [z.string().min(1), anObject.transform((schema) => JSON.stringify(schema))],
      'must be a Cedar schema: a string or an object',
    )
    .pipe(z.string().max(65_536))
    .nullish(),
  mode: policyMode.default('active'),
  hitl: hitl.nullish(),
});
export type NewPolicy = z.output<typeof newPolicy>;

const policyReference = z.object({
  policy_id: name,
  policy_version: z.int(),
  mode: policyMode,
  digest,
  /** Base64 of Ed25519 by the enclave's audit key over the 32 bytes of the digest. */
  signature: z.base64(),
  created_at: time,
});

const policyVersion = policyReference.extend({
  ...policyContent.pick({ name: true, cedar: true, schema: true, hitl: true }).shape,
  /** Name of the key that made it. */
  created_by: name,
});
export type PolicyVersion = z.output<typeof policyVersion>;

/** Policies and their versions (spec: control-plane.policy). */
export const policyRoutes = {
  createPolicy: {
    method: 'POST',
    path: '/v1/policies',
    auth: 'key',
    scope: 'write',
    summary: 'Create a policy, or the next version of one; a version never changes',
    body: newPolicy,
    data: policyReference,
    created: true,
    refusals: ['invalid_policy', 'unsatisfiable_policy'],
  },
  listPolicies: {
    method: 'GET',
    path: '/v1/policies',
    auth: 'key',
    scope: 'read',
    summary: 'List the newest version of each policy by name',
    query: z.object(page),
    data: z.object({ items: z.array(policyVersion), total: z.int() }),
  },
  getPolicy: {
    method: 'GET',
    path: '/v1/policies/:policy_id',
    auth: 'key',
    scope: 'read',
    summary: 'Get the newest version of a policy, or the requested one',
    query: z.object({ version: z.int().min(1).optional() }),
    data: policyVersion,
    refusals: ['not_found'],
  },
  listPolicyVersions: {
    method: 'GET',
    path: '/v1/policies/:policy_id/versions',
    auth: 'key',
    scope: 'read',
    summary: 'List every version of a policy with its signature, newest first',
    query: z.object(page),
    data: z.object({ items: z.array(policyVersion), total: z.int() }),
    refusals: ['not_found'],
  },
  explainPolicy: {
    method: 'POST',
    path: '/v1/policies/:policy_id/explain',
    auth: 'key',
    scope: 'read',
    summary: 'Evaluate a request against a policy and get the statements that decide; nothing runs',
    body: z.strictObject({ ...request, version: z.int().min(1).optional() }),
    data: z.object({
      policy_id: name,
      policy_version: z.int(),
      /** The policy's verdict; with `log_only` it has no effect. */
      verdict: z.enum(['allow', 'pending_hitl', 'deny']),
      mode: policyMode,
      /** Ids of the statements that decided (their `@id`, else their place). Empty: nothing permits it. */
      determining: z.array(z.string()),
      /** Ids of those that could not be evaluated, which is a denial. */
      errors: z.array(z.string()),
      hitl: z.object({ approvers: z.array(name), quorum: z.int(), timeout_seconds: z.int() }).nullable(),
      risk_tier: z.string().nullable(),
      /** Milliseconds that it took to decide, once the policy was read from the database. */
      duration_ms: z.number().min(0),
    }),
    refusals: ['not_found'],
  },
} as const satisfies RouteTable<ControlCode, ControlAuth>;
