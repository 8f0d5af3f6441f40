import type { Amount } from '@countersign/protocol/amount';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { Cancellation } from '@countersign/service/cancellation';
import type { Span } from '@countersign/service/trace';
import type { Facts } from '../payment/facts.ts';
import type { Asker, PaymentEntry } from './payment-entry.ts';

/** One `call_service_tool` call, after its input was validated. */
export type ToolCall = {
  readonly serviceId: string;
  readonly toolName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paymentPayload: unknown;
  readonly idempotencyKey: string | undefined;
  /** The agent's own limit: a higher price is not paid. */
  readonly maxAmount?: Amount | undefined;
  /** Tells what the call would end with, and does nothing. */
  readonly dryRun?: boolean | undefined;
  /** Seconds to wait for the owner's decision, if one is needed. */
  readonly waitSeconds?: number | undefined;
  /** Unique for each call: it names the call in logs, records and the dashboard's log. */
  readonly traceId: string;
  /** The call in its trace: whatever is asked of others on its behalf is a part of it. */
  readonly span: Span;
  /** The agent's name from its token; null on stdio and where no token is asked for. */
  readonly agent: string | null;
  /** Aborts when nobody waits for the answer any more. It ends the call until the payment is sent, and nothing after that. */
  readonly signal: Cancellation;
  /** `of` is what the tool itself reports; a stage of ours has none. */
  readonly onProgress: (message: string | undefined, of?: Progress) => void;
  /** Told just before the payment is sent: from then on it goes to its end. */
  readonly onSent?: ((payment: PaymentEntry, facts: Facts) => void) | undefined;
  /**
   * Returns the undelivered answer to an identical call that was paid for; asked once more before anything is
   * paid.
   */
  readonly fetchOffered?: ((call: ToolCall) => Promise<GatewayEnvelope | null>) | undefined;
  /**
   * For a call without a key: identifies its caller's identical call, should this process die after it has
   * paid.
   */
  readonly asker?: Asker | undefined;
  /** The payment of an identical call whose process died before it had an answer: it is sent again, and no other. */
  readonly orphan?: PaymentEntry | undefined;
  /**
   * Returns whether this very call has sent a payment before: then it ends with that one, and uses no other
   * right.
   */
  readonly wasPaid?: (() => Promise<boolean>) | undefined;
  /** For a call without a key whose tool seemed free: makes the call again as one that may pay. */
  readonly asPriced?: ((call: ToolCall) => Promise<GatewayEnvelope>) | undefined;
  /** Whether the agent asked for progress; a downstream is asked for it only then. */
  readonly wantsProgress: boolean;
};

/** A tool's progress, as it reports it. */
export type Progress = { readonly progress: number; readonly total?: number | undefined };
