import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import type { ToolCall } from './tool-call.ts';

/**
 * What came of wanting to run a call: it is this process's to run, until it is released or has fallen silent; another
 * one runs it; the key is another call's; or it has been answered.
 */
export type Claimed =
  | { readonly kind: 'mine' | 'running' | 'conflict' }
  | { readonly kind: 'answered'; readonly answer: GatewayEnvelope };

type Offered = {
  readonly callHash: string;
  readonly envelope: GatewayEnvelope;
  readonly keptForMs: number;
  readonly isRunning: boolean;
};

/** Which calls are being run, by whom, and the answers that are kept. */
export type CallsState = {
  /** Returns how an earlier call with this key ended; `conflict` if that was a different call. */
  readonly recall: (key: string, callHash: string) => Promise<'new' | 'conflict' | GatewayEnvelope>;
  /** Keeps an answer on disk. */
  readonly remember: (
    key: string,
    callHash: string,
    envelope: GatewayEnvelope,
    forMs: number,
  ) => Promise<void>;
  readonly claim: (key: string, callHash: string) => Promise<Claimed>;
  /** Returns whether a process has claimed the key, and has not fallen silent. */
  readonly isClaimed: (key: string) => Promise<boolean>;
  /** Keeps claims of this process for a while longer. */
  readonly renew: (keys: readonly string[]) => Promise<void>;
  readonly release: (key: string) => Promise<void>;
  /**
   * Offers the answer of this name to whoever asks for the same next. `kept` comes with the first offer: what is known of
   * the answer by then, and whether this process still waits for the rest, as of a claim.
   */
  readonly offer: (identity: string, name: string, forMs: number, kept: Offered | null) => Promise<void>;
  /** The name of the oldest answer that is offered; it is offered to nobody else then. Null when there is none. */
  readonly adopt: (identity: string) => Promise<string | null>;
};

/** The calls of this process: one pass for all who ask for the same, by their key. */
export type CallsPort = {
  readonly run: (
    call: ToolCall,
    work: (call: ToolCall) => Promise<GatewayEnvelope>,
  ) => Promise<GatewayEnvelope>;
};
