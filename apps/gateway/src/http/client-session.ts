import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

const capabilities = z.object({ elicitation: z.object({ url: z.looseObject({}) }) });
const hello = z.object({
  method: z.literal('initialize'),
  params: z.object({ capabilities: z.unknown() }),
});

const prefix = 'url-';

/**
 * Gives a client an `Mcp-Session-Id` (Streamable HTTP, Session Management), so that its request ids are its own. That
 * of a client that can open pages says so. It comes back with every message: nothing is kept here, and any process
 * behind a load balancer understands it.
 */
export function nameSession(message: unknown, response: ServerResponse): void {
  const parsed = hello.safeParse(message);
  if (!parsed.success) return;
  const opensPages = capabilities.safeParse(parsed.data.params.capabilities).success;
  response.setHeader('mcp-session-id', (opensPages ? prefix : '') + randomUUID());
}

/** A client that claims it without being able to ignores what it is offered. */
export const canOpenPages = ({ headers }: IncomingMessage): boolean =>
  headers['mcp-session-id']?.toString().startsWith(prefix) === true;
