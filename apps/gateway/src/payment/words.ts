import type { PaymentEntry } from '../ports/payment-entry.ts';
import type { CallOutcome } from '../rules/call-outcome.ts';
import type { ToolCall } from '../ports/tool-call.ts';

/** How a call ended that brought no result, in one sentence of ours. */
export function whatCame(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'result':
      return outcome.isError
        ? 'The tool itself answered with an error: detail.downstreamContent has it.'
        : 'The tool answered.';
    case 'payment-required':
    case 'requirement-malformed':
      return 'The service asked for money again and gave no result.';
    case 'unavailable':
      return outcome.failure?.httpStatus === undefined
        ? 'The connection to the service was lost before it answered.'
        : `The service answered with HTTP ${outcome.failure.httpStatus} and gave no result.`;
    case 'timeout':
      return 'The service did not answer in time.';
    case 'protocol-error':
      return nonsense[outcome.why];
  }
}

const nonsense = {
  'rpc-error': 'The service answered with a JSON-RPC error.',
  ended: 'The service ended its answer without a result.',
  'too-large': 'The answer was larger than 16 MiB and was not read.',
  encoded: 'The service compressed its answer unasked, and it was not unpacked.',
  'not-mcp': 'The service answered something that is not MCP.',
} as const;

/** Whether to call again, of a payment that may still be taken. Only a key makes that safe. */
export const afterDoubt = (call: ToolCall, { validBefore }: PaymentEntry): string =>
  call.idempotencyKey === undefined
    ? `Do not call again before ${new Date(validBefore * 1000).toISOString()} (detail.paymentContext.validBefore): that could be a second payment.`
    : 'Calling again with this idempotencyKey is safe: it never pays a second time.';

/** The same of a payment that was made and brought no result. */
export const afterLoss = (call: ToolCall): string =>
  call.idempotencyKey === undefined
    ? 'Calling again would be a second payment.'
    : 'This idempotencyKey never pays a second time.';
