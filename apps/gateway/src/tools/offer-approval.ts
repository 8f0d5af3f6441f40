import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import type { CallToolResult, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';

const challenge = z.object({
  code: z.literal('WALLET_APPROVAL_REQUIRED'),
  detail: z.object({
    paymentContext: z.object({ approval: z.object({ approvalId: z.string(), approvalUrl: z.url() }) }),
  }),
});

/**
 * Offers the page of a challenge to a client that can open pages (MCP elicitation, URL mode). The answer to the call
 * does not wait for it, and what the client says counts for nothing: only the owner's signature does.
 */
export function offerApproval(server: Server, log: Logger, result: CallToolResult): void {
  if (server.getClientCapabilities()?.elicitation?.url === undefined) return;
  const parsed = challenge.safeParse(result.structuredContent);
  if (!parsed.success) return;
  const { approvalId, approvalUrl } = parsed.data.detail.paymentContext.approval;
  const message = 'The owner of the wallet has to decide about this payment.';
  const offer = server.elicitInput({ mode: 'url', elicitationId: approvalId, url: approvalUrl, message });
  background(log, 'offer an approval', offer);
}
