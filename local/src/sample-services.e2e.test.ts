import {
  Client as NewClient,
  SSEClientTransport as NewSse,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client';
import { type CartMandate, cartMessage } from '@countersign/protocol/gateway/cart-mandate';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { verifyMessage } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barePayer, type CallTool, callToolOf } from './bare-payer.ts';
import { balanceOf, mint } from './chain-accounts.ts';
import { type Market, newPrivateKey, startMarket } from './market.ts';

let market: Market;
const payer = barePayer(newPrivateKey());
const open: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  market = await startMarket();
  await mint(market.chain.rpcUrl, payer.address, 1_000_000_000n);
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => market.stop());

type Connection = { readonly call: CallTool; readonly tools: () => Promise<readonly Pick<Tool, 'name'>[]> };
type Connect = (service: 'quotes' | 'archive') => Promise<Connection>;

const withSdk1: Connect = async (service) => {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(market.samples[service].url);
  await client.connect(
    service === 'quotes' ? new StreamableHTTPClientTransport(url) : new SSEClientTransport(url),
  );
  open.push(client);
  return { call: callToolOf(client), tools: async () => (await client.listTools()).tools };
};

/** `auto` asks for protocol 2026-07-28 first. */
const withSdk2 =
  (mode: 'legacy' | 'auto'): Connect =>
  async (service) => {
    const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const url = new URL(market.samples[service].url);
    await client.connect(service === 'quotes' ? new NewHttp(url) : new NewSse(url));
    open.push(client);
    const call: CallTool = async (name, args, meta) =>
      (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })) as CallToolResult;
    return { call, tools: async () => (await client.listTools()).tools };
  };

const paid = () => balanceOf(market.chain.rpcUrl, payer.address);
const earned = () => balanceOf(market.chain.rpcUrl, market.merchant.address);
const receiptOf = (result: CallToolResult) => result._meta?.['x402/payment-response'];
const demandOf = (result: CallToolResult) =>
  result.structuredContent as { accepts: { extra: Record<string, unknown> }[] };

describe.each([
  ['the 1.x SDK', withSdk1],
  ['the 2.x SDK', withSdk2('legacy')],
  ['the 2.x SDK that asks for the newest protocol', withSdk2('auto')],
])('a client of %s', (_, connect) => {
  test('pays a tool of each service after listing its tools, and the money arrives to the unit [system.start.sample-services]', async () => {
    const quotes = await connect('quotes');
    const archive = await connect('archive');
    const names = ['ping', 'get_quote', 'get_report', 'get_tick', 'broken', 'no_cart'];
    expect((await quotes.tools()).map(({ name }) => name)).toEqual(names);
    expect((await archive.tools()).map(({ name }) => name)).toEqual(['fetch_article']);
    const [before, till] = [await paid(), await earned()];

    const quote = await payer.pay(quotes.call, 'get_quote', { symbol: 'ACME' });
    expect(quote.isError).toBeUndefined();
    expect(quote.structuredContent).toMatchObject({ symbol: 'ACME', currency: 'USD' });
    expect(receiptOf(quote)).toMatchObject({ success: true, network: 'eip155:84532', payer: payer.address });

    const article = await payer.pay(archive.call, 'fetch_article', { id: '7' });
    expect(article.structuredContent).toMatchObject({ id: '7', title: expect.any(String) as string });
    expect(await paid()).toBe(before - 30_000n);
    expect(await earned()).toBe(till + 30_000n);
  });
});

test('ping is free [system.sample.ping]', async () => {
  const { call } = await withSdk1('quotes');
  const before = await paid();
  expect(await payer.pay(call, 'ping', {})).toEqual({
    content: [{ type: 'text', text: '{"pong":true,"service":"quotes"}' }],
    structuredContent: { pong: true, service: 'quotes' },
  });
  expect(await paid()).toBe(before);
});

