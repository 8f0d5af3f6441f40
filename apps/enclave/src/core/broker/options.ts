import type { Run } from '../connector-runs/connector.ts';
import type { Loan } from './loan.ts';
import type { NextValue } from './next-value.ts';
import type { Reach } from './reach.ts';

/** What one run of a connector has to work with. */
export type BrokerOptions = {
  readonly run: Run;
  readonly loan: Loan;
  /** What the request gives to the service; null where it gives nothing. */
  readonly next: NextValue | null;
  readonly reach: Reach;
  /** Unix milliseconds by which the run is over. */
  readonly until: number;
  readonly now: () => number;
};
