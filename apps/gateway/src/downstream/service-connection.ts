import type { Cancellation } from '@countersign/service/cancellation';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Dialect } from './dialect.ts';
import type { KnownTool, KnownTools } from './known-tools.ts';
import type { ReadResult } from './read-result.ts';
import type { ToolListing } from './tool-list.ts';

/** A payment, and what asked for it. */
export type Payment = {
  readonly payload: object;
  readonly dialect: Dialect;
  /** `asked` of the `ReadResult` that asked for payment; undefined if none did. */
  readonly asked: unknown;
};

/** How one call is sent, with or without a payment. */
export type Sending = {
  readonly signal: Cancellation;
  /** The tool has reported that it is at work. */
  readonly onProgress: () => void;
  /** The definition by which the call was judged; undefined if it no longer exists. */
  readonly tool: KnownTool | undefined;
  /** All that the service has now. */
  readonly tools: KnownTools;
  readonly payment: Payment | null;
};

/**
 * An open way to a service, whatever that speaks: nobody who lists, calls or pays knows. A retired one takes no new work,
 * and closes after the last of what it has.
 */
export type ServiceConnection = {
  readonly transport: 'streamable-http' | 'sse' | 'http';
  /** The service's name for itself; untrusted text. */
  readonly name: string | null;
  /** The service's instructions for use; untrusted text. */
  readonly instructions: string | null;
  /** Throws where the service does not answer with tools. */
  readonly readTools: (timeoutMs: number) => Promise<ToolListing>;
  /** Resolves where the service still lives. Changes nothing. */
  readonly probe: (timeoutMs: number) => Promise<unknown>;
  /** Sends one call, once, and reads what came. Throws when no answer came, or none that makes sense. */
  readonly send: (call: ToolCall, sending: Sending) => Promise<ReadResult>;
  /** Told whenever the service says that its tools are others now. */
  readonly onToolsChanged: (listener: () => void) => void;
  /** Told once, when the connection is gone. */
  readonly onClose: (listener: () => void) => void;
  readonly retire: () => Promise<void>;
  /** Ends also what is in flight. */
  readonly close: () => Promise<void>;
};

/** How a service is reached. */
export type Way = {
  /** The transport to report before it is connected. */
  readonly transport: ServiceConnection['transport'];
  /** Connects, or throws and leaves nothing open. */
  readonly connect: () => Promise<ServiceConnection>;
};
