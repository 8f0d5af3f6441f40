import type { StatePort } from '../ports/state.ts';
import type { Reported } from '../receipts/receipt.ts';
import type { ForgettingStore } from './forget.ts';
import type { OutboxStore } from './outbox.ts';

/** How reports enter the outbox. */
export type Reporting = Pick<StatePort, 'report'> & {
  /**
   * Null where reports are kept elsewhere than receipts. Else `write` puts a report into the outbox as a part of a
   * transaction of the state directory's environment, and `tell` is to be called once that is on disk.
   */
  readonly reportWithin: {
    readonly write: (reported: Reported) => void;
    readonly tell: () => void;
  } | null;
};

/**
 * What every storage adapter provides: the journal with its approvals and answers, and the outbox behind it.
 */
export type GatewayState = StatePort &
  OutboxStore &
  Reporting &
  ForgettingStore & {
    /** Gives reports not yet delivered to whoever comes next, and lets go of what it opened itself. */
    readonly close: () => Promise<void>;
  };
