import { parseAmount } from '@countersign/protocol/amount';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { type CallToolInput, callToolInput } from '@countersign/protocol/gateway/tools';
import { ok, type Result } from '@countersign/protocol/result';
import type { Cancellation } from '@countersign/service/cancellation';
import type { Logger } from '@countersign/service/logger';
import { inSpan, type Span, type SpanEnd } from '@countersign/service/trace';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { callAndPay } from '../payment/call-and-pay.ts';
import { hasCanonicalForm } from '../rules/json-form.ts';
import type { GatewayPorts } from '../ports/gateway-ports.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { envelope } from '../payment/reply.ts';
import { besideEnvelope } from './beside-envelope.ts';
import { type InputFault, readInput } from './read-input.ts';

/** Who calls, and how to reach it meanwhile. */
export type Agent = {
  /** From its token; null where no token is asked for. */
  readonly name: string | null;
  /** Aborts when it has cancelled the call, or hung up before it had its answer whole. */
  readonly signal: Cancellation;
  /** Null when it asked for no progress. */
  readonly onProgress: ToolCall['onProgress'] | null;
  /**
   * The client's own trace, if it sent one. It is linked, not continued, because our trace id names one call.
   */
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

/** Attributes in OpenTelemetry's names for MCP servers. */
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
  if (!hasCanonicalForm(args, maxDepth))
    return badInput(ports, traceId, args, '"arguments" is nested too deep, or has broken text.');
  const input = readPlainInput(args) ?? readInput(callToolInput, args ?? {});
  if (!input.ok) return badInput(ports, traceId, args, input.error);
  const { maxAmount, argumentsJson } = input.value;
  const toolArguments = argumentsJson === undefined ? input.value.arguments : readArguments(input.value);
  if (toolArguments === null) return badInput(ports, traceId, args, wrongArgumentsJson);
  const call: ToolCall = {
    serviceId: input.value.serviceId,
    toolName: input.value.toolName,
    arguments: toolArguments,
    paymentPayload: input.value.paymentPayload,
    idempotencyKey: input.value.idempotencyKey,
    maxAmount: maxAmount === undefined ? undefined : (parseAmount(maxAmount) ?? undefined),
    dryRun: input.value.dryRun,
    waitSeconds: input.value.waitSeconds,
    traceId,
    span,
    agent: agent.name,
    signal: agent.signal,
    wantsProgress: agent.onProgress !== null,
    onProgress: agent.onProgress ?? silent,
    // Named here already: V8 copies an object fast, but adds a field to the copy a hundred times slower.
    onSent: undefined,
    fetchOffered: undefined,
    asker: undefined,
    orphan: undefined,
    wasPaid: undefined,
    asPriced: undefined,
  };
  return callAndPay(ports, call);
}

const silent = (): void => {};

/** The three fields that most calls have and no other; null where the schema is to say. It costs a small call a twentieth. */
export function readPlainInput(args: unknown): Result<CallToolInput, never> | null {
  if (!isObject(args)) return null;
  const { serviceId, toolName, arguments: given } = args;
  const isPlain =
    typeof serviceId === 'string' &&
    typeof toolName === 'string' &&
    isObject(given) &&
    Object.keys(args).length === 3;
  // What is called __proto__ is no argument: the schema leaves it out.
  return isPlain && !Object.hasOwn(given, '__proto__') ? ok({ serviceId, toolName, arguments: given }) : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrongArgumentsJson =
  '"argumentsJson" must be the JSON text of one object, and "arguments" must then be left out or empty.';

/** Null when the text is no object that can be hashed, or says something beside `arguments`. */
function readArguments({
  argumentsJson = '',
  arguments: given,
}: CallToolInput): ToolCall['arguments'] | null {
  if (Object.keys(given).length > 0) return null;
  const read = parseJson(argumentsJson);
  return isObject(read) && hasCanonicalForm(read, maxDepth) ? read : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whatever reads arguments later (hashes, schemas, JSON) recurses: deeper than this would overflow its stack. */
const maxDepth = 64;

function toResult(answer: GatewayEnvelope): CallToolResult {
  const { envelope, blocks } = besideEnvelope(answer);
  return {
    content: [{ type: 'text', text: JSON.stringify(envelope) }, ...blocks],
    structuredContent: envelope,
    ...(isFailure(answer) && { isError: true }),
  };
}

/** The JSON of a result: the envelope stands in it twice, as a text and as itself, and is written once. */
export function resultJson({ content, structuredContent, ...rest }: CallToolResult): string {
  const [first] = content;
  const envelopeJson = first?.type === 'text' ? first.text : JSON.stringify(structuredContent);
  const isError = rest.isError === true ? ',"isError":true' : '';
  return `{"content":${JSON.stringify(content)},"structuredContent":${envelopeJson}${isError}}`;
}

function badInput(ports: GatewayPorts, traceId: string, args: unknown, fault: InputFault): GatewayEnvelope {
  const given = (args ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const about = { serviceId: text(given['serviceId']), toolName: text(given['toolName']), traceId };
  const message = `Nothing was sent: the input of call_service_tool is not valid. ${fault}`;
  return envelope(about, ports.now(), 'INVALID_ARGUMENTS', message);
}
