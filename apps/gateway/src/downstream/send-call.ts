import { inSpan, type SpanEnd } from '@countersign/service/trace';
import { type Progress, ProtocolError } from '@modelcontextprotocol/client';
import { isDeeperThan } from '../rules/json-form.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Connection } from './connection.ts';
import { paymentMeta, requirementInError } from './dialect.ts';
import { isTooLong, type ReadResult, readToolResult, takeResult } from './read-result.ts';
import type { Sending } from './service-connection.ts';
import { plain } from './tool-list.ts';

/** A result nested deeper than this is nonsense: whoever reads it recurses. */
const maxResultDepth = 128;

/** Sends one `tools/call` and reads what came. Throws when no answer came, or none of MCP. */
export function sendCall(connection: Connection, call: ToolCall, sending: Sending): Promise<ReadResult> {
  const span = call.span.child(`tools/call ${call.toolName}`, 'client', {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.toolName,
    'countersign.service.id': call.serviceId,
    'countersign.payment.sent': sending.payment !== null,
  });
  return inSpan(span, () => send(connection, { ...call, span }, sending), endOf);
}

const endOf = ({ outcome }: ReadResult): SpanEnd => ({
  attributes: { 'countersign.outcome': outcome.kind },
  error: outcome.kind === 'result' && outcome.isError ? 'tool_error' : undefined,
});

async function send(connection: Connection, call: ToolCall, sending: Sending): Promise<ReadResult> {
  const { tool, payment } = sending;
  const annotations = tool?.listed.annotations;
  const dialect = payment?.dialect ?? 'specified';
  try {
    const answer = await request(connection, call, sending);
    const result = isDeeperThan(answer, maxResultDepth) ? null : takeResult(answer);
    return result === null
      ? { outcome: { kind: 'protocol-error', why: 'not-mcp' }, asksIn: null }
      : readToolResult(result, { dialect, annotations });
  } catch (error) {
    const requirement =
      error instanceof ProtocolError ? requirementInError(error.code, error.data) : undefined;
    if (requirement === undefined || isDeeperThan(requirement, maxResultDepth)) throw error;
    if (isTooLong(requirement))
      return { outcome: { kind: 'requirement-malformed', content: [] }, asksIn: null };
    const outcome = { kind: 'payment-required', requirement, content: [], settlement: undefined } as const;
    return { outcome, asksIn: 'specified' };
  }
}

function request(connection: Connection, call: ToolCall, sending: Sending): Promise<unknown> {
  const { signal, payment } = sending;
  const meta = {
    traceparent: call.span.traceparent,
    ...(payment && paymentMeta[payment.dialect](payment.payload)),
  };
  const onProgress = ({ progress, total, message }: Progress): void => {
    sending.onProgress();
    call.onProgress(message === undefined ? undefined : plain(message), { progress, total });
  };
  return connection.callTool(
    { name: call.toolName, arguments: call.arguments, _meta: meta },
    { signal, onProgress: call.wantsProgress ? onProgress : null },
  );
}
