import type { ServiceFailure } from '@countersign/protocol/gateway/envelope';
import { ProtocolError, SdkError, SdkErrorCode, SseError } from '@modelcontextprotocol/client';
import { isDeeperThan } from '../rules/json-form.ts';
import { ConnectTimeout } from './connection.ts';
import { HttpTransportError } from './posted-request.ts';
import type { NonsenseReason } from '../rules/call-outcome.ts';

/** Both transports of one service failed; its message is ours. */
export class NeitherTransport extends Error {
  readonly errors: readonly unknown[];
  constructor(streamable: unknown, sse: unknown) {
    super(`streamable HTTP: ${reasonOf(streamable)}; SSE: ${reasonOf(sse)}`);
    this.errors = [streamable, sse];
  }
}

/** The vault did not send a request with its credential; its message is ours. */
export class CredentialRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'CredentialRefused';
  }
}

/** Why a connection failed: for people, and as data. */
export type Fault = { readonly error: string; readonly failure: ServiceFailure };

export const faultOf = (error: unknown): Fault => ({ error: reasonOf(error), failure: failureOf(error) });

/** Why a service failed, as data. Of two transports the one counts that the service understood. */
function failureOf(error: unknown): ServiceFailure {
  if (error instanceof NeitherTransport) return failureOfTwo(error.errors.map(failureOf));
  if (error instanceof HttpTransportError) return httpFailure(error);
  if (error instanceof CredentialRefused) return { reason: 'credential_refused' };
  if (error instanceof ConnectTimeout) return { reason: 'timeout' };
  if (error instanceof SseError) return sseFailure(error);
  if (error instanceof SdkError) return { reason: sdkReasons[error.code] ?? 'not_mcp' };
  if (error instanceof ProtocolError) return nonsense;
  return { reason: networkCodeOf(error) === 'ECONNREFUSED' ? 'refused' : 'unreachable' };
}

const failureOfTwo = (failures: readonly ServiceFailure[]): ServiceFailure =>
  failures.find(({ reason }) => tellingReasons.has(reason)) ?? failures[0] ?? nonsense;

const sseFailure = ({ code }: SseError): ServiceFailure =>
  code === undefined ? nonsense : { reason: reasonByStatus(code), httpStatus: code };

const sdkReasons: { readonly [code in SdkErrorCode]?: ServiceFailure['reason'] } = {
  [SdkErrorCode.RequestTimeout]: 'timeout',
  [SdkErrorCode.ConnectionClosed]: 'closed',
};

const nonsense: ServiceFailure = { reason: 'not_mcp' };

const tellingReasons: ReadonlySet<ServiceFailure['reason']> = new Set([
  'unauthorized',
  'forbidden',
  'redirect',
  'rate_limited',
]);

function httpFailure({ status, retryAfter, redirectedTo }: HttpTransportError): ServiceFailure {
  if (status < 300) return nonsense;
  return {
    reason: reasonByStatus(status),
    httpStatus: status,
    ...(retryAfter !== null && { retryAfter }),
    ...(redirectedTo !== null && { redirectedTo }),
  };
}

function reasonByStatus(status: number): ServiceFailure['reason'] {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'rate_limited';
  return status >= 300 && status < 400 ? 'redirect' : 'http_error';
}

/**
 * Why a service failed, in our words: what a service wrote reaches neither the log nor the list of services.
 */
function reasonOf(error: unknown): string {
  if (error instanceof NeitherTransport || error instanceof HttpTransportError) return error.message;
  if (error instanceof CredentialRefused) return error.message;
  if (error instanceof ConnectTimeout) return 'no answer in time';
  if (error instanceof ProtocolError) return `the service answered with JSON-RPC error ${error.code}`;
  if (error instanceof SseError) return error.code === undefined ? 'no stream' : `HTTP ${error.code}`;
  if (error instanceof SdkError) return sdkReason(error.code);
  const code = networkCodeOf(error);
  return `the service cannot be reached${code === undefined ? '' : ` (${code})`}`;
}

/** Returns whether the service answered, but not in MCP: the connection is as good as before. */
export const isNonsense = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof HttpTransportError && error.status < 300) ||
  (error instanceof SdkError &&
    (error.code === SdkErrorCode.InvalidResult || error.code === SdkErrorCode.UnsupportedResultType));

/** Deeper data is left out: whoever reads it recurses. */
const maxDataDepth = 64;

/** The service's own error, whole: other party's text, for nothing but the place that is marked as such. */
export function rpcErrorIn(error: unknown): { code: number; message: string; data?: unknown } | undefined {
  if (!(error instanceof ProtocolError)) return undefined;
  const { code, message, data } = error;
  const isShown = data !== undefined && !isDeeperThan(data, maxDataDepth);
  return { code, message, ...(isShown && { data }) };
}
/** Returns what is wrong with a malformed answer. */
export const whyNonsense = (error: unknown): NonsenseReason => {
  if (error instanceof ProtocolError) return 'rpc-error';
  return error instanceof HttpTransportError ? error.nonsense : 'not-mcp';
};

/**
 * Returns whether the service rejected the call because its session is gone. Decided by HTTP status, never by
 * the service's text.
 */
export const isSessionLost = (error: unknown): boolean =>
  error instanceof HttpTransportError && error.hadSession && (error.status === 404 || error.status === 400);

function sdkReason(code: SdkErrorCode): string {
  if (code === SdkErrorCode.RequestTimeout) return 'no answer in time';
  if (code === SdkErrorCode.ConnectionClosed) return 'the connection was closed';
  return 'the service answered something that is not MCP';
}

const networkCodeOf = (error: unknown): string | undefined =>
  codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(error.code) ? error.code : undefined;
}
