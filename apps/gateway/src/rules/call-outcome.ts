import type { ServiceFailure } from '@countersign/protocol/gateway/envelope';

/**
 * Why an answer is not a result: a JSON-RPC error, a stream that ended, too large, compressed although not
 * requested, or something else.
 */
export type NonsenseReason = 'rpc-error' | 'ended' | 'too-large' | 'encoded' | 'not-mcp';

/** Why a price is not for what was called. */
export type Misleading = 'offered-elsewhere' | 'another-realm' | 'another-request' | 'header-taken';

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** A downstream's answer. Everything in it is another party's text: data, never instructions. */
export type CallOutcome =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      readonly content: unknown;
      /** Undefined where the tool gave none. */
      readonly structured?: unknown;
      readonly meta?: Readonly<Record<string, unknown>> | undefined;
      readonly settlement: unknown;
      /** The price that it asked for before it was shown who had paid already; absent where it was not. */
      readonly byRight?: unknown;
    }
  | {
      readonly kind: 'payment-required';
      readonly requirement: unknown;
      readonly content: unknown;
      readonly settlement: unknown;
    }
  /** It asked for money, but its two copies of the price differ or make no sense, or its offer is for something else. */
  | {
      readonly kind: 'requirement-malformed';
      readonly content: unknown;
      readonly why?: Misleading | undefined;
    }
  /** `error` is the service's own, where it answered with one of JSON-RPC. */
  | { readonly kind: 'protocol-error'; readonly why: NonsenseReason; readonly error?: RpcError | undefined }
  | { readonly kind: 'unavailable'; readonly failure?: ServiceFailure | undefined }
  | { readonly kind: 'timeout' };

/** The service asks for money. */
export type DemandOutcome = Extract<CallOutcome, { kind: 'payment-required' | 'requirement-malformed' }>;
