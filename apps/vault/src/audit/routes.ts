import type { AnchorPlace } from '@countersign/audit-log/anchor/ethereum';
import { newestRoot } from '@countersign/audit-log/anchor/newest-root';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import { filterOf, queryRecords } from '@countersign/service/audit-query';
import type { Streamed } from '@countersign/service/http';
import type { Logger } from '@countersign/service/logger';
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

type AuditParts = {
  readonly enclave: Enclave;
  /** Null where the log's roots are on no chain. */
  readonly anchor: AnchorPlace | null;
  readonly log: Logger;
};

/** The audit log, which is the enclave's, as a tenant may see it, and the report about the enclave. */
export function auditHandlers({ enclave, anchor, log }: AuditParts): AuditHandlers {
  return {
    async queryAudit({ query, caller }) {
      const { limit, offset, ...asked } = query;
      const wanted = { filter: filterOf(caller.tenantId, asked), limit, offset };
      const page = await queryRecords((part) => ask(enclave, 'audit.query', part), wanted);
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
        ? refusal(
            'invalid_request',
            'from: must not be larger than to, and the log must have reached both sizes',
          )
        : ok({ from, to, hashes: found.hashes });
    },

    async exportAudit({ caller }) {
      const { origin } = await ask(enclave, 'describe', {});
      const untold = (why: string) => log.warn({ why }, 'the newest root cannot be read from the chain');
      const onChain = anchor === null ? null : await newestRoot(anchor, logIdOf(origin), untold);
      const stream = await exportLines(
        (command, request) => ask(enclave, command, request),
        caller.tenantId,
        onChain,
      );
      const headers = {
        'content-type': 'application/jsonl',
        'content-disposition': 'attachment; filename="audit.jsonl"',
      };
      return { ok: true, stream, headers };
    },

    attestationReport: async ({ query: { nonce } }) => ok(await ask(enclave, 'report', { nonce })),
  };
}

const noSuchRecord = refusal('not_found', 'audit record not found');

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
