import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { InboxWord } from '../ports/dashboard.ts';
import type { ToolCall } from '../ports/tool-call.ts';

const everyMs = 1000;

/**
 * What the owner has said by the time that they decide, that the agent's `waitSeconds` are over, or that nobody waits any
 * more; `word` is what is known already.
 */
export async function waitForOwner(
  ports: GatewayPorts,
  call: ToolCall,
  approvalId: string,
  word: InboxWord,
): Promise<InboxWord> {
  const until = ports.now() + (call.waitSeconds ?? 0) * 1000;
  if (isOpen(word) && ports.now() < until) call.onProgress('waiting for the owner');
  let heard = word;
  while (isOpen(heard) && ports.now() < until && !call.signal.aborted) {
    await ports.timers.pause(Math.min(everyMs, until - ports.now()), call.signal);
    heard = await ports.approvals.wordOf(approvalId, call.span);
  }
  return heard;
}

const isOpen = ({ kind }: InboxWord): boolean => kind === 'pending' || kind === 'unknown';
