import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Streamed } from '@countersign/service/http';
import type { VaultHandlers } from '../callers.ts';
import { type Enclave, EnclaveFailed } from '../enclave.ts';
import { refusal } from '../refusal.ts';
import { exportLines } from './export.ts';

type AuditHandlers = Pick<
  VaultHandlers,
  | 'queryAudit'
  | 'verifyAudit'
  | 'auditProof'
  | 'auditCheckpoint'
  | 'auditConsistency'
  | 'exportAudit'
  | 'attestationReport'
>;

/** The audit log, which is the enclave's, as a tenant may see it, and the report about the enclave. */
export function auditHandlers(enclave: Enclave): AuditHandlers {
  return {
    async queryAudit({ query, caller }) {
      const { limit, offset, from, to, ...ids } = query;
      const filter = {
        tenantId: caller.tenantId,
        ...given(ids),
        ...(from !== undefined && { from: beginOf(from) }),
        ...(to !== undefined && { to: endOf(to) }),
      };
      const page = await queryAll(enclave, filter, limit, offset);
      return ok({ ...page, limit, offset });
    },

    async verifyAudit({ params, caller }) {
      const found = await find(enclave, 'audit.verify', oneOf(caller, params));
      return found === null ? noSuchRecord : ok(found);
    },

    async auditProof({ params, caller }) {
      const found = await find(enclave, 'audit.proof', oneOf(caller, params));
      return found === null ? noSuchRecord : plainText(found.proof);
    },

    auditCheckpoint: async () => plainText((await ask(enclave, 'audit.checkpoint', {})).checkpoint),

    async auditConsistency({ query: { from, to } }) {
      const found = from <= to ? await find(enclave, 'audit.consistency', { from, to }) : null;
      return found === null
        ? refusal('invalid_request', 'from: must not be larger than to, and the log must have had both sizes')
        : ok({ from, to, hashes: found.hashes });
    },

    async exportAudit({ caller }) {
      const stream = await exportLines((command, request) => ask(enclave, command, request), caller.tenantId);
      const headers = {
        'content-type': 'application/jsonl',
        'content-disposition': 'attachment; filename="audit.jsonl"',
      };
      return { ok: true, stream, headers };
    },

    attestationReport: async ({ query: { nonce } }) => ok(await ask(enclave, 'report', { nonce })),
  };
}

const noSuchRecord = refusal('not_found', 'there is no such audit record');

const oneOf = ({ tenantId }: { readonly tenantId: string }, params: Readonly<Record<string, string>>) => ({
  tenantId,
  auditId: params['id'] ?? '',
});

const plainText = (stream: string): Streamed => ({
  ok: true,
  stream,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
});

/** A question that the enclave has no reason to refuse. */
async function ask<C extends EnclaveCommand>(
  enclave: Enclave,
  command: C,
  request: CommandRequest<C>,
): Promise<CommandReply<C>> {
  const answer = await enclave.call(command, request);
  if (!answer.ok) throw new EnclaveFailed(command, answer.error);
  return answer.value.reply;
}

/** The same about something that may not be there, or cannot be: null then. */
async function find<C extends EnclaveCommand>(
  enclave: Enclave,
  command: C,
  request: CommandRequest<C>,
): Promise<CommandReply<C> | null> {
  const answer = await enclave.call(command, request);
  if (answer.ok) return answer.value.reply;
  if (answer.error.code === 'NOT_FOUND' || answer.error.code === 'INVALID_COMMAND') return null;
  throw new EnclaveFailed(command, answer.error);
}

/** A page of records; large ones come in several frames. */
async function queryAll(
  enclave: Enclave,
  filter: CommandRequest<'audit.query'>['filter'],
  limit: number,
  offset: number,
): Promise<{ items: AuditRecord[]; total: number }> {
  const items: AuditRecord[] = [];
  for (;;) {
    const rest = { filter, limit: limit - items.length, offset: offset + items.length };
    const part = await ask(enclave, 'audit.query', rest);
    items.push(...part.items);
    if (part.items.length === 0 || items.length === limit) return { items, total: part.total };
    if (offset + items.length >= part.total) return { items, total: part.total };
  }
}

/** Without the members that are undefined. */
const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** A day begins with its first millisecond and ends with its last. */
const beginOf = (when: string): string => new Date(when).toISOString();
const endOf = (when: string): string =>
  when.includes('T') ? beginOf(when) : new Date(Date.parse(when) + 86_399_999).toISOString();
