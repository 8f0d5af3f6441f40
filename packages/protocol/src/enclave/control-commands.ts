import { z } from 'zod';
import { policyContent } from '../control/policy.ts';
import { controlEventTypes, recordDraft } from '../vault/audit-record.ts';

const id = z.string().min(1).max(512);

/** Records that the control plane writes itself. The commands that perform an action write theirs. */
const recordedByControlPlane = z.enum([
  ...z.enum(controlEventTypes).exclude(['policy_created', 'execution_started', 'execution_ended']).options,
  'human_approval_requested',
  'human_approval_received',
  'policy_rejected',
]);

export const controlCommands = {
  /** Signs a version of a policy by what it says, and answers once the record `policy_created` is on disk. */
  'control.policy': {
    request: z.strictObject({ content: policyContent, actor: id }),
    requestBody: 'none',
    reply: z.strictObject({
      /** `sha256:` of the RFC 8785 text of the content. */
      digest: z.string(),
      /** Base64 of Ed25519 by the audit key over the 32 bytes of the digest. */
      signature: z.string(),
      auditId: id,
    }),
    replyBody: 'none',
  },
  /** Answers once the record is on disk. Only what the control plane does is recorded this way. */
  'control.record': {
    request: z.strictObject({ draft: recordDraft.extend({ eventType: recordedByControlPlane }) }),
    requestBody: 'none',
    reply: z.strictObject({ auditId: id }),
    replyBody: 'none',
  },
  /** Body: the 32 bytes that sign what a webhook is told, of this webhook and generation alone. Root rotation leaves them as they are. */
  'control.webhookKey': {
    request: z.strictObject({ tenantId: id, webhookId: z.uuid(), generation: z.int().min(1) }),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'bytes',
  },
  /** Returns one record of the tenant. */
  'audit.record': {
    request: z.strictObject({ tenantId: id, auditId: id }),
    requestBody: 'none',
    reply: z.strictObject({ record: z.unknown() }),
    replyBody: 'none',
  },
} as const;
