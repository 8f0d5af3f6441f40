import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { RecordDraft } from '@countersign/protocol/vault/audit-record';

/** Writes a record of one session. INVARIANT: nothing that it tells may happen before it has given the `auditId`; otherwise it could happen unrecorded. */
export type Recorder = (event: SessionRecord) => Promise<Result<string, EnclaveRefusal>>;

/** Who acts: `actor` names a token or a person, `agentDid` the agent that it acts for, where there is one. */
export type Who = { readonly actor: string; readonly agentDid?: string | undefined };

export type SessionRecord = Pick<RecordDraft, 'eventType' | 'detail'> & {
  /**
   * The actor. Actions of the page or of the enclave itself count for the agent that the session was opened
   * for.
   */
  readonly who: Who | 'browser' | 'enclave';
  readonly credentialId?: string;
};

type Subject = { readonly tenantId: string; readonly sessionId: string } & Pick<Who, 'agentDid'>;

export const recorderFor =
  (audit: Pick<AuditLog, 'append'>, { tenantId, sessionId, agentDid }: Subject): Recorder =>
  async ({ who, ...event }) => {
    const acting = typeof who === 'string' ? { actor: who, agentDid } : who;
    const appended = await audit.append({ ...event, tenantId, sessionId, ...named(acting) });
    if (appended.ok) return ok(appended.value.auditId);
    const isInvalid = appended.error.code === 'AUDIT_RECORD_INVALID';
    return fail({ code: isInvalid ? 'INVALID_COMMAND' : 'AUDIT_UNAVAILABLE' });
  };

const named = ({ actor, agentDid }: Who) => ({ actor, ...(agentDid !== undefined && { agentDid }) });

/** Gives who sent a command. */
export const whoOf = ({ actor, agentDid }: Who): Who => named({ actor, agentDid });
