import { publicKeyText } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import type { AuditFilter } from '@countersign/audit-log/store/query-index';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { fail, ok } from '@countersign/protocol/result';
import type { AuditRecord } from '@countersign/protocol/vault/audit-record';
import type { Handlers } from './serve.ts';

type AuditCommand = keyof Handlers & `audit.${string}`;

const notFound = fail({ code: 'NOT_FOUND' } as const);

/** Answers the log's commands. The vault names the tenant; records of other tenants are not found. */
export function auditHandlers(log: AuditLog, report: Handlers['report']): Pick<Handlers, AuditCommand> {
  return {
    'audit.query': ({ filter, limit, offset }) => {
      const wanted = readFilter(filter);
      if (wanted === null) return fail({ code: 'INVALID_COMMAND' });
      const { items, total } = log.query(wanted, { limit, offset });
      return ok({ reply: { items: fitting(items, JSON.stringify), total } });
    },
    'audit.chain': ({ tenantId, fromSeq, limit }) => {
      const texts: string[] = [];
      for (const text of log.textsFrom(tenantId, fromSeq)) if (texts.push(text) === limit) break;
      const items = fitting(texts, (text) => text).map((text) => JSON.parse(text) as AuditRecord);
      return ok({ reply: { items } });
    },
    'audit.head': async ({ tenantId, anchor }, body, gone) => {
      for (;;) {
        const told = await report({ nonce: '' }, body, gone);
        if (!told.ok) return told;
        const attestation = told.value.reply;
        // Head and report are of one key, also while the log goes over to another.
        if (attestation.auditPublicKey !== publicKeyText(log.signer.publicKey)) continue;
        const end = log.exportEnd(tenantId, attestation, anchor);
        return ok({ reply: { records: end.tenantHead.seq, lastLine: JSON.stringify(end) } });
      }
    },
    'audit.verify': async ({ tenantId, auditId }) => {
      const reply = await log.verify(tenantId, auditId);
      return reply === null ? notFound : ok({ reply });
    },
    'audit.record': ({ tenantId, auditId }) => {
      const record = log.find(tenantId, auditId);
      return record === null ? notFound : ok({ reply: { record } });
    },
    'audit.proof': ({ tenantId, auditId }) => {
      const proof = log.proof(tenantId, auditId);
      return proof === null ? notFound : ok({ reply: { proof } });
    },
    'audit.consistency': ({ from, to }) => {
      const hashes = log.consistency(from, to);
      return hashes === null
        ? notFound
        : ok({ reply: { hashes: hashes.map((hash) => hash.toString('base64')) } });
    },
    'audit.checkpoint': () => {
      const { size, root } = log.head;
      return ok({ reply: { checkpoint: log.checkpoint(), size, root: root.toString('base64') } });
    },
    'audit.root': ({ size }) => {
      const root = log.rootAt(size);
      return root === null ? notFound : ok({ reply: { root: root.toString('base64') } });
    },
  };
}

/** Bytes of records that leave room for the rest of a frame. */
const maxBytes = 1_000_000;

/** The first of them whose texts fit into one frame together. */
function fitting<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += Buffer.byteLength(textOf(item)) + 1) > maxBytes);
  return items.slice(0, end === -1 ? items.length : end);
}

function readFilter({ from, to, ...subjects }: CommandRequest<'audit.query'>['filter']): AuditFilter | null {
  const times = {
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
  };
  if (Object.values(times).some(Number.isNaN)) return null;
  const given = Object.entries(subjects).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as Pick<AuditFilter, 'tenantId'>), ...times };
}
