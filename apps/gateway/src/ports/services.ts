import type { ServiceFailure } from '@countersign/protocol/gateway/envelope';
import type { ServiceList } from '@countersign/protocol/gateway/tools';
import type { ArgumentFault } from '../downstream/arguments.ts';
import type { CallOutcome } from '../rules/call-outcome.ts';
import type { ToolCall } from './tool-call.ts';

/** The services behind the gateway. No method throws; of a paid call one payload is sent, and taken at most once. */
export type ServicesPort = {
  readonly list: (filter: {
    serviceId?: string | undefined;
    query?: string | undefined;
  }) => Promise<ServiceList['services']>;
  /** Null when the call may be sent; otherwise why not. */
  readonly check: (call: ToolCall) => Promise<CallRefusal | null>;
  /** Returns whether the tool asked for money when it was last called, or says of itself that it would. */
  readonly asksForMoney: (call: ToolCall) => boolean;
  /** Returns whether the tool gave its result without money when it was last called. */
  readonly isFree: (call: ToolCall) => boolean;
  /** The host under which the owner has written the service; null where there is none. */
  readonly hostOf: (call: ToolCall) => string | null;
  readonly call: (call: ToolCall) => Promise<CallOutcome>;
  readonly callPaid: (call: ToolCall, payment: object) => Promise<CallOutcome>;
};

export type CallRefusal =
  | {
      readonly code:
        | 'SERVICE_NOT_FOUND'
        | 'TOOL_NOT_FOUND'
        | 'TOOL_DEFINITION_CHANGED'
        /** Only in a dry run. */
        | 'PRICE_UNKNOWN';
    }
  | { readonly code: 'DOWNSTREAM_UNAVAILABLE'; readonly failure?: ServiceFailure | undefined }
  | { readonly code: 'INVALID_ARGUMENTS'; readonly fault: ArgumentFault };
