import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';

/** Of one session. Gives the `auditId` once the record is on disk; before that nothing of what it tells may happen. */
export type Recorder = (event: SessionRecord) => Promise<Result<string, EnclaveRefusal>>;

export type SessionRecord = Pick<RecordDraft, 'eventType' | 'actor' | 'detail'> & {
  readonly credentialId?: string;
};

type Subject = {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly agentDid?: string | undefined;
};

export const recorderFor =
  (audit: Pick<AuditLog, 'append'>, { tenantId, sessionId, agentDid }: Subject): Recorder =>
  async (event) => {
    const appended = await audit.append({
      ...event,
      tenantId,
      sessionId,
      ...(agentDid === undefined ? {} : { agentDid }),
    });
    if (appended.ok) return ok(appended.value.auditId);
    const isInvalid = appended.error.code === 'AUDIT_RECORD_INVALID';
    return fail({ code: isInvalid ? 'INVALID_COMMAND' : 'AUDIT_UNAVAILABLE' });
  };
