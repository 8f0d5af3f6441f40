import { canonicalText } from '@countersign/audit-log/chain';
import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';

type Ask = <C extends EnclaveCommand>(command: C, request: CommandRequest<C>) => Promise<CommandReply<C>>;

/** Records that are asked for at a time. */
const step = 500;

/**
 * A tenant's records as JSON lines in their RFC 8785 texts, oldest first, and a last line {checkpoint, tenantHead, attestation}. The end is
 * asked for first: what is appended meanwhile belongs to a later export.
 */
export async function exportLines(ask: Ask, tenantId: string): Promise<ReadableStream<Uint8Array>> {
  const { checkpoint, tenantHead, attestation } = await ask('audit.head', { tenantId });
  const lastSeq = (tenantHead as { readonly seq: number }).seq;
  const encoder = new TextEncoder();
  let nextSeq = 1;
  return new ReadableStream({
    async pull(controller) {
      if (nextSeq > lastSeq) {
        controller.enqueue(encoder.encode(`${JSON.stringify({ checkpoint, tenantHead, attestation })}\n`));
        return controller.close();
      }
      const limit = Math.min(step, lastSeq - nextSeq + 1);
      const { items } = await ask('audit.chain', { tenantId, fromSeq: nextSeq, limit });
      // A file that just ends would look whole to a careless reader.
      if (items.length === 0) throw new Error('the audit log lacks records of a chain');
      nextSeq += items.length;
      controller.enqueue(encoder.encode(items.map((record) => `${canonicalText(record)}\n`).join('')));
    },
  });
}
