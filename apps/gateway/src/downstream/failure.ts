import { ProtocolError, SdkError, SdkErrorCode, SseError } from '@modelcontextprotocol/client';
import { ConnectTimeout } from './connection.ts';
import { HttpTransportError } from './posted-request.ts';

/** Both transports of one service failed; its message is ours. */
export class NeitherTransport extends Error {}

/**
 * Why a service failed, in our words: what a service wrote reaches neither the log nor the list of services.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof NeitherTransport || error instanceof HttpTransportError) return error.message;
  if (error instanceof ConnectTimeout) return 'no answer in time';
  if (error instanceof ProtocolError) return `the service answered with JSON-RPC error ${error.code}`;
  if (error instanceof SseError) return error.code === undefined ? 'no stream' : `HTTP ${error.code}`;
  if (error instanceof SdkError) return sdkReason(error.code);
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
  return `the service cannot be reached${code === undefined ? '' : ` (${code})`}`;
}

/** Whether the service answered, but not in MCP: the connection is as good as before. */
export const isNonsense = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof HttpTransportError && error.status < 300) ||
  (error instanceof SdkError &&
    (error.code === SdkErrorCode.InvalidResult || error.code === SdkErrorCode.UnsupportedResultType));

/** By HTTP status, never by what the service says: it did not take the call, because the session is gone. */
export const isSessionLost = (error: unknown): boolean =>
  error instanceof HttpTransportError && error.hadSession && (error.status === 404 || error.status === 400);

function sdkReason(code: SdkErrorCode): string {
  if (code === SdkErrorCode.RequestTimeout) return 'no answer in time';
  if (code === SdkErrorCode.ConnectionClosed) return 'the connection was closed';
  return 'the service answered something that is not MCP';
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[A-Z0-9_]{1,40}$/.test(error.code) ? error.code : undefined;
}
