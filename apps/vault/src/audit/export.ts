import { canonicalText } from '@countersign/audit-log/chain';
import type { CommandReply, CommandRequest, EnclaveCommand } from '@countersign/protocol/enclave/commands';

type OnChain = CommandRequest<'audit.head'>['anchor'];
type Ask = <C extends EnclaveCommand>(command: C, request: CommandRequest<C>) => Promise<CommandReply<C>>;

/** Records that are asked for at a time. */
const step = 500;

/**
 * A tenant's records as JSON lines in their RFC 8785 texts, oldest first, and a last line {checkpoint, tenantHead, attestation, inclusion,
 * anchor}. The end is asked for first: what is appended meanwhile belongs to a later export. `anchor` is the newest root on chain.
 */
export async function exportLines(
  ask: Ask,
  tenantId: string,
  anchor: OnChain,
): Promise<ReadableStream<Uint8Array>> {
  const { records, lastLine } = await ask('audit.head', { tenantId, anchor });
  const encoder = new TextEncoder();
  let nextSeq = 1;
  return new ReadableStream({
    async pull(controller) {
      if (nextSeq > records) {
        controller.enqueue(encoder.encode(`${lastLine}\n`));
        return controller.close();
      }
      const limit = Math.min(step, records - nextSeq + 1);
      const { items } = await ask('audit.chain', { tenantId, fromSeq: nextSeq, limit });
      // A file that just ends would look whole to a careless reader.
      if (items.length === 0) throw new Error('the audit log lacks records of a chain');
      nextSeq += items.length;
      controller.enqueue(encoder.encode(items.map((record) => `${canonicalText(record)}\n`).join('')));
    },
  });
}
