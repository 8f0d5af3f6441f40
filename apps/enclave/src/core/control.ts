import { hash } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import type { Signer } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { fail, ok } from '@countersign/protocol/result';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';
import type { EnclaveKeys } from '../keys/enclave-keys.ts';
import { hkdf } from '../keys/hkdf.ts';
import type { Handlers } from './serve.ts';

export type ControlParts = {
  readonly audit: AuditLog;
  readonly signer: Signer;
  readonly keys: Pick<EnclaveKeys, 'tokenKey'>;
};

/** What the control plane has the enclave sign and record. */
export function controlHandlers({
  audit,
  signer,
  keys,
}: ControlParts): Pick<Handlers, keyof Handlers & `control.${string}`> {
  return {
    'control.policy': async ({ content, actor }) => {
      // Made here from the content: what is signed is never a hash that somebody gave.
      const bytes = hash('sha256', canonicalText(content), 'buffer');
      const digest = `sha256:${bytes.toString('hex')}`;
      const signature = signer.sign(bytes).toString('base64');
      const { tenant: tenantId, policy_id, policy_version, mode } = content;
      const detail = { policy_id, policy_version, mode, digest, signature };
      const recorded = await record(audit, { eventType: 'policy_created', tenantId, actor, detail });
      return recorded.ok ? ok({ reply: { digest, signature, ...recorded.value } }) : recorded;
    },
    'control.webhookKey': ({ tenantId, webhookId }) =>
      ok({ reply: {}, body: hkdf(keys.tokenKey, `countersign-control-v1/webhook/${tenantId}/${webhookId}`) }),
    'control.record': async ({ draft }) => {
      const recorded = await record(audit, draft);
      return recorded.ok ? ok({ reply: recorded.value }) : recorded;
    },
  };
}

async function record(audit: AuditLog, draft: RecordDraft) {
  const appended = await audit.append(draft);
  if (appended.ok) return ok({ auditId: appended.value.auditId });
  const isOurs = appended.error.code === 'AUDIT_RECORD_INVALID';
  return fail({ code: isOurs ? 'INVALID_COMMAND' : 'AUDIT_UNAVAILABLE' } as const);
}
