import { parseAmount, zero } from '@countersign/protocol/amount';
import type { MandatePolicy } from '@countersign/protocol/dashboard/policy';

type Listed = readonly string[] | null;

const adds = (before: Listed, after: Listed): boolean =>
  before !== null && (after === null || after.some((one) => !before.includes(one)));

/** Returns whether a limit in decimal text goes up or is lifted. */
const rises = (before: string | null, after: string | null): boolean =>
  before !== null && (after === null || (parseAmount(after) ?? zero) > (parseAmount(before) ?? zero));

/**
 * Returns whether a period budget allows something that it refused; budgets of different periods do not
 * compare.
 */
function loosensPeriod(before: MandatePolicy['period'], after: MandatePolicy['period']): boolean {
  if (before === null) return false;
  return after === null || after.every !== before.every || rises(before.budget, after.budget);
}

/** Names of the rules that refuse less than before: empty where the new policy allows nothing that the old one did not. */
export function loosenedBy(before: MandatePolicy, after: MandatePolicy): readonly string[] {
  const loosened = {
    paused: before.paused && !after.paused,
    period: loosensPeriod(before.period, after.period),
    allowedMerchants: adds(before.allowedMerchants, after.allowedMerchants),
    allowedServices: adds(before.allowedServices, after.allowedServices),
    approvalThreshold: rises(before.approvalThreshold, after.approvalThreshold),
    newPayees: before.newPayees === 'ask' && after.newPayees === 'pay',
  };
  return Object.entries(loosened).flatMap(([name, is]) => (is ? [name] : []));
}
