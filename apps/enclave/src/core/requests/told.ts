import { createHash } from 'node:crypto';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { record } from '../executions/record.ts';

type Asked = CommandRequest<'credential.request'>;

/** Longer paths are told as far as this. */
const maxPath = 2048;

/** Returns what the log records of a request: neither its query, nor the contents of its headers and body. */
function detailOf({ send }: Asked, url: URL | null): Record<string, unknown> {
  return {
    method: send.method,
    origin: url?.origin.slice(0, 500) ?? null,
    path: url?.pathname.slice(0, maxPath) ?? null,
    headers: Object.keys(send.headers ?? {}),
    credentialHeaders: Object.keys(send.credential_headers),
    bodySha256: createHash('sha256')
      .update(send.body ?? '')
      .digest('hex'),
  };
}

/** `policy_rejected`: nothing was sent, by this rule. `request_ended`: what came of it, a status or why there is none. */
export type Told =
  | { readonly eventType: 'policy_rejected'; readonly rule: string }
  | { readonly eventType: 'request_ended'; readonly outcome: string; readonly status: number | null };

export function tell(
  audit: Pick<AuditLog, 'append'>,
  asked: Asked,
  url: URL | null,
  { eventType, ...told }: Told,
) {
  const { binding, actor, agentDid } = asked;
  const { tenantId, credentialId } = binding;
  const who = { tenantId, credentialId, actor, ...(agentDid !== undefined && { agentDid }) };
  return record(audit, { eventType, ...who, detail: { ...detailOf(asked, url), ...told } });
}
