import { paymentMetaKey, paymentResponseMetaKey } from '@countersign/protocol/gateway/x402';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Payment, Settlement } from './facilitator-client.ts';
import type { Merchant } from './merchant.ts';
import { type CartPlace, type PaymentRequired, paymentRequired, paysFor } from './payment-required.ts';
import { definitionOf, readArguments, type Tool, type ToolSpec } from './tool.ts';

export type PaidToolSpec<I extends z.ZodObject> = ToolSpec<I> & {
  readonly merchant: Merchant;
  /** USDC as decimal text, such as `0.01`. */
  readonly price: string;
  readonly x402Version?: 1 | 2;
  readonly cart?: CartPlace;
  /** Changes what is demanded: to build a merchant that lies. The payment is then held against the lie. */
  readonly mutate?: (required: PaymentRequired) => PaymentRequired;
};

/**
 * A tool that answers only when this very call has been paid: verified and settled by the facilitator. One
 * payment gives one answer, however often and however parallel it is sent.
 */
export function paidTool<I extends z.ZodObject>(spec: PaidToolSpec<I>): Tool {
  const { merchant } = spec;
  const required = demandOf(spec);
  const refuse = (error: string, settlement?: Settlement) => demandResult({ ...required, error }, settlement);

  return {
    definition: definitionOf(spec),
    call: async (args, meta) => {
      const input = readArguments(spec, args);
      if (!input.ok) return input.refusal;

      const payment = readPayment(meta[paymentMetaKey]);
      if (payment === 'none') return demandResult(required);
      if (payment === 'malformed') return refuse('invalid_payload');
      if (!paysFor(required, payment)) return refuse('No matching payment requirements found');

      const [requirement = {}] = required.accepts;
      const order = { payment, requirement, traceparent: traceOf(meta) };
      const verdict = await merchant.facilitator.verify(order);
      if (verdict === null) return refuse('facilitator_unavailable');
      if (!verdict.isValid) return refuse(verdict.invalidReason ?? 'invalid_payment');

      const settlement = await merchant.facilitator.settle(order);
      if (settlement === null) return refuse('settlement_unknown');
      if (!settlement.success) return refuse(settlement.errorReason ?? 'settlement_failed', settlement);

      // Only now is anything made that is worth the money, so a lost race for one payment gets nothing.
      const result = spec.run(input.value);
      return { ...result, _meta: { ...result._meta, [paymentResponseMetaKey]: settlement } };
    },
  };
}

function demandOf<I extends z.ZodObject>(spec: PaidToolSpec<I>): PaymentRequired {
  const { name: toolName, description, price, merchant, x402Version = 2, cart = 'cartMandate' } = spec;
  const honest = paymentRequired(merchant, { toolName, description, price, x402Version, cart });
  return spec.mutate === undefined ? honest : spec.mutate(honest);
}

/** Says it twice, as the transport specification wants; a settlement that failed is told along. */
function demandResult(required: PaymentRequired, settlement?: Settlement): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(required) }],
    structuredContent: required,
    isError: true,
    ...(settlement && { _meta: { [paymentResponseMetaKey]: settlement } }),
  };
}

const traceOf = ({ traceparent }: Record<string, unknown>): string | undefined =>
  typeof traceparent === 'string' && /^[0-9a-f-]{55}$/.test(traceparent) ? traceparent : undefined;

function readPayment(value: unknown): Payment | 'none' | 'malformed' {
  if (value === undefined) return 'none';
  const known = typeof value === 'object' && value !== null && 'x402Version' in value;
  return known && typeof value.x402Version === 'number' ? (value as Payment) : 'malformed';
}
