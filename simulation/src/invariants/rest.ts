import type { Caller } from '../ledger.ts';
import { fair } from '../network.ts';
import { payer } from '../samples.ts';
import { isOf } from './always.ts';
import { tellsOfDoubt } from './events.ts';
import { type Looked, settledUnder } from './looked.ts';

/**
 * What must hold once nothing is under way, before time has passed: a world without mishaps leaves no hold behind, with
 * or without a key: whoever did not pay has let go.
 */
export function brokenWhenQuiet({ plan, dashboard, ledger }: Looked): string | null {
  const isCalm = plan.weather === fair && plan.crashes.length === 0 && plan.outage === null;
  if (!isCalm) return null;
  for (const { id, state } of dashboard.model.holds)
    if (state === 'open' && !ledger.sent.has(`0x${id.slice('hld_'.length)}`))
      return `${id} is held for a payment that never left`;
  return null;
}

/** What must hold once everything has come to rest. */
export function brokenAtRest(looked: Looked): string | null {
  const { plan, chain, dashboard, ledger } = looked;
  const hanging = ledger.callers.find(({ hasLeft, answer }) => !hasLeft && answer === null);
  if (hanging !== undefined) return `${hanging.purchase.name} never got an answer`;
  for (const { entry, disk } of ledger.sent.values()) {
    const { nonce } = entry;
    const transfer = chain.transfers.get(nonce);
    const records = dashboard.records.filter((record) => isOf(record, nonce));
    if (records.length > 1) return `${nonce} is recorded ${records.length} times`;
    if (!plan.hasNode) continue;
    if (transfer !== undefined && records.length === 0) return `${nonce} settled, and is not recorded`;
    if (transfer === undefined && records.length > 0) return `${nonce} is recorded, and never settled`;
    if (disk.read(payer, ['unresolved', nonce]) !== undefined) return `${nonce} is left open in the journal`;
  }
  return unfetched(looked) ?? leftOver(looked);
}

/** Without a key: nobody pays for more answers than they got, but for one that their last call did not bring. */
function unfetched({ plan, chain, ledger }: Looked): string | null {
  if (!plan.hasNode) return null;
  const groups = new Set(ledger.callers.filter(({ purchase }) => purchase.key === undefined).map(identityOf));
  for (const group of groups) {
    const callers = ledger.callers.filter((caller) => identityOf(caller) === group);
    const told = callers.filter(isTold).length;
    const waiting = new Map(callers.map((caller) => [caller.purchase.name, !isTold(caller)]));
    const untold = [...waiting.values()].filter(Boolean).length;
    const lost = callers.filter(({ isUntold }) => isUntold).length;
    const traces = new Set(callers.map(({ traceId }) => traceId));
    const settled = [...ledger.sent.values()].filter(
      ({ entry, traceId }) => traces.has(traceId) && chain.transfers.has(entry.nonce),
    ).length;
    if (settled > told + untold + lost) return `${settled} payments settled for ${told} answers of ${group}`;
  }
  return null;
}

const isTold = ({ answer }: Caller): boolean =>
  answer !== null && (answer.detail.paymentMade || tellsOfDoubt.has(answer.code));

const identityOf = ({ purchase: { disk, symbol, key } }: Caller): string =>
  `${key ?? 'no key'}, ${symbol}, directory ${disk}`;

/** The budget is what has settled and nothing else. */
function leftOver({ plan, chain, dashboard, ledger }: Looked): string | null {
  if (!plan.hasNode) return null;
  for (const { id, used } of dashboard.model.mandates)
    if (used !== settledUnder(ledger, chain, id))
      return `${id} is charged ${used}, and ${settledUnder(ledger, chain, id)} has settled`;
  return null;
}
