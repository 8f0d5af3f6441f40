import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Caller, Ledger, Sent } from '../ledger.ts';
import { payer } from '../samples.ts';
import type { Looked } from './looked.ts';

/** Of a payment that leaves for the first time. */
export function brokenBySending({ plan, ledger }: Looked, sent: Sent): string | null {
  const { entry, disk, traceId, amount } = sent;
  const { nonce, callKey } = entry;
  if (disk.readFlushed(payer, ['payment', nonce]) === undefined)
    return `${nonce} left before the journal was on disk`;
  const first = ledger.callers.find((caller) => caller.traceId === traceId);
  if (amount > (first?.purchase.maxAmount ?? amount)) return `${nonce} is above the maximum of its call`;
  const waiting = ledger.callers.filter(
    (caller) =>
      caller.process === first?.process &&
      (caller === first || (callKey !== null && caller.purchase.key === first?.purchase.key)),
  );
  if (waiting.every(({ hasLeft }) => hasLeft)) return `${nonce} left although everybody had cancelled`;
  const revokedAt = ledger.revokedAt.get(entry.mandateId ?? '') ?? Infinity;
  // What was signed before may have left before, for all that its gateway knows.
  const signedAt = entry.openedAt - plan.skewMs.gateway;
  if (first !== undefined && Math.min(first.askedAt, signedAt) > revokedAt)
    return `${nonce} was paid from a revoked mandate`;
  return null;
}

/** Of an answer that has reached its caller. */
export function brokenByAnswer({ plan, chain, ledger }: Looked, caller: Caller): string | null {
  const { answer, purchase } = caller;
  if (answer === null) return null;
  const { code, detail } = answer;
  if (detail.paymentMade) return brokenByPaid({ plan, chain, ledger }, caller, answer);
  const earlier = [...ledger.sent.values()].find(
    ({ entry, disk, key, directory, sentAt }) =>
      key !== undefined &&
      key === purchase.key &&
      directory === purchase.disk &&
      sentAt < caller.askedAt &&
      disk.read(payer, ['unresolved', entry.nonce]) !== undefined,
  );
  if (code === 'WALLET_APPROVAL_REQUIRED' && !caller.bringsApproval && earlier !== undefined)
    return `${purchase.name} was asked for an approval, though ${earlier.entry.nonce} of this key is under way`;
  const own = [...ledger.sent.values()].filter(
    ({ entry, traceId }) => chain.canMove(entry) && traceId === caller.traceId && !isJoined(ledger, caller),
  );
  if (!tellsOfDoubt.has(code) && code !== 'IDEMPOTENCY_CONFLICT' && own.length > 0)
    return `${purchase.name} was told ${code}, and ${own[0]?.entry.nonce} can be taken`;
  return null;
}

/** Words that do not say that nothing was paid. */
export const tellsOfDoubt: ReadonlySet<string> = new Set([
  'PAYMENT_OUTCOME_UNKNOWN',
  'SETTLEMENT_FAILED',
  'PAYMENT_REJECTED',
  'APPROVAL_ALREADY_USED',
]);

const isJoined = (ledger: Ledger, caller: Caller): boolean =>
  ledger.callers.some((other) => other !== caller && other.traceId === caller.traceId);

function brokenByPaid(
  { plan, chain, ledger }: Pick<Looked, 'plan' | 'chain' | 'ledger'>,
  { purchase, traceId }: Caller,
  { detail }: GatewayEnvelope,
): string | null {
  const { transaction } = detail.paymentResponse ?? {};
  const isSettled = [...chain.transfers.values()].some((transfer) => transfer.transaction === transaction);
  if (!isSettled && plan.hasNode) return `${purchase.name} was told of a settlement that is not on chain`;
  const others = ledger.callers.filter(
    (other) =>
      purchase.key !== undefined &&
      other.purchase.key === purchase.key &&
      other.purchase.disk === purchase.disk &&
      other.traceId !== traceId &&
      other.answer?.detail.paymentMade === true,
  );
  if (others.some(({ answer }) => answer?.detail.paymentResponse?.transaction !== transaction))
    return `${purchase.name} was told of another settlement under its key`;
  return null;
}
