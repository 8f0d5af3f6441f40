import { formatAmount } from '@countersign/protocol/amount';
import type { CallOutcome, GatewayPorts, PaymentEntry, ToolCall } from './ports.ts';
import { signPayment } from './payment.ts';
import type { Facts } from './reply.ts';
import type { Decision } from './rules/decide.ts';
import { judgeSettlement, type Settlement } from './rules/settlement.ts';

export type Paid = {
  readonly kind: 'paid';
  readonly entry: PaymentEntry;
  readonly outcome: CallOutcome;
  readonly settlement: Settlement;
};

export type NotOpened = { readonly kind: 'over-budget' } | { readonly kind: 'approval-used' };

/**
 * Signs, journals, sends, judges: in this order, so that a payment that has left is always in the journal.
 * The same decision made before sends its old payload again: there is never a second signature for one call.
 */
export async function pay(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  { mandateId, budget }: Extract<Decision, { kind: 'pay' }>,
  approvalId: string | null,
): Promise<Paid | NotOpened> {
  const { demand, payer } = facts;
  // Signed after all checks: the authorization's life begins now.
  const signed = signPayment(ports.wallet, call, demand, {
    mandateId,
    amount: formatAmount(demand.amount),
    now: ports.now(),
  });
  const opened = await ports.state.openPayment(signed, budget, approvalId);
  if (opened.kind === 'over-budget' || opened.kind === 'approval-used') return opened;
  if (approvalId !== null) await ports.approvals.use(approvalId, call.traceId);
  const entry = opened.kind === 'known' ? opened.entry : signed;

  call.onProgress('payment signed, waiting for the settlement');
  const outcome = await ports.services.callPaid(call, entry.payload);
  const claimed = judgeSettlement(outcome, demand, payer);
  return { kind: 'paid', entry, outcome, settlement: await confirmed(ports, facts, entry, claimed) };
}

/** With an RPC endpoint, a settlement counts only when the chain shows our nonce in that transaction. */
async function confirmed(
  ports: GatewayPorts,
  facts: Facts,
  entry: PaymentEntry,
  claimed: Settlement,
): Promise<Settlement> {
  if (claimed.kind !== 'settled' || ports.chain === null) return claimed;
  const seen = await ports.chain.authorizationUsed({
    transaction: claimed.transaction,
    asset: facts.demand.token.address,
    payer: facts.payer,
    nonce: entry.nonce,
  });
  return seen === 'yes' ? claimed : { kind: 'unknown', response: claimed.response };
}