test('an unpaid call is answered with an x402 v2 demand, twice in the same bytes, and the cart signed', async () => {
  const { call } = await withSdk1('quotes');
  const answer = await call('get_quote', { symbol: 'ACME' });
  const merchant = market.merchant.address;
  const cart = demandOf(answer).accepts[0]?.extra['cartMandate'] as CartMandate;
  const signature = cart.merchant_signature as `0x${string}`;
  const demand = {
    x402Version: 2,
    error: 'Payment required to access this resource',
    resource: {
      url: 'mcp://tool/get_quote',
      description: 'Price and daily change of one symbol. Costs 0.01 USDC.',
      mimeType: 'application/json',
    },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:84532',
        amount: '10000',
        asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        payTo: merchant,
        maxTimeoutSeconds: 60,
        extra: {
          name: 'USDC',
          version: '2',
          cartMandate: {
            merchant_id: 'quotes',
            merchant_address: merchant,
            total_amount: '0.01',
            currency: 'USDC',
            pay_to: merchant,
            merchant_signature: signature,
          },
        },
      },
    ],
    extensions: {},
  };
  expect(answer).toEqual({
    content: [{ type: 'text', text: JSON.stringify(demand) }],
    structuredContent: demand,
    isError: true,
  });
  expect(await call('get_quote', { symbol: 'OTHER' })).toEqual(answer);
  const message = cartMessage(cart);
  expect(await verifyMessage({ address: merchant, message, signature })).toBe(true);
});

test.each([
  ['quotes', 'get_quote', 'symbol', 10_000n],
  ['quotes', 'get_report', 'symbol', 5_000_000n],
  ['quotes', 'get_tick', 'symbol', 1_000n],
  ['archive', 'fetch_article', 'id', 20_000n],
] as const)(
  '%s: %s answers any %s, for %i base units [system.sample.prices] [system.sample.any-argument]',
  async (service, tool, argument, price) => {
    const { call } = await withSdk1(service);
    const before = await paid();
    for (const value of ['ACME', ' ', '☃ or 1=1', 'x'.repeat(10_000)]) {
      const answer = await payer.pay(call, tool, { [argument]: value });
      expect(answer.isError).toBeUndefined();
      expect(answer.structuredContent).toMatchObject({ [argument]: value });
    }
    expect(await paid()).toBe(before - 4n * price);
  },
);

test('the same symbol is always answered the same', async () => {
  const { call } = await withSdk1('quotes');
  const [one, two] = [
    await payer.pay(call, 'get_report', { symbol: 'ACME' }),
    await payer.pay(call, 'get_report', { symbol: 'ACME' }),
  ];
  expect(one.structuredContent).toEqual(two.structuredContent);
});

test('broken settles, then answers isError [system.sample.broken]', async () => {
  const { call } = await withSdk1('quotes');
  const before = await paid();
  const answer = await payer.pay(call, 'broken', {});
  expect(answer).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  expect(answer.structuredContent).toBeUndefined();
  expect(receiptOf(answer)).toMatchObject({ success: true });
  expect(await paid()).toBe(before - 10_000n);
});

test('no_cart costs 0.01 and sends no cart mandate [system.sample.no-cart]', async () => {
  const { call } = await withSdk1('quotes');
  const before = await paid();
  expect(demandOf(await call('no_cart', {})).accepts[0]?.extra).toEqual({ name: 'USDC', version: '2' });
  expect((await payer.pay(call, 'no_cart', {})).structuredContent).toEqual({ paid: true, cart: 'none' });
  expect(await paid()).toBe(before - 10_000n);
});

test('a call that cannot be answered is refused before any money is asked for', async () => {
  const { call } = await withSdk1('quotes');
  expect((await call('get_quote', { symbol: '' })).content).toMatchObject([
    { text: expect.stringContaining('Invalid arguments for tool get_quote: symbol') as string },
  ]);
  await expect(call('get_nothing', {})).rejects.toThrow('Unknown tool: get_nothing');
});

test('archive refuses a POST where streamable HTTP would be tried, so that a client falls back to SSE', async () => {
  const url = new URL(market.samples.archive.url);
  const client = new Client({ name: 'test', version: '1' });
  await expect(client.connect(new StreamableHTTPClientTransport(url))).rejects.toMatchObject({ code: 405 });
  await client.connect(new SSEClientTransport(url));
  open.push(client);
  expect((await client.listTools()).tools).toHaveLength(1);
});

test('an unknown session is answered 404, so that a client begins a new one', async () => {
  const response = await fetch(market.samples.quotes.url, {
    method: 'POST',
    headers: {
      'mcp-session-id': 'of-yesterday',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  expect(response.status).toBe(404);
});
