import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import type { CallToolResult, ElicitRequestURLParams, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';

const challenge = z.object({
  code: z.literal('WALLET_APPROVAL_REQUIRED'),
  detail: z.object({
    paymentContext: z.object({ approval: z.object({ approvalId: z.string(), approvalUrl: z.url() }) }),
  }),
});

/**
 * What a client that can open pages is asked about a challenge (MCP elicitation, URL mode); null for any other answer.
 * The answer to the call does not wait for it, and what the client says counts for nothing: only the owner's signature
 * does.
 */
export function approvalOffer(result: CallToolResult): ElicitRequestURLParams | null {
  const parsed = challenge.safeParse(result.structuredContent);
  if (!parsed.success) return null;
  const { approvalId, approvalUrl } = parsed.data.detail.paymentContext.approval;
  const message = 'The owner of the wallet has to decide about this payment.';
  return { mode: 'url', elicitationId: approvalId, url: approvalUrl, message };
}

/** Offers it to the one client of a server, if that can open pages. */
export function offerApproval(server: Server, log: Logger, result: CallToolResult): void {
  if (server.getClientCapabilities()?.elicitation?.url === undefined) return;
  const offer = approvalOffer(result);
  if (offer !== null) background(log, 'offer an approval', server.elicitInput(offer));
}
