import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';

/** Gives the `auditId` once the record is on disk; before that nothing of what it tells may happen. */
export async function record(
  audit: Pick<AuditLog, 'append'>,
  draft: RecordDraft,
): Promise<Result<{ readonly auditId: string }, EnclaveRefusal>> {
  const appended = await audit.append(draft);
  if (appended.ok) return ok({ auditId: appended.value.auditId });
  const isOurs = appended.error.code === 'AUDIT_RECORD_INVALID';
  return fail({ code: isOurs ? 'INVALID_COMMAND' : 'AUDIT_UNAVAILABLE' });
}
