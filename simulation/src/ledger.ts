import type { PaymentEntry } from '@countersign/gateway/ports/payment-entry';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Disk } from './disk.ts';
import type { Purchase } from './plan.ts';
import { payer } from './samples.ts';

/** A payment that has left a gateway at least once. */
export type Sent = {
  readonly entry: PaymentEntry;
  readonly directory: number;
  readonly disk: Disk;
  readonly traceId: string;
  /** Of the call for which it first left. */
  readonly key: string | undefined;
  /** Ms of the simulation. */
  readonly sentAt: number;
  readonly approvalId: string | null;
  /** In units of 10^-18. */
  readonly amount: bigint;
};

/** One call of an agent, from the moment at which it is made. */
export type Caller = {
  readonly purchase: Purchase;
  readonly traceId: string;
  /** Whether it names an approval of the owner's: then that one is looked at first. */
  readonly bringsApproval: boolean;
  readonly process: object;
  /** Ms of the simulation. */
  readonly askedAt: number;
  hasLeft: boolean;
  /** Whether its process died in the moment between writing down how it ended and telling it (docs/decisions/0017). */
  isUntold: boolean;
  answer: GatewayEnvelope | null;
};

/** Whether the journal says that somebody waits to hear how it ended. */
function isAwaited({ disk, entry: { nonce } }: Sent): boolean {
  const entry = disk.read(payer, ['payment', nonce]) as PaymentEntry | undefined;
  return entry?.asker !== undefined && disk.read(payer, ['unresolved', nonce]) !== undefined;
}

/** What really happened, kept beside the gateways, which do not know of it. */
export class Ledger {
  /** By nonce. */
  readonly sent = new Map<string, Sent>();
  /** The nonce of the payment that a call has sent, for the first time or again, by its trace. */
  readonly senders = new Map<string, Sent>();
  readonly callers: Caller[] = [];
  /** Ms of the simulation. */
  readonly revokedAt = new Map<string, number>();

  /** The process of this call died: what it had under way is in the journal, or it was over but for telling it. */
  lose(caller: Caller): void {
    const sent = this.senders.get(caller.traceId);
    caller.isUntold = sent === undefined || !isAwaited(sent);
  }
}
