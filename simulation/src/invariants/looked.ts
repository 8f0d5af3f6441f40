import type { Chain } from '../chain.ts';
import type { Dashboard } from '../dashboard.ts';
import type { Ledger } from '../ledger.ts';
import type { Plan } from '../plan.ts';

/** Everything that can be seen from outside. */
export type Looked = {
  readonly plan: Plan;
  readonly chain: Chain;
  readonly dashboard: Dashboard;
  readonly ledger: Ledger;
};

/** What has settled under a mandate, in units of 10^-18. */
export const settledUnder = (ledger: Ledger, chain: Chain, mandateId: string): bigint =>
  [...ledger.sent.values()]
    .filter(({ entry }) => entry.mandateId === mandateId && chain.transfers.has(entry.nonce))
    .reduce((sum, { amount }) => sum + amount, 0n);
