import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

const opener = z.object({
  method: z.literal('initialize'),
  params: z.object({ capabilities: z.object({ elicitation: z.object({ url: z.looseObject({}) }) }) }),
});

const prefix = 'url-';

/**
 * Gives a client that can open pages an `Mcp-Session-Id` that says so (Streamable HTTP, Session Management). It comes
 * back with every call, so nothing is kept here, and any process behind a load balancer understands it.
 */
export function nameSession(message: unknown, response: ServerResponse): void {
  if (opener.safeParse(message).success) response.setHeader('mcp-session-id', prefix + randomUUID());
}

/** A client that claims it without being able to ignores what it is offered. */
export const canOpenPages = ({ headers }: IncomingMessage): boolean =>
  headers['mcp-session-id']?.toString().startsWith(prefix) === true;
