import type { SharedGateway } from './fixtures/shared-process.ts';
import { type PaidToolSpec, paidTool } from '@countersign/local/merchant/paid-tool';
import type { Tool } from '@countersign/local/merchant/tool';
import { type CallToolResult, McpError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

type Meta = Record<string, unknown>;

/** How a merchant of another dialect differs from one of the specification. */
type Speech = {
  /** What an unpaid call is answered; throws where that is a JSON-RPC error. */
  readonly ask: (required: object) => CallToolResult;
  /** The payment, as it stands in `_meta` of the paid call. */
  readonly paymentIn: (meta: Meta) => unknown;
  readonly responseKey?: string;
  readonly x402Version?: 1 | 2;
  readonly hint?: boolean;
  readonly error?: string;
};

let world: World;
let owner: Owner;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
});
afterAll(() => world?.stop());

const fromText = (value: unknown): unknown =>
  typeof value === 'string' ? JSON.parse(Buffer.from(value, 'base64').toString('utf8')) : undefined;
const textOf = (value: unknown) => [{ type: 'text' as const, text: JSON.stringify(value) }];
const rpcError = (code: number, data: unknown): never => {
  throw new McpError(code, 'Payment required', data);
};

/** A real merchant behind a translator: verified and settled as ever, asked and answered in the dialect. */
function speaking(speech: Speech, heard: Meta[]): Tool {
  const { x402Version = 2, error } = speech;
  const spec: PaidToolSpec<z.ZodObject> = {
    name: 'sell',
    title: 'Sell',
    description: 'Sells',
    input: z.object({}),
    merchant: world.merchant,
    price: '0.01',
    x402Version,
    run: () => ({ content: [{ type: 'text', text: 'sold' }] }),
    ...(speech.hint === true && { annotations: { paymentHint: true } as never }),
    ...(error !== undefined && { mutate: (required) => ({ ...required, error }) }),
  };
  const { definition, call } = paidTool(spec);
  return {
    definition,
    async call(args, meta) {
      heard.push(meta);
      const payment = speech.paymentIn(meta);
      const result = await call(args, payment === undefined ? {} : { 'x402/payment': payment });
      if (result.isError === true) return speech.ask(result.structuredContent ?? {});
      const settled = result._meta?.['x402/payment-response'];
      return { ...result, _meta: { [speech.responseKey ?? 'x402/payment-response']: settled } };
    },
  };
}

const specified = (meta: Meta) => meta['x402/payment'];
const twice = (required: object): CallToolResult => ({
  isError: true,
  content: textOf(required),
  structuredContent: required as Meta,
});
const dotted = {
  ask: twice,
  paymentIn: (meta: Meta) => fromText(meta['x402.payment']),
  responseKey: 'x402.payment-response',
  x402Version: 1 as const,
};
const inMeta: Speech = {
  ask: (required) => ({ isError: true, content: textOf(required), _meta: { 'x402/error': required } }),
  paymentIn: (meta) => fromText(meta['x402/payment']),
};

const dialects: readonly (readonly [name: string, sentUnder: readonly string[], speech: Speech])[] = [
  ['_meta["x402/error"] [gateway.paying.dialect.meta-error]', ['x402/payment'], inMeta],
  [
    '_meta["x402/error"] in v1 [gateway.paying.dialect.meta-error]',
    ['x402/payment'],
    { ...inMeta, x402Version: 1 },
  ],
  [
    'dotted keys, told by the hint [gateway.paying.dialect.dotted-keys]',
    ['x402/payment', 'x402.payment'],
    { ...dotted, hint: true },
  ],
  [
    'dotted keys, told by the error [gateway.paying.dialect.dotted-keys]',
    ['x402/payment', 'x402.payment'],
    { ...dotted, error: '_meta["x402.payment"] is required' },
  ],
  [
    'a JSON-RPC error 402 [gateway.paying.dialect.json-rpc-402]',
    ['x402/payment'],
    { ask: (required) => rpcError(402, required), paymentIn: specified },
  ],
  [
    'a JSON-RPC error -32042 [gateway.paying.dialect.json-rpc-32042]',
    ['x402/payment'],
    { ask: (required) => rpcError(-32042, required), paymentIn: specified },
  ],
  [
    'a JSON-RPC error -32042 with x402 [gateway.paying.dialect.json-rpc-32042]',
    ['x402/payment'],
    { ask: (required) => rpcError(-32042, { x402: required }), paymentIn: specified, x402Version: 1 },
  ],
  [
    'wrapped text',
    ['x402/payment'],
    {
      ask: (data) => ({ isError: true, content: textOf({ 'x402/error': { code: 402, data } }) }),
      paymentIn: specified,
    },
  ],
];

