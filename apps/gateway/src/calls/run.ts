import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { Canceller } from '@countersign/service/cancellation';
import type { ToolCall } from '../ports/tool-call.ts';

/** Performs a call for everybody who waits for it. */
export type Work = (call: ToolCall) => Promise<GatewayEnvelope>;

/**
 * One pass of a call, and those who wait for its answer. When the last of them leaves before the payment is sent, the
 * pass is cancelled; after that it goes to its end, whoever listens.
 */
export class Run {
  readonly callHash: string;
  /** The approval and maximum amount of the request; different ones make it a different request. */
  readonly asked: string;
  readonly answer: Promise<GatewayEnvelope>;
  readonly #gone = new Canceller();
  readonly #callers = new Set<ToolCall>();
  #isSent = false;
  #lost: (() => void) | null = null;

  constructor(call: ToolCall, about: { readonly callHash: string; readonly asked: string }, work: Work) {
    this.callHash = about.callHash;
    this.asked = about.asked;
    this.#join(call);
    this.answer = work({
      ...call,
      signal: this.#gone,
      onProgress: (...progress) => {
        for (const caller of this.#callers) caller.onProgress(...progress);
      },
      onSent: (...payment) => {
        this.#isSent = true;
        call.onSent?.(...payment);
      },
    });
  }

  /** Whether all had left before the payment did. */
  get isCancelled(): boolean {
    return this.#gone.aborted;
  }

  /** Whether the payment has left. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Whether somebody waits for the answer, or has it. */
  get isAwaited(): boolean {
    return this.#callers.size > 0;
  }

  /** Adds a caller, who gets the same answer. */
  join(call: ToolCall): Promise<GatewayEnvelope> {
    this.#join(call);
    return this.answer;
  }

  /** Tells each time when the last one has left, also after the answer, if that did not reach them. */
  onLost(lost: () => void): void {
    this.#lost = lost;
  }

  #join(call: ToolCall): void {
    this.#callers.add(call);
    const leave = (): void => {
      if (!this.#callers.delete(call) || this.isAwaited) return;
      if (!this.#isSent) this.#gone.abort();
      this.#lost?.();
    };
    if (call.signal.aborted) leave();
    else call.signal.addEventListener('abort', leave, { once: true });
  }
}
