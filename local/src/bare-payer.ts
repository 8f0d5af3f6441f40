import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { x402Client } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKey } from './private-key.ts';

/** One `tools/call`, by whatever client. */
export type CallTool = (
  name: string,
  args: Record<string, unknown>,
  meta?: Record<string, unknown>,
) => Promise<CallToolResult>;

export type BarePayer = ReturnType<typeof barePayer>;

/** A client of x402's own libraries: pays whatever it is asked, without any check. The measure for a gateway. */
export function barePayer(key: PrivateKey) {
  const account = privateKeyToAccount(key);
  const client = registerExactEvmScheme(new x402Client().setSpendControls(false), { signer: account });
  const sign = (required: unknown): Promise<PaymentPayload> =>
    client.createPaymentPayload(required as PaymentRequired);
  return {
    address: account.address,
    /** Signs what a 402 answer demands. */
    sign,
    /** Calls, pays if asked, and calls again. */
    pay: async (call: CallTool, name: string, args: Record<string, unknown>): Promise<CallToolResult> => {
      const first = await call(name, args);
      if (first.isError !== true || first.structuredContent === undefined) return first;
      return call(name, args, { 'x402/payment': await sign(first.structuredContent) });
    },
  };
}

type Requester = {
  request: (
    request: { method: 'tools/call'; params: Record<string, unknown> },
    schema: typeof CallToolResultSchema,
    options: { readonly timeout: number },
  ) => Promise<unknown>;
};

/** `tools/call` of a client of the 1.x SDK, past its own check of outputs. */
export const callToolOf =
  (client: Requester): CallTool =>
  async (name, args, meta) => {
    const params = { name, arguments: args, ...(meta && { _meta: meta }) };
    const request = { method: 'tools/call', params } as const;
    return (await client.request(request, CallToolResultSchema, { timeout: 180_000 })) as CallToolResult;
  };
