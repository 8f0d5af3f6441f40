import type { StatePort } from '../ports.ts';
import type { ForgettingStore } from './forget.ts';
import type { OutboxStore } from './outbox.ts';

/** What every adapter gives: the journal with its approvals and answers, and the outbox behind it. */
export type GatewayState = StatePort &
  OutboxStore &
  ForgettingStore & {
    /** Gives reports not yet delivered to whoever comes next, and lets go of the store. */
    readonly close: () => Promise<void>;
  };
