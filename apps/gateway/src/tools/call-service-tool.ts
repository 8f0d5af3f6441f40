import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { callToolInput } from '@countersign/protocol/gateway/tools';
import type { Cancellation } from '@countersign/service/cancellation';
import type { Logger } from '@countersign/service/logger';
import { inSpan, type Span, type SpanEnd } from '@countersign/service/trace';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { callServiceTool as run } from '../call-service-tool.ts';
import { hasCanonicalForm } from '../json-form.ts';
import type { GatewayPorts, ToolCall } from '../ports.ts';
import { envelope, messages } from '../reply.ts';

/** Who calls, and how to reach it meanwhile. */
export type Agent = {
  /** From its token; null where no token is asked for. */
  readonly name: string | null;
  /** Aborts when it has hung up or cancelled the call. */
  readonly signal: Cancellation;
  /** Null when it asked for no progress. */
  readonly onProgress: ((message: string) => void) | null;
  /** Of its own trace, if it sent one: that goes on beside ours, because our trace id names one call. */
  readonly traceparent: unknown;
};

/** `call_service_tool`: whatever comes in, one envelope goes out, as structured content and as text. */
export async function callServiceTool(
  ports: GatewayPorts,
  log: Logger,
  args: unknown,
  agent: Agent,
): Promise<CallToolResult> {
  const startedAt = ports.now();
  const name = 'tools/call call_service_tool';
  const span = ports.tracer.begin(ports.randomId(), name, attributes, agent.traceparent);
  const answer = await inSpan(span, () => answerTo(ports, span, args, agent), endOf);
  const { traceId, code, detail } = answer;
  const { serviceId, toolName, paymentMade } = detail;
  const ms = ports.now() - startedAt;
  log.info({ traceId, agent: agent.name, serviceId, toolName, code, paymentMade, ms }, 'call');
  return toResult(answer);
}

/** As OpenTelemetry names them for MCP servers. */
const attributes = {
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'call_service_tool',
};

function endOf(answer: GatewayEnvelope): SpanEnd {
  const { code, stage, detail } = answer;
  // Before its price was judged, what stands there is the service's own text.
  const { amountDecimal, currency } = detail.assuranceResult === null ? {} : (detail.paymentContext ?? {});
  return {
    attributes: {
      'countersign.service.id': detail.serviceId,
      'countersign.tool.name': detail.toolName,
      'countersign.code': code,
      'countersign.stage': stage,
      'countersign.payment.made': detail.paymentMade,
      ...(typeof amountDecimal === 'string' && { 'countersign.payment.amount': amountDecimal }),
      ...(typeof currency === 'string' && { 'countersign.payment.currency': currency }),
    },
    error: isFailure(answer) ? code : undefined,
  };
}

/** A challenge is a question to the owner, not a failure. */
const isFailure = ({ ok, code }: GatewayEnvelope): boolean => !ok && code !== 'WALLET_APPROVAL_REQUIRED';

async function answerTo(
  ports: GatewayPorts,
  span: Span,
  args: unknown,
  agent: Agent,
): Promise<GatewayEnvelope> {
  const { traceId } = span;
  if (!hasCanonicalForm(args, maxDepth)) return badInput(ports, traceId, args, 'arguments');
  const input = callToolInput.safeParse(args ?? {});
  if (!input.success) return badInput(ports, traceId, args, input.error.issues[0]?.path.join('/') ?? '');
  const call: ToolCall = {
    ...input.data,
    paymentPayload: input.data.paymentPayload,
    idempotencyKey: input.data.idempotencyKey,
    dryRun: input.data.dryRun,
    traceId,
    span,
    agent: agent.name,
    signal: agent.signal,
    wantsProgress: agent.onProgress !== null,
    onProgress: agent.onProgress ?? (() => {}),
  };
  return run(ports, call);
}

/** Whatever reads arguments later (hashes, schemas, JSON) recurses: deeper than this would overflow its stack. */
const maxDepth = 64;

function toResult(answer: GatewayEnvelope): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
    ...(isFailure(answer) && { isError: true }),
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
