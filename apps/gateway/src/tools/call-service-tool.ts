import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { callToolInput } from '@countersign/protocol/gateway/tools';
import type { Logger } from '@countersign/service/logger';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { callServiceTool as run } from '../call-service-tool.ts';
import { hasBrokenText, isDeeperThan } from '../json-depth.ts';
import type { GatewayPorts, ToolCall } from '../ports.ts';
import { envelope, messages } from '../reply.ts';

/** `call_service_tool`: whatever comes in, one envelope goes out, as structured content and as text. */
export async function callServiceTool(
  ports: GatewayPorts,
  log: Logger,
  args: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const startedAt = ports.now();
  const agent = context.http?.authInfo?.clientId ?? null;
  const answer = await answerTo(ports, args, agent, context);
  const { traceId, code, detail } = answer;
  const { serviceId, toolName, paymentMade } = detail;
  log.info({ traceId, agent, serviceId, toolName, code, paymentMade, ms: ports.now() - startedAt }, 'call');
  return toResult(answer);
}

async function answerTo(
  ports: GatewayPorts,
  args: unknown,
  agent: string | null,
  context: ServerContext,
): Promise<GatewayEnvelope> {
  const traceId = ports.randomId();
  if (isDeeperThan(args, maxDepth) || hasBrokenText(args)) return badInput(ports, traceId, args, 'arguments');
  const input = callToolInput.safeParse(args ?? {});
  if (!input.success) return badInput(ports, traceId, args, input.error.issues[0]?.path.join('/') ?? '');
  const call: ToolCall = {
    ...input.data,
    paymentPayload: input.data.paymentPayload,
    idempotencyKey: input.data.idempotencyKey,
    dryRun: input.data.dryRun,
    traceId,
    agent,
    signal: context.mcpReq.signal,
    wantsProgress: progressToken(context) !== undefined,
    onProgress: progress(context),
  };
  return run(ports, call);
}

/** Whatever reads arguments later (hashes, schemas, JSON) recurses: deeper than this would overflow its stack. */
const maxDepth = 64;

/** `isError` tells a failure; a challenge is a question to the owner, not a failure. */
function toResult(answer: GatewayEnvelope): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
    ...(!answer.ok && answer.code !== 'WALLET_APPROVAL_REQUIRED' && { isError: true }),
  };
}

/** `field` is a path in our own input schema. */
function badInput(ports: GatewayPorts, traceId: string, args: unknown, field: string): GatewayEnvelope {
  const given = (args ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const about = { serviceId: text(given['serviceId']), toolName: text(given['toolName']), traceId };
  return envelope(
    about,
    ports.now(),
    'INVALID_ARGUMENTS',
    `${messages.INVALID_ARGUMENTS} Look at "${field}" of call_service_tool.`,
  );
}

const progressToken = (context: ServerContext): string | number | undefined =>
  context.mcpReq._meta?.progressToken;

function progress(context: ServerContext): ToolCall['onProgress'] {
  const token = progressToken(context);
  if (token === undefined) return () => {};
  let step = 0;
  return (message) => {
    step += 1;
    const params = { progressToken: token, progress: step, message };
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
