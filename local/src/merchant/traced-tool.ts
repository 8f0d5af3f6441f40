import type { Logger } from '@countersign/service/logger';
import { inSpan, type Tracer } from '@countersign/service/trace';
import type { Tool } from './tool.ts';

/** The same tool; each call is a line in the log and a span, both of the trace that the call's `_meta` names. */
export function tracedTool({ definition, call }: Tool, log: Logger, tracer: Tracer): Tool {
  const { name } = definition;
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
  };
  return {
    definition,
    call: (args, meta) => {
      const caller = tracer.join(meta['traceparent']);
      return inSpan(caller.child(`tools/call ${name}`, 'server', attributes), async (span) => {
        const result = await call(args, { ...meta, traceparent: span.traceparent });
        log.info({ traceId: span.traceId, tool: name, isError: result.isError === true }, 'call');
        return result;
      });
    },
  };
}
