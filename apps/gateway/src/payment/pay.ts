import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { inSpan } from '@countersign/service/trace';
import { decisionOf, type PaymentEntry } from '../ports/payment-entry.ts';
import { allowanceFor } from './allowance.ts';
import { deriveNonce, hashCall, keyOf, nameCall, namesOf, signPayment } from './payment.ts';
import type { CallOutcome } from '../rules/call-outcome.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { HeldFor, HoldAnswer } from '../ports/dashboard.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { transactionReport } from './report.ts';
import type { Facts } from './facts.ts';
import { judgeReceipt } from './checks/receipt.ts';
import type { StoredApproval } from '../rules/approval.ts';
import type { Decision } from '../rules/decide.ts';
import type { Demand } from '../rules/demand.ts';
import type { MerchantReceipt } from '../rules/merchant-receipt.ts';
import { judgeSettlement, type Settlement } from '../rules/settlement.ts';

export type Paid = {
  readonly kind: 'paid';
  readonly entry: PaymentEntry;
  readonly outcome: CallOutcome;
  readonly settlement: Settlement;
  /** What the service signed of it; null where it signs nothing, or nothing has settled. */
  readonly merchantReceipt: MerchantReceipt | null;
};

/** The payment was not made: the budget, the approval or the caller was gone at the moment of signing. */
export type NotPaid =
  | Extract<HoldAnswer, { kind: 'over-limit' | 'refused' }>
  | { readonly kind: 'approval-used' }
  /** Nobody waited for it any more. */
  | { readonly kind: 'cancelled' };

/** What was to be sent again is known to be unused by now, and is no payment any more: the call has to be judged anew. */
export type GivenUp = { readonly kind: 'given-up' };

type Decided = Extract<Decision, { kind: 'pay' }>;

/**
 * Holds, signs, journals, sends, judges: in this order, so that nothing is signed that does not fit, and a payment
 * that has left is always in the journal.
 */
export async function pay(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts & { readonly at: number },
  decided: Decided,
  approval: StoredApproval | null,
): Promise<Paid | NotPaid | GivenUp> {
  const approvalId = approval?.message.approvalId ?? null;
  const opened = await inSpan(
    call.span.child('reserve and sign', 'internal'),
    (span) => open(ports, { ...call, span }, facts, decided, approvalId),
    ({ kind }) => ({ attributes: { 'countersign.outcome': kind } }),
  );
  if (opened.kind !== 'opened') return opened;
  const { entry, again } = opened;
  // Sold before on other terms, and nobody knows yet how that ended: neither is sent, and nothing is signed.
  if (decisionOf(entry) !== opened.decision)
    return {
      kind: 'paid',
      entry,
      outcome: { kind: 'unavailable' },
      settlement: unknown,
      merchantReceipt: null,
    };
  call.onSent?.(entry, facts);
  call.onProgress('payment signed, waiting for the settlement');
  const [outcome] = await Promise.all([
    ports.services.callPaid(call, entry.payload),
    approvalId === null || again ? null : ports.approvals.use(approvalId, call.span),
  ]);
  const settlement = await inSpan(
    call.span.child('confirm settlement', 'internal'),
    () => trueSettlement(ports, facts, { entry, outcome, again, signal: call.signal }),
    ({ kind }) => ({ attributes: { 'countersign.outcome': kind } }),
  );
  const receiptOf = { at: facts.at, again };
  const merchantReceipt = await judgeReceipt(ports, call, facts, { outcome, settlement, ...receiptOf });
  return { kind: 'paid', entry, outcome, settlement, merchantReceipt };
}

/** The payment that this very call has sent before, unless it is known to be unused. */
export async function earlierPayment(ports: GatewayPorts, call: ToolCall): Promise<PaymentEntry | null> {
  const callKey = nameCall(call);
  if (callKey !== null) return ports.state.paymentOf(callKey);
  return call.orphan === undefined ? null : ports.state.paymentBy(call.orphan.nonce);
}

