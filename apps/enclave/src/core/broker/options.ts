import type { Run } from '../connector-runs/connector.ts';
import type { Loan } from './loan.ts';
import type { NextValue } from './next-value.ts';
import type { Reach } from './reach.ts';

/** Everything that the broker needs for one run of a connector. */
export type BrokerOptions = {
  readonly run: Run;
  readonly loan: Loan;
  /** The new value that the request passes to the service (a rotation); null if it passes none. */
  readonly next: NextValue | null;
  readonly reach: Reach;
  /** Unix milliseconds by which the run is over. */
  readonly until: number;
  readonly now: () => number;
};
