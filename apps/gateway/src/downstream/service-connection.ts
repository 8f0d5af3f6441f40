import type { Cancellation } from '@countersign/service/cancellation';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Dialect } from './dialect.ts';
import type { KnownTool, KnownTools } from './known-tools.ts';
import type { ReadResult } from './read-result.ts';
import type { ToolListing } from './tool-list.ts';

/** What is paid with, and how it was asked for. */
export type Payment = {
  readonly payload: object;
  readonly dialect: Dialect;
  /** Of the `ReadResult` that asked; undefined where none did. */
  readonly asked: unknown;
};

/** How one call is sent, with a payment or without. */
export type Sending = {
  readonly signal: Cancellation;
  /** The tool has reported that it is at work. */
  readonly onProgress: () => void;
  /** By which the call was judged; undefined where it is no more. */
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
  /** What the service calls itself; its own words. */
  readonly name: string | null;
  /** What it says of its own use, in its own words. */
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
  /** What is told of it before it is connected. */
  readonly transport: ServiceConnection['transport'];
  /** Connects, or throws and leaves nothing open. */
  readonly connect: () => Promise<ServiceConnection>;
};
