import { countedUnder } from '@countersign/gateway/state/counted-under';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { units } from '../dashboard.ts';
import { payer, perTxLimit, policy } from '../samples.ts';
import { type Looked, settledUnder } from './looked.ts';

/** What must hold after every step; the first that does not, in words, or null. */
export function brokenNow(looked: Looked): string | null {
  // Nothing has left yet, and money does not move by itself.
  if (looked.ledger.sent.size === 0) return null;
  return (
    overBudget(looked) ??
    paidTwice(looked) ??
    lostRecord(looked) ??
    countedTwice(looked) ??
    heldNoMore(looked)
  );
}

const maxPayment = units(perTxLimit);

/** What may still be taken counts as taken: whoever holds a signature can settle it. */
function overBudget({ plan, chain, ledger }: Looked): string | null {
  const taken = new Map<string, bigint>();
  for (const { entry, approvalId, amount } of ledger.sent.values()) {
    // What the owner approved apart is theirs to decide.
    if (approvalId !== null || !chain.canMove(entry)) continue;
    const account = countedUnder(entry);
    if (account === null) return `${entry.nonce} is counted nowhere, and the owner has not approved it`;
    if (entry.mandateId === null && plan.budget !== null)
      return `${entry.nonce} was paid beside the owner's mandate`;
    if (amount > maxPayment) return `${entry.nonce} is above the limit of one payment`;
    const sum = (taken.get(account) ?? 0n) + amount;
    const budget = entry.mandateId === null ? policy.maxUnmandatedDaily : units(plan.budget ?? '0');
    if (sum > budget) return `over budget: ${sum} of ${budget} can be taken from ${account}`;
    taken.set(account, sum);
  }
  return null;
}

/** One key, and one approval, is one payment: never are there two that can be taken. */
function paidTwice({ chain, ledger }: Looked): string | null {
  const seen = new Map<string, string>();
  for (const { entry, key, approvalId, directory } of ledger.sent.values()) {
    if (!chain.canMove(entry)) continue;
    // The key that the agent gave, whatever the journal says of it. Gateways that share no state share no keys.
    const call = key === undefined ? null : `${directory} ${key}`;
    for (const [kind, name] of [
      ['key', call],
      ['approval', approvalId],
    ] as const) {
      if (name === null) continue;
      const other = seen.get(`${kind} ${name}`);
      if (other !== undefined) return `two payments of one ${kind} can be taken: ${other}, ${entry.nonce}`;
      seen.set(`${kind} ${name}`, entry.nonce);
    }
  }
  return null;
}

/** Whatever dies now: a payment that can be taken is in the journal, in the outbox or in the dashboard's log. */
function lostRecord({ chain, dashboard, ledger }: Looked): string | null {
  for (const { entry, disk } of ledger.sent.values()) {
    const { nonce } = entry;
    if (!chain.canMove(entry) || disk.read(payer, ['unresolved', nonce]) !== undefined) continue;
    const inOutbox = disk
      .list(payer, { start: ['report', ''], end: ['report', '\uffff'] })
      .some((report) => (report as { nonce: string | null }).nonce === nonce);
    if (!inOutbox && !dashboard.records.some((record) => isOf(record, nonce)))
      return `${nonce} can be taken, and nobody would record it`;
  }
  return null;
}

/** Whether this record says that this payment has settled. */
export const isOf = ({ serviceResult, metadata }: TransactionReport, nonce: string): boolean =>
  serviceResult === 'pass' && metadata?.['nonce'] === nonce;

function countedTwice({ plan, chain, dashboard, ledger }: Looked): string | null {
  // Without a node the gateway reports what the service claims.
  if (!plan.hasNode) return null;
  for (const { id, used } of dashboard.model.mandates)
    if (used > settledUnder(ledger, chain, id)) return `${id} is charged for more than has settled`;
  return null;
}

/** What can be taken, and is not recorded yet, is held for as long as its journal leaves the counting to the dashboard. */
function heldNoMore({ chain, dashboard, ledger }: Looked): string | null {
  for (const { entry } of ledger.sent.values()) {
    const { nonce, holdId, heldUntil } = entry;
    if (heldUntil === null || heldUntil <= dashboard.now || !chain.canMove(entry)) continue;
    const hold = dashboard.model.holds.find(({ id }) => id === holdId);
    if (hold?.state === 'released' && !dashboard.records.some((record) => isOf(record, nonce)))
      return `${nonce} can be taken, and its hold was given back`;
  }
  return null;
}