type Opened = {
  readonly kind: 'opened';
  readonly entry: PaymentEntry;
  readonly again: boolean;
  /** Of these terms; the entry's own differs when the terms have changed. */
  readonly decision: string;
};

/** A payment that may be sent: the same call made before gives its old payload, never a second signature. */
async function open(
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  { mandateId, budget, resumes }: Decided,
  approvalId: string | null,
): Promise<Opened | NotPaid | GivenUp> {
  const { demand } = facts;
  const decision = deriveNonce(ports.wallet, call, demand, mandateId);
  const callKey = nameCall(call);
  // Before the hold: the one of a payment that has settled cannot be placed again.
  const known = await openEarlier(ports, call, decision, resumes);
  if (known !== null) return known;
  const allowance = await allowanceFor(ports, demand);
  if (allowance.kind === 'refused') return allowance;

  const askedAt = ports.now();
  const hold = await holdFor(ports, call, demand, decision, {
    mandateId: isHeldFor({ budget, approvalId }) ? mandateId : null,
    approvalId,
  });
  if (call.signal.aborted) return cancel(ports, call, hold, decision);
  if (isNotPlaced(hold)) return hold;
  const held = heldBy(hold, demand, decision, askedAt);

  const names = namesOf(demand, decision);
  // Signed after all checks: the authorization's life begins now.
  const ifSettled = reportIfSettled(ports, call, facts, { ...names, mandateId, ...held, approvalId });
  const day = dayOf({ mandateId, budget }, askedAt);
  const { asker } = call;
  const unsigned = { ...names, callKey, callHash: hashCall(call), asker, mandateId, day, ...held, ifSettled };
  const entry = signPayment(ports.wallet, demand, unsigned, ports.now(), allowance.approvalNonce);
  const opened = await ports.state.openPayment(entry, budget, approvalId);
  switch (opened.kind) {
    case 'over-budget':
      await giveBack(ports, call, hold, decision);
      return isSpent({ mandateId });
    case 'approval-used':
      await giveBack(ports, call, hold, decision);
      return opened;
    case 'known':
      if (!isAnswered(entry, opened.entry))
        return { kind: 'opened', entry: opened.entry, again: true, decision };
      await giveBack(ports, call, hold, decision);
      return answered;
    case 'opened':
      if (!call.signal.aborted) return { kind: 'opened', entry, again: false, decision };
      return withdraw(ports, call, { entry, hold, decision, approvalId });
  }
}

/** Null where this call has paid nothing yet. */
async function openEarlier(
  ports: GatewayPorts,
  call: ToolCall,
  decision: string,
  resumes: Decided['resumes'],
): Promise<Opened | GivenUp | null> {
  const before = await earlierPayment(ports, call);
  if (before !== null) return openKnown(ports, before, decision);
  return resumes === true ? { kind: 'given-up' } : null;
}

type Opening = {
  readonly entry: PaymentEntry;
  readonly hold: Hold;
  readonly decision: string;
  readonly approvalId: string | null;
};

/** Nobody waits any more, and it has not been sent. */
async function withdraw(
  ports: GatewayPorts,
  call: ToolCall,
  { entry, hold, decision, approvalId }: Opening,
): Promise<NotPaid> {
  return (await ports.state.withdraw(entry, approvalId, keyOf(call)))
    ? cancel(ports, call, hold, decision)
    : { kind: 'cancelled' };
}

/** Another decision has paid this very challenge: it is worth one payment on chain, so a second would buy nothing. */
const isAnswered = (entry: PaymentEntry, known: PaymentEntry): boolean =>
  known.nonce === entry.nonce && decisionOf(known) !== decisionOf(entry);

const answered: NotPaid = {
  kind: 'refused',
  code: 'PAYMENT_UNSUPPORTED',
  why: 'the service showed a challenge that was paid before',
};

const isNotPlaced = (hold: Hold): hold is Extract<Hold, { kind: 'over-limit' | 'refused' }> =>
  hold.kind === 'over-limit' || hold.kind === 'refused';

/** The dashboard's clock and ours differ by less than this. */
const maxSkewMs = 1_000;

