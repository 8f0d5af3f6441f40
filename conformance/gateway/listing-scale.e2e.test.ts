import { newPrivateKey } from '@countersign/local/market';
import { type ServiceList, serviceList } from '@countersign/protocol/gateway/tools';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import { anyTool, type RawServiceOptions, startRawService } from './fixtures/raw-service.ts';
import { startSharedGateway } from './fixtures/shared-process.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A gateway before these services, and how its agent lists them. */
async function before(...services: readonly RawServiceOptions[]) {
  const started = await Promise.all(services.map((options) => startRawService(options)));
  open.push(...started.map(({ stop }) => stop));
  const gateway = await startSharedGateway({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: started.map(({ url }, n) => `s${n}=${url}`).join(','),
    PAYMENT_NETWORKS: 'eip155:84532',
    LOG_LEVEL: 'error',
  });
  open.push(gateway.stop);
  return { agent: gateway.agent, list: (input: object = {}) => listed(gateway.agent.client, input) };
}

async function listed(client: Client, input: object): Promise<{ list: ServiceList; text: string }> {
  const result = await client.callTool({ name: 'list_gateway_services', arguments: { ...input } });
  const [block] = result.content as { text: string }[];
  return { list: serviceList.parse(result.structuredContent), text: block?.text ?? '' };
}

const bigTool = (name: string) =>
  anyTool(name, {
    description: `Looks up ${name}. It takes a place and a number of days, and answers with a table.`,
    inputSchema: {
      type: 'object',
      properties: { place: { type: 'string', description: 'Any place on earth. '.repeat(20) } },
    },
  });
const hundred = (letter: string): RawServiceOptions => ({
  tools: () => ({ tools: Array.from({ length: 100 }, (_, n) => bigTool(`${letter}-${n}`)) }),
});
const namesIn = ({ services }: ServiceList) => services.flatMap(({ tools }) => tools.map(({ name }) => name));

test('300 tools give under 60 kB, all named, with a sentence each and how to get the rest; a query gives schemas [gateway.list.short-form] [gateway.list.detail]', async () => {
  const { list } = await before(hundred('a'), hundred('b'), hundred('c'));
  const { list: short, text } = await list();
  expect(text.length).toBeLessThan(60_000);
  expect(JSON.parse(text)).toEqual(short);
  expect(new Set(namesIn(short)).size).toBe(300);
  expect(short.services[1]?.tools[42]).toEqual({ name: 'b-42', description: 'Looks up b-42.' });
  expect(short.note).toMatch(/300 tools.*serviceId.*query.*detail "full"/);

  const one = (await list({ query: 'a-7' })).list;
  expect(namesIn(one)).toHaveLength(11);
  expect(one.services[0]?.tools[0]).toHaveProperty('inputSchema');
  expect(one.note).toBeUndefined();
  const full = (await list({ serviceId: 's2', detail: 'full' })).list;
  expect(full.services).toHaveLength(1);
  expect(full.services[0]?.tools[99]).toHaveProperty('inputSchema.properties.place');
  const names = (await list({ detail: 'names' })).list;
  expect(names.services[0]?.tools[0]).toEqual({ name: 'a-0' });
});

test('pages name every tool once [gateway.list.detail]', async () => {
  const { list } = await before(hundred('a'), hundred('b'));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { list: page } = await list({
      limit: 70,
      detail: 'names',
      ...(cursor !== undefined && { cursor }),
    });
    expect(namesIn(page).length).toBeLessThanOrEqual(70);
    seen.push(...namesIn(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(200);
  expect(new Set(seen).size).toBe(200);
});

test('a tool shows whether it is paid, its price and who says so; what it asked for last counts most [gateway.list.prices]', async () => {
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  const entry = {
    scheme: 'exact',
    network: 'eip155:84532',
    asset,
    payTo: asset,
    maxTimeoutSeconds: 60,
    extra: {},
  };
  const asking = (amount: string) => ({
    x402Version: 2,
    resource: { url: 'a' },
    accepts: [{ ...entry, amount }],
  });
  const { agent, list } = await before({
    tools: () => ({
      tools: [
        anyTool('free'),
        anyTool('unknown'),
        anyTool('hinted', { annotations: { paymentHint: true, paymentPriceUSD: '0.05' } }),
        anyTool('marked', { _meta: { x402: { accepts: [{ ...entry, amount: '10000' }] } } }),
      ],
    }),
    call: ({ params }, reply) => {
      if (params?.name === 'free') reply.text('hello');
      else reply.result({ isError: true, content: [], structuredContent: asking('30000') });
    },
  });
  const prices = async () =>
    Object.fromEntries(
      (await list()).list.services.flatMap(({ tools }) =>
        tools.map(({ name, paid, price, currency, priceFrom }) => [name, [paid, price, currency, priceFrom]]),
      ),
    );
  const untold = [undefined, undefined, undefined, undefined];
  expect(await prices()).toEqual({
    free: untold,
    unknown: untold,
    hinted: [true, '0.05', 'USD', 'annotation'],
    marked: [true, '0.01', 'USDC', '_meta'],
  });
  for (const toolName of ['free', 'unknown', 'marked']) await agent.call({ serviceId: 's0', toolName });
  expect(await prices()).toMatchObject({
    free: [false, undefined, undefined, 'seen'],
    unknown: [true, '0.03', 'USDC', 'seen'],
    marked: [true, '0.03', 'USDC', 'seen'],
  });
});

test('the instructions of a service are shown, cleaned, and what is cut says so [gateway.list.instructions]', async () => {
  const { list } = await before({
    first: ({ method }, reply) => {
      if (method !== 'initialize') return false;
      reply.result({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'wordy', version: '1' },
        instructions: `Ask\u202E for places.${'x'.repeat(10_000)}`,
      });
      return true;
    },
  });
  const [service] = (await list()).list.services;
  expect(service?.instructions).toMatch(/^Ask for places\.x+ … \[cut\]$/);
  expect(service?.instructions?.length).toBeLessThanOrEqual(4000);
});
