import { z } from 'zod';
import { name } from './fields.ts';

export const policyMode = z.enum(['active', 'log_only']);

/** When a person must agree, and who (spec: control-plane.policy). */
export const hitl = z.strictObject({
  /** A Cedar condition over `context.params`, such as `context.params.amount > 1000000`. */
  when: z.string().trim().min(1).max(4096),
  /** Names of approver keys; `*` is any of them. */
  approvers: z.array(name).min(1).max(64).default(['*']),
  quorum: z.int().min(1).max(16).default(1),
  timeout_seconds: z.int().min(1).max(604_800).default(3600),
});
export type Hitl = z.output<typeof hitl>;

/** The content of a policy version, apart from its number. Its digest covers exactly this. */
export const policyContent = z.strictObject({
  tenant: name,
  policy_id: name,
  policy_version: z.int().min(1),
  name,
  mode: policyMode,
  /** The policy in Cedar's canonical form. */
  cedar: z.string().min(1).max(65_536),
  /** Cedar schema. */
  schema: z.string().max(65_536).nullable(),
  hitl: hitl.nullable(),
});
export type PolicyContent = z.output<typeof policyContent>;
