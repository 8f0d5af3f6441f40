import { createLogger } from '@countersign/service/logger';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { barePayer, type CallTool, callToolOf } from '../bare-payer.ts';
import { balanceOf, mint } from '../chain-accounts.ts';
import { type Market, newPrivateKey, startMarket } from '../market.ts';
import { type McpServiceOptions, startMcpService } from './mcp-service.ts';
import { type PaidToolSpec, paidTool } from './paid-tool.ts';
import { dataResult } from './tool.ts';

let market: Market;
const payer = barePayer(newPrivateKey());
const log = createLogger('test', 'silent');
const open: (() => Promise<void>)[] = [];

beforeAll(async () => {
  market = await startMarket();
  await mint(market.chain.rpcUrl, payer.address, 1_000_000_000n);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => market.stop());

const paid = () => balanceOf(market.chain.rpcUrl, payer.address);
const input = z.object({ word: z.string().default('hello') });

type Spec = Partial<PaidToolSpec<typeof input>>;

/** A service with one paid tool, `echo`, and a client connected to it. */
async function shop(
  spec: Spec,
  how: Partial<McpServiceOptions> = {},
): Promise<{ call: CallTool; stop: () => Promise<void> }> {
  const tool = paidTool({
    merchant: market.merchant,
    price: '0.01',
    name: 'echo',
    title: 'Echo',
    description: 'Says it again',
    input,
    run: ({ word }) => dataResult({ word }),
    ...spec,
  });
  const transport = how.transport ?? 'streamable-http';
  const service = await startMcpService({ name: 'shop', port: 0, tools: [tool], log, ...how, transport });
  const client = new Client({ name: 'test', version: '1' });
  const Transport = { 'streamable-http': StreamableHTTPClientTransport, sse: SSEClientTransport }[transport];
  await client.connect(new Transport(new URL(service.url)));
  open.push(service.stop, () => client.close());
  return { call: callToolOf(client), stop: service.stop };
}

const demandOf = (result: CallToolResult) =>
  result.structuredContent as { error: string; accepts: { extra: Record<string, unknown> }[] };
const paying = (payment: unknown) => ({ 'x402/payment': payment });

test('a merchant of x402 v1 demands in v1 words, is paid, and answers with its network name', async () => {
  const { call } = await shop({ x402Version: 1 });
  const before = await paid();
  const demand = await call('echo', {});
  expect(demand.structuredContent).toMatchObject({
    x402Version: 1,
    accepts: [
      {
        scheme: 'exact',
        network: 'base-sepolia',
        maxAmountRequired: '10000',
        resource: 'mcp://tool/echo',
        description: 'Says it again',
        mimeType: 'application/json',
        outputSchema: {},
        payTo: market.merchant.address,
        maxTimeoutSeconds: 60,
        extra: { name: 'USDC', version: '2', cartMandate: { total_amount: '0.01' } },
      },
    ],
  });
  expect(demand.content).toEqual([{ type: 'text', text: JSON.stringify(demand.structuredContent) }]);

  const answer = await payer.pay(call, 'echo', { word: 'old' });
  expect(answer.structuredContent).toEqual({ word: 'old' });
  expect(answer._meta?.['x402/payment-response']).toMatchObject({ success: true, network: 'base-sepolia' });
  expect(await paid()).toBe(before - 10_000n);
});

test('the cart can stand at the top level of extra, the fallback location', async () => {
  const { call } = await shop({ cart: 'top-level' });
  expect(demandOf(await call('echo', {})).accepts[0]?.extra).toMatchObject({
    name: 'USDC',
    version: '2',
    ...market.merchant.cart('0.01'),
  });
  expect((await payer.pay(call, 'echo', {})).isError).toBeUndefined();
});

test('one payment sent twice is answered once, and settled once', async () => {
  const { call } = await shop({});
  const payment = await payer.sign((await call('echo', {})).structuredContent);
  const before = await paid();
  expect((await call('echo', {}, paying(payment))).structuredContent).toEqual({ word: 'hello' });
  const again = await call('echo', {}, paying(payment));
  expect(again.isError).toBe(true);
  expect(demandOf(again).error).toMatch(/nonce_already_used$/);
  expect(await paid()).toBe(before - 10_000n);
});

test('one payment sent five times at once is answered once, and settled once', async () => {
  let runs = 0;
  const { call } = await shop({ run: () => dataResult({ run: ++runs }) });
  const payment = await payer.sign((await call('echo', {})).structuredContent);
  const before = await paid();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call('echo', {}, paying(payment))));

  expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(1);
  expect(runs).toBe(1);
  for (const { structuredContent } of answers.filter(({ isError }) => isError === true))
    expect(structuredContent).toMatchObject({ x402Version: 2, accepts: [{ amount: '10000' }] });
  expect(await paid()).toBe(before - 10_000n);
});

