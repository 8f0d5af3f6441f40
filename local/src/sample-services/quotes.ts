import { z } from 'zod';
import type { Merchant } from '../merchant/merchant.ts';
import { paidTool } from '../merchant/paid-tool.ts';
import { dataResult, freeTool, type Tool } from '../merchant/tool.ts';
import { drawFrom, pick } from './made-up.ts';

const symbolInput = z.object({
  symbol: z.string().min(1).describe('Ticker symbol, such as ACME; any text will do'),
});
const nothing = z.object({});
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The tools of the sample service `quotes`: made-up market data, the same for the same symbol. */
export const quoteTools = (merchant: Merchant): readonly Tool[] => [
  freeTool({
    name: 'ping',
    title: 'Ping',
    description: 'Free. Answers at once: shows that the service can be reached.',
    input: nothing,
    // Only a free tool declares its output: older clients hold a payment request against it, and fail.
    output: z.object({ pong: z.boolean(), service: z.string() }),
    annotations: readOnly,
    run: () => dataResult({ pong: true, service: 'quotes' }),
  }),
  paidTool({
    merchant,
    price: '0.01',
    name: 'get_quote',
    title: 'Stock quote',
    description: 'Price and daily change of one symbol. Costs 0.01 USDC.',
    input: symbolInput,
    annotations: readOnly,
    run: ({ symbol }) => dataResult(quoteOf(symbol)),
  }),
  paidTool({
    merchant,
    price: '5',
    name: 'get_report',
    title: 'Analyst report',
    description: 'A written report on one symbol, with a rating and a price target. Costs 5 USDC.',
    input: symbolInput,
    annotations: readOnly,
    run: ({ symbol }) => dataResult(reportOn(symbol)),
  }),
  paidTool({
    merchant,
    price: '0.001',
    name: 'get_tick',
    title: 'Last trade',
    description: 'Price and size of the last trade of one symbol. Costs 0.001 USDC.',
    input: symbolInput,
    annotations: readOnly,
    run: ({ symbol }) => dataResult(tickOf(symbol)),
  }),
  paidTool({
    merchant,
    price: '0.01',
    name: 'broken',
    title: 'Broken tool',
    description: 'Takes 0.01 USDC, then fails: shows what happens when a paid tool breaks.',
    input: nothing,
    run: () => ({ content: [{ type: 'text', text: 'The data source is down.' }], isError: true }),
  }),
  paidTool({
    merchant,
    price: '0.01',
    cart: 'none',
    name: 'no_cart',
    title: 'Tool without a cart',
    description: 'Costs 0.01 USDC and sends no signed cart: shows what happens without one.',
    input: nothing,
    run: () => dataResult({ paid: true, cart: 'none' }),
  }),
];

const asOf = '2026-01-15T21:00:00Z';

function quoteOf(symbol: string) {
  const draw = drawFrom(`quote ${symbol}`);
  const cents = 500 + draw(49_500);
  const change = draw(901) - 450; // hundredths of a percent
  return {
    symbol,
    price: (cents / 100).toFixed(2),
    change: `${change < 0 ? '-' : '+'}${(Math.abs(change) / 100).toFixed(2)}%`,
    volume: 10_000 + draw(5_000_000),
    currency: 'USD',
    asOf,
    source: 'made up by the sample service',
  };
}

function tickOf(symbol: string) {
  const { price, currency, source } = quoteOf(symbol);
  return { symbol, price, size: 1 + drawFrom(`tick ${symbol}`)(500), currency, asOf, source };
}

function reportOn(symbol: string) {
  const draw = drawFrom(`report ${symbol}`);
  const { price, change, currency, source } = quoteOf(symbol);
  const rating = pick(draw, ['buy', 'hold', 'sell']);
  const swing = { buy: 1.1, hold: 1, sell: 0.85 }[rating];
  const target = (Number(price) * (swing + draw(8) / 100)).toFixed(2);
  const strength = pick(draw, ['recurring revenue', 'a loyal customer base', 'low debt', 'rising margins']);
  const risk = pick(draw, [
    'one large customer',
    'currency swings',
    'a crowded market',
    'pending regulation',
  ]);
  const report =
    `${symbol} closed at ${price} ${currency} (${change}). Its strength is ${strength}; ` +
    `the main risk is ${risk}. We rate it "${rating}" with a target of ${target} ${currency} in twelve months.`;
  return { symbol, rating, target, currency, report, asOf, source };
}
