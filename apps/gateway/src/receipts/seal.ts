import { formatAmount } from '@countersign/protocol/amount';
import type { HeardApproval } from '../payment/approval.ts';
import { hashArguments } from '../payment/payment.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { canonicalText, sha256 } from '../canonical.ts';
import type { WatchedPorts } from './evidence.ts';
import { clockInput } from './inputs.ts';
import { type End, verdictOf } from './outcome.ts';
import type { InputName, NamedInput, Receipt, ReceiptDraft, Reported } from './receipt.ts';
import { traceOf } from './trace.ts';

/** A longer text is named by its hash alone: a hostile service must not fill the disk. Whoever has it can show it. */
const maxKept = 256 * 1024;

/**
 * Leaves the receipt of a priced call that has ended, signed and at its place in the chain, and the report that names
 * it; both are on disk when it resolves. Gives the receipt's id, null when it could not be written.
 */
export async function seal(
  ports: WatchedPorts,
  call: ToolCall,
  end: End,
  report: ((receiptHash: string | null) => Reported) | null,
): Promise<string | null> {
  const receiptId = `rcp_${ports.randomId()}`;
  const inputs = recordInputs(ports, call, end);
  const payment = paymentOf(end);
  const draft: ReceiptDraft = {
    receiptId,
    traceId: call.traceId,
    agent: call.agent,
    serviceId: call.serviceId,
    toolName: call.toolName,
    argumentsHash: hashArguments(call),
    payer: ports.wallet.address,
    inputs: {
      configuration: ports.receipts.configuration.hash,
      ...Object.fromEntries(inputs.map(([name, { hash }]) => [name, hash])),
    },
    trace: [...traceOf(end)],
    verdict: verdictOf(end),
    ...(payment !== undefined && { payment }),
  };
  const kept = inputs.filter(([, { text }]) => text.length <= maxKept);
  const appended = await ports.receipts.append(draft, kept, report);
  return appended === null ? null : receiptId;
}

function recordInputs({ evidence }: WatchedPorts, { maxAmount }: ToolCall, end: End): readonly NamedInput[] {
  const seen = [...evidence.seen].map(([name, form]) => recorded(name, form()));
  if (maxAmount !== undefined) seen.push(recorded('maxAmount', formatAmount(maxAmount)));
  if (end.kind !== 'decided') return seen;
  const { at, demand } = end.judged;
  const isCancelled = end.payment?.kind === 'cancelled';
  return [
    ...seen,
    recorded('clock', clockInput(at)),
    recorded('cart', demand.cart),
    ...(evidence.heard === null ? [] : [recorded('approval', approvalInput(evidence.heard))]),
    ...(isCancelled ? [recorded('cancelled', true)] : []),
  ];
}

function recorded(name: InputName, value: unknown): NamedInput {
  const text = canonicalText(value);
  return [name, { text, hash: sha256(text) }];
}

const approvalInput = ({
  approval: { message, chainId, agent, usedAt },
  signature,
  contract,
  heardAt,
}: HeardApproval): object => ({
  message,
  chainId,
  agent,
  usedAt,
  signature,
  contract,
  heardAt: new Date(heardAt).toISOString(),
});

/** Returns the public part of the signed payment; only a settled one has a transaction. */
export function paymentOf(end: End): Receipt['payment'] {
  if (end.kind !== 'decided' || end.payment?.kind !== 'paid') return undefined;
  const { settlement, entry } = end.payment;
  const { nonce, validBefore } = entry;
  return {
    nonce,
    validBefore,
    ...(settlement.kind === 'settled' && { transaction: settlement.transaction }),
  };
}
