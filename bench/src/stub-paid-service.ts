import { randomBytes } from 'node:crypto';
import { createMerchant } from '@countersign/local/merchant/merchant';
import { facilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { paymentRequired } from '@countersign/local/merchant/payment-required';
import type { PrivateKey } from '@countersign/local/private-key';
import { type JsonAnswer, type JsonServer, serveJson } from './json-server.ts';

const tool = {
  name: 'echo',
  description: 'Answers its arguments. Costs 0.01 USDC.',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      unit: { type: 'string' },
      days: { type: 'integer' },
      detail: { type: 'boolean' },
    },
  },
};

export type StubServiceOptions = {
  readonly network: string;
  readonly asset: string;
  readonly merchantKey: PrivateKey;
};

/**
 * An MCP service with one paid tool, the same as an HTTP endpoint at `quotePath`, and its own stub of a facilitator: any
 * payment is good and settles at once, in a transaction that is made up. The cart is really signed.
 */
export async function startStubPaidService(options: StubServiceOptions): Promise<JsonServer> {
  const { network, merchantKey, asset } = options;
  // Nobody asks it: settling is done here.
  const facilitator = facilitatorClient('http://127.0.0.1:1');
  const merchant = createMerchant({ id: 'bench', privateKey: merchantKey, network, asset, facilitator });
  const { name: toolName, description } = tool;
  const sale = { toolName, description, price: '0.01', x402Version: 2, cart: 'cartMandate' } as const;
  const demand = paymentRequired(merchant, sale);
  const unpaid = {
    content: [{ type: 'text', text: JSON.stringify(demand) }],
    structuredContent: demand,
    isError: true,
  };
  return serveJson((path, body, headers) => {
    if (path === quotePath) return quote(body, headers['payment-signature'] !== undefined, demand, network);
    const { id, method, params } = body;
    switch (method) {
      case 'initialize':
        return result(id, {
          protocolVersion: (params as { protocolVersion: string }).protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'paid', version: '1.0.0' },
        });
      case 'tools/list':
        return result(id, { tools: [tool] });
      case 'tools/call':
        return result(id, callTool(params as ToolCall, unpaid, network));
      default:
        return { status: 202, json: '' };
    }
  });
}

export const quotePath = '/quote';

function quote(body: object, isPaid: boolean, demand: object, network: string): JsonAnswer {
  return isPaid
    ? {
        status: 200,
        json: JSON.stringify(body),
        headers: { 'payment-response': base64(settlementOn(network)) },
      }
    : { status: 402, json: '{}', headers: { 'payment-required': base64(demand) } };
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

const settlementOn = (network: string) => ({
  success: true,
  transaction: `0x${randomBytes(32).toString('hex')}`,
  network,
});

type ToolCall = { readonly arguments: object; readonly _meta?: Readonly<Record<string, unknown>> };

function callTool(call: ToolCall, unpaid: object, network: string): object {
  if (call._meta?.['x402/payment'] === undefined) return unpaid;
  return {
    content: [{ type: 'text', text: JSON.stringify(call.arguments) }],
    _meta: { 'x402/payment-response': settlementOn(network) },
  };
}

const result = (id: unknown, value: object): JsonAnswer => ({
  status: 200,
  json: JSON.stringify({ jsonrpc: '2.0', id, result: value }),
});