/** One gateway before a service of each dialect, and what reaches each service. */
let everywhere: SharedGateway;
const heardBy = new Map<Speech, Meta[]>();
const serviceOf = (speech: Speech) => `shop-${dialects.findIndex(([, , each]) => each === speech)}`;

beforeAll(async () => {
  const services: Record<string, string> = {};
  for (const [, , speech] of dialects) {
    const heard: Meta[] = [];
    heardBy.set(speech, heard);
    services[serviceOf(speech)] = await world.service(serviceOf(speech), [speaking(speech, heard)]);
  }
  everywhere = await world.gateway(owner, services);
});

const gatewayFor = async (tool: Tool) => world.gateway(owner, { shop: await world.service('shop', [tool]) });
const sell = { serviceId: 'shop', toolName: 'sell' };

test.each(dialects)('a service that asks with %s is paid', async (_name, sentUnder, speech) => {
  const before = await world.balance(owner.wallet.address);
  const answer = await everywhere.agent.call({ ...sell, serviceId: serviceOf(speech) });
  expect(answer).toMatchObject({
    ok: true,
    code: 'SUCCESS',
    detail: {
      paymentMade: true,
      paymentResponse: { success: true, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string },
      downstreamContent: [{ type: 'text', text: 'sold' }],
    },
  });
  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);

  const [unpaid = {}, paid = {}, ...more] = heardBy.get(speech) ?? [];
  expect(more).toEqual([]);
  expect(Object.keys(unpaid)).toEqual(['traceparent']);
  expect(Object.keys(paid)).toEqual(['traceparent', ...sentUnder]);
  expect(speech.paymentIn(paid)).toMatchObject({
    x402Version: speech.x402Version ?? 2,
    payload: {
      authorization: { from: owner.wallet.address, to: world.merchant.address, value: '10000' },
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) as string,
    },
  });
});

test('to a service of the specification the payment goes as an object, under one key', async () => {
  const heard: Meta[] = [];
  const gateway = await gatewayFor(speaking({ ask: twice, paymentIn: specified, x402Version: 1 }, heard));
  expect(await gateway.agent.call(sell)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(Object.keys(heard[1] ?? {})).toEqual(['traceparent', 'x402/payment']);
  expect(typeof heard[1]?.['x402/payment']).toBe('object');
});

test('the same error code with a URL to open is no price, and nothing is paid [gateway.paying.dialect.json-rpc-32042]', async () => {
  const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://pay.example', message: 'Pay here' }];
  const heard: Meta[] = [];
  const speech: Speech = {
    ask: (required) => rpcError(-32042, { elicitations, x402: required }),
    paymentIn: specified,
  };
  const gateway = await gatewayFor(speaking(speech, heard));
  const answer = await gateway.agent.call(sell);
  expect(answer).toMatchObject({ code: 'DOWNSTREAM_TOOL_ERROR', detail: { paymentMade: false } });
  const { downstreamError, ...detail } = answer.detail;
  expect(downstreamError).toMatchObject({ code: -32042, data: { elicitations } });
  expect(JSON.stringify({ ...answer, detail })).not.toContain('pay.example');
  expect(heard).toHaveLength(1);
});

test('copies of the price that differ are refused in every place where one can stand [gateway.code.payment-requirement-invalid.copies-differ]', async () => {
  const cheap = (required: object) => ({ ...required, accepts: [] });
  for (const ask of [
    (required: object) => ({ ...twice(required), _meta: { 'x402/error': cheap(required) } }),
    (required: object) => ({
      isError: true,
      content: textOf(cheap(required)),
      _meta: { 'x402/error': required },
    }),
  ]) {
    const heard: Meta[] = [];
    const gateway = await gatewayFor(speaking({ ask, paymentIn: specified }, heard));
    expect(await gateway.agent.call(sell)).toMatchObject({ code: 'PAYMENT_REQUIREMENT_INVALID' });
    expect(heard).toHaveLength(1);
  }
});

test('a payment that another dialect refuses is told like any other', async () => {
  const heard: Meta[] = [];
  const poor = await world.newOwner({ usdc: 0n });
  const shop = await world.service('shop', [
    speaking({ ask: (required) => rpcError(402, required), paymentIn: specified }, heard),
  ]);
  const gateway = await world.gateway(poor, { shop });
  expect(await gateway.agent.call(sell)).toMatchObject({
    stage: 'payment_requested',
    code: 'PAYMENT_REJECTED',
    detail: { paymentMade: false },
  });
  expect(heard).toHaveLength(2);
});
