import type { ConnectionScope } from '@countersign/protocol/dashboard/oauth';

/** Who calls: a machine with a token of the configuration, or a connected client, within its scopes. */
export type Caller = {
  /** Names what belongs to the same caller; null where no token is asked for. */
  readonly name: string | null;
  readonly scopes: readonly ConnectionScope[] | 'all';
};

/**
 * Returns whether the caller may send this message. What is not known to be reading alone needs
 * `services:call`.
 */
export function maySend({ scopes }: Caller, message: unknown): boolean {
  if (scopes === 'all') return true;
  return scopes.includes('services:call') || (scopes.includes('services:read') && isReading(message));
}

const reading: ReadonlySet<unknown> = new Set(['initialize', 'ping', 'server/discover', 'tools/list']);

function isReading(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
  if (method === 'tools/call') return params?.name === 'list_gateway_services';
  return reading.has(method) || (typeof method === 'string' && method.startsWith('notifications/'));
}