/**
 * What the journal says of the dashboard's hold. One that was placed before runs out earlier than was asked now. For a moment
 * both count a payment: rather that than neither.
 */
const heldBy = (
  hold: Hold,
  demand: Demand,
  decision: string,
  askedAt: number,
): Pick<PaymentEntry, 'holdId' | 'heldUntil'> =>
  hold.kind === 'held'
    ? {
        holdId: holdIdOf(decision),
        heldUntil: Math.min(hold.until, askedAt + holdSeconds(demand) * 1000) - maxSkewMs,
      }
    : { holdId: null, heldUntil: null };

/** The last word before the payment is sent: nothing of it stays. */
async function cancel(ports: GatewayPorts, call: ToolCall, hold: Hold, decision: string): Promise<NotPaid> {
  await giveBack(ports, call, hold, decision);
  return { kind: 'cancelled' };
}

/**
 * What is not paid is held for nobody. Under a key the hold may be that of a gateway on another state too, or of a process that
 * took the key over: theirs stands, as each call is a holder of its own (docs/decisions/0027).
 */
async function giveBack(ports: GatewayPorts, call: ToolCall, hold: Hold, decision: string): Promise<void> {
  if (hold.kind === 'held') await ports.holds.release(heldFor(call, decision), call.span);
}

/** One hold for the decision, however many place it, and one holder for each call that does. */
const heldFor = ({ traceId }: ToolCall, decision: string): HeldFor => ({
  holdId: holdIdOf(decision),
  holder: traceId,
});

/** Where no mandate applies, and the owner was not asked, a payment counts against its day in UTC. */
const dayOf = (
  { mandateId, budget }: Pick<Decided, 'mandateId' | 'budget'>,
  at: number,
): string | undefined =>
  mandateId === null && budget !== null ? new Date(at).toISOString().slice(0, 10) : undefined;

const isSpent = ({ mandateId }: Pick<Decided, 'mandateId'>): NotPaid =>
  mandateId === null
    ? {
        kind: 'refused',
        code: 'PAYMENT_UNSUPPORTED',
        why: 'without a mandate, no more than PAYMENT_UNMANDATED_DAILY is paid in a day (UTC)',
      }
    : { kind: 'over-limit', code: 'TOTAL_BUDGET_EXCEEDED' };

/**
 * The journal is asked once more, as for every payment that is sent: what it has let go meanwhile holds no budget. It is
 * never written back: it may settle no more, and another process may have opened it anew.
 */
async function openKnown(
  { state }: GatewayPorts,
  before: PaymentEntry,
  decision: string,
): Promise<Opened | GivenUp> {
  const entry = await state.findKnown(before);
  return entry === null ? { kind: 'given-up' } : { kind: 'opened', entry, again: true, decision };
}

type Sent = Pick<Opened, 'entry' | 'again'> & Pick<ToolCall, 'signal'>;

/** What the service says of the settlement, held against the chain where there is one to ask. */
async function trueSettlement(
  ports: GatewayPorts,
  facts: Facts,
  { entry, outcome, again, signal }: Sent & { readonly outcome: CallOutcome },
): Promise<Settlement> {
  const claimed = judgeSettlement(outcome, facts.demand, facts.payer);
  const settlement = await confirmed(ports, facts.demand, entry, claimed);
  return provenOtherwise(ports, facts, settlement, { entry, again, signal });
}

/**
 * With an RPC endpoint, a settlement counts only when the chain shows our nonce and our transfer in that transaction. How much of a
 * maximum was taken is never the service's word.
 */
async function confirmed(
  ports: GatewayPorts,
  { by }: Demand,
  entry: PaymentEntry,
  claimed: Settlement,
): Promise<Settlement> {
  if (claimed.kind !== 'settled' || (ports.chain === null && by.kind !== 'upto')) return claimed;
  const { transaction } = claimed;
  const seen = (await ports.chain?.authorizationUsed({ ...entry, transaction })) ?? 'unknown';
  if (typeof seen === 'object') return { ...claimed, ...seen };
  return seen === 'yes' ? claimed : { kind: 'unknown', response: claimed.response };
}