test('20 paid calls at once are all answered', async () => {
  const { call } = await shop({});
  const before = await paid();
  const words = Array.from({ length: 20 }, (_, i) => `word ${i}`);
  const answers = await Promise.all(words.map((word) => payer.pay(call, 'echo', { word })));
  expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(words.map((word) => ({ word })));
  expect(await paid()).toBe(before - 200_000n);
});

test('a payment that does not answer the demand is refused with a reason, and nothing moves', async () => {
  const { call } = await shop({});
  const demand = (await call('echo', {})).structuredContent as object;
  const payment = await payer.sign(demand);
  const { extra: _, ...bare } = payment.accepted;
  const before = await paid();

  const refusals = [
    ['invalid_payload', 'a string'],
    ['No matching payment requirements found', { ...payment, x402Version: 1 }],
    [
      'No matching payment requirements found',
      { ...payment, accepted: { ...payment.accepted, amount: '1' } },
    ],
    ['No matching payment requirements found', { ...payment, accepted: bare }],
    ['invalid_payload', { ...payment, payload: {} }],
  ] as const;
  for (const [error, meta] of refusals)
    expect(await call('echo', {}, paying(meta))).toMatchObject({
      isError: true,
      structuredContent: { ...demand, error: expect.stringContaining(error) as string },
    });
  expect(await paid()).toBe(before);
});

test('a client may add to extra, but take nothing away', async () => {
  const { call } = await shop({});
  const payment = await payer.sign((await call('echo', {})).structuredContent);
  const { accepted } = payment;
  const added = { ...payment, accepted: { ...accepted, extra: { ...accepted.extra, hint: 1 } } };
  expect((await call('echo', {}, paying(added))).isError).toBeUndefined();
});

test('a merchant that lies demands what its mutation says, and takes it', async () => {
  const { call } = await shop({
    mutate: (required) => ({ ...required, accepts: [{ ...required.accepts[0]!, amount: '1000000' }] }),
  });
  const before = await paid();
  expect(await call('echo', {})).toMatchObject({
    structuredContent: { accepts: [{ amount: '1000000', extra: { cartMandate: { total_amount: '0.01' } } }] },
  });
  expect((await payer.pay(call, 'echo', {})).isError).toBeUndefined();
  expect(await paid()).toBe(before - 1_000_000n);
});

test('without a facilitator nothing is answered but the demand', async () => {
  const nobody = { verify: async () => null, settle: async () => null };
  const { call } = await shop({ merchant: { ...market.merchant, facilitator: nobody } });
  const answer = await payer.pay(call, 'echo', {});
  expect(answer).toMatchObject({ isError: true, structuredContent: { error: 'facilitator_unavailable' } });
});

test('a service can answer in event streams', async () => {
  const { call } = await shop({}, { answer: 'event-stream' });
  expect((await payer.pay(call, 'echo', { word: 'streamed' })).structuredContent).toEqual({
    word: 'streamed',
  });
});

test.each(['streamable-http', 'sse'] as const)(
  'a stop over %s lets the paid call in flight finish',
  async (transport) => {
    let settling = () => {};
    const begun = new Promise<void>((resolve) => {
      settling = resolve;
    });
    const { facilitator } = market.merchant;
    const settle: typeof facilitator.settle = (order) => {
      settling();
      return facilitator.settle(order);
    };
    const merchant = { ...market.merchant, facilitator: { ...facilitator, settle } };
    const { stop, call } = await shop({ merchant }, { transport });
    const answer = payer.pay(call, 'echo', {});
    await begun;
    await stop();
    expect((await answer).structuredContent).toEqual({ word: 'hello' });
  },
);