const unknown: Settlement = { kind: 'unknown', response: null };

/**
 * What the chain knows of a payment that is said not to have settled: who takes the money may deny it, and the refusal
 * of a second copy says nothing of the first. An unknown first copy is not asked for yet: it may settle any moment.
 */
async function provenOtherwise(
  ports: GatewayPorts,
  { demand, payer }: Facts,
  settlement: Settlement,
  { entry, again, signal }: Sent,
): Promise<Settlement> {
  if (settlement.kind === 'settled' || (settlement.kind === 'unknown' && !again)) return settlement;
  const found = (await ports.chain?.findSettlement(entry, signal)) ?? 'unknown';
  if (typeof found === 'string') return again ? unknown : settlement;
  const { transaction } = found;
  return {
    kind: 'settled',
    ...found,
    response: { success: true, transaction, network: demand.network, payer },
  };
}

/** Kept with the payment: what is to be reported if it only later turns out to have settled. */
const reportIfSettled = (
  ports: GatewayPorts,
  call: ToolCall,
  facts: Facts,
  kept: { nonce: string; mandateId: string | null; holdId: string | null; approvalId: string | null },
): TransactionReport =>
  transactionReport(call, facts, {
    result: 'pass',
    code: 'SUCCESS',
    chain: ports.chainName,
    nonce: kept.nonce,
    mandateId: kept.mandateId,
    holdId: kept.holdId,
    ...(kept.approvalId !== null && { approvalId: kept.approvalId }),
  });

const holdIdOf = (decision: string): string => `hld_${decision.slice(2)}`;

/** Blocks of a chain and our clock may differ by this much: the hold outlives the authorization. */
const clockSkewSeconds = 60;
const maxHoldSeconds = 3600;
const holdSeconds = ({ maxTimeoutSeconds }: Demand): number =>
  Math.min(maxHoldSeconds, maxTimeoutSeconds + clockSkewSeconds);

type Hold = HoldAnswer | { readonly kind: 'waived' };

/** What was sent before on terms that nobody was asked about is held already. */
const isHeldFor = ({
  budget,
  approvalId,
}: Pick<Decided, 'budget'> & { readonly approvalId: string | null }): boolean =>
  budget !== null || approvalId !== null;

/**
 * Without a mandate to keep nothing is held. What the owner has approved takes its place too; a dashboard that does not
 * know of that leaves it to them.
 */
async function holdFor(
  ports: GatewayPorts,
  call: ToolCall,
  demand: Demand,
  decision: string,
  { mandateId, approvalId }: { readonly mandateId: string | null; readonly approvalId: string | null },
): Promise<Hold> {
  if (mandateId === null) return { kind: 'waived' };
  const { amount, payTo: payee } = demand;
  const about = {
    mandateId,
    amount,
    payee,
    chain: `eip155:${demand.chainId}`,
    serviceId: call.serviceId,
    ttlSeconds: holdSeconds(demand),
    ...(approvalId !== null && { approvalId }),
  };
  const hold = await ports.holds.place({ ...heldFor(call, decision), ...about }, call.span);
  const knowsApprovals = hold.kind !== 'over-limit' || hold.exceeded !== undefined;
  return approvalId === null || knowsApprovals ? hold : { kind: 'waived' };
}

/** What the dashboard has to say of a payment that is the owner's to decide: nothing of it stays. Null: no more. */
export async function whatElse(
  ports: GatewayPorts,
  call: ToolCall,
  { demand, assurance }: Facts,
): Promise<Extract<HoldAnswer, { kind: 'over-limit' | 'refused' }> | null> {
  const mandateId = assurance.mandateId ?? null;
  if (mandateId === null) return null;
  const decision = deriveNonce(ports.wallet, call, demand, mandateId);
  const hold = await holdFor(ports, call, demand, decision, { mandateId, approvalId: null });
  if (isNotPlaced(hold)) return hold;
  await giveBack(ports, call, hold, decision);
  return null;
}
