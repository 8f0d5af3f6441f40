import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesOf, httpServices } from '../http-services/settings.ts';
import { knownTokens } from '../rules/tokens.ts';
import type { Proposal } from './proposal.ts';
import { type Found, servedBy } from './proposals.ts';
import { takeServer } from './registry.ts';
import { takeResource } from './resources.ts';

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const payTo = `0x${'2'.repeat(40)}`;
const entry = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: usdc,
  amount: '10000',
  payTo,
  maxTimeoutSeconds: 60,
  extra: {},
};
const source = 'https://catalogue.example';
const wanted = {
  served: servedBy([new URL('https://ours.example/mcp')], [new URL('https://api.example/openapi.json')]),
  tokens: knownTokens,
  source,
};

function proposed(take: typeof takeResource, ...items: unknown[]): readonly Proposal[] {
  const found: Found = { prices: new Map(), proposals: new Map() };
  for (const item of items) take(found, item, wanted);
  return [...found.proposals.values()].map(({ proposal }) => proposal);
}

const resource = (url: string, more: object = {}) => ({
  resource: url,
  type: 'http',
  x402Version: 2,
  accepts: [entry],
  ...more,
});
const bazaar = (input: object) => ({ extensions: { bazaar: { info: { input } } } });

test('what is at a host of a configured service is not proposed, wherever its document is and whatever scheme the owner wrote [gateway.discovery.proposes]', () => {
  const services = httpServices(
    JSON.stringify({
      a: { openapi: 'https://docs.example/openapi.yaml', server: 'http://calls.example/v1' },
      b: { endpoint: 'http://one.example/buy' },
    }),
  );
  if (!services.ok) throw new Error(services.error);
  const found: Found = { prices: new Map(), proposals: new Map() };
  const hosts = ['docs.example', 'calls.example', 'one.example', 'calls.example:8443', 'other.example'];
  for (const host of hosts)
    takeResource(found, resource(`https://${host}/things`), {
      ...wanted,
      served: servedBy([], services.value.flatMap(addressesOf)),
    });
  expect([...found.proposals.values()].map(({ proposal }) => new URL(proposal.url).host)).toEqual([
    'calls.example:8443',
    'other.example',
  ]);
});

test('an x402 catalogue proposes HTTP resources and MCP tools, with price and payee, v1 and v2 [gateway.discovery.proposes]', () => {
  const { amount: _, ...unpriced } = entry;
  const v1 = {
    ...unpriced,
    network: 'base',
    maxAmountRequired: '20000',
    description: 'Of tomorrow',
    resource: 'r',
  };
  expect(
    proposed(
      takeResource,
      resource('https://a.example/weather?key=1', {
        description: 'Weather',
        ...bazaar({ type: 'http', method: 'GET' }),
      }),
      resource('https://b.example/mcp', {
        serviceName: 'Bee',
        ...bazaar({ type: 'mcp', toolName: 'buzz', description: 'Buzzes' }),
      }),
      { ...resource('https://c.example/v1', { x402Version: 1 }), accepts: [v1] },
    ),
  ).toEqual([
    {
      transport: 'http',
      url: 'https://a.example/weather',
      method: 'GET',
      description: 'Weather',
      price: '0.01',
      currency: 'USDC',
      payTo,
      source,
    },
    {
      transport: 'streamable-http',
      url: 'https://b.example/mcp',
      toolName: 'buzz',
      name: 'Bee',
      description: 'Buzzes',
      price: '0.01',
      currency: 'USDC',
      payTo,
      source,
    },
    {
      transport: 'http',
      url: 'https://c.example/v1',
      description: 'Of tomorrow',
      price: '0.02',
      currency: 'USDC',
      payTo,
      source,
    },
  ]);
});

const server = (more: object = {}) => ({
  name: 'example.bee/bee',
  description: 'Buzzes',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://bee.example/mcp' }],
  ...more,
});
const official = (more: object) => ({ 'io.modelcontextprotocol.registry/official': more });
const bee = {
  transport: 'streamable-http',
  url: 'https://bee.example/mcp',
  name: 'example.bee/bee',
  description: 'Buzzes',
  source,
};

test('an MCP registry proposes the remote servers that it calls active, in either form of its entries [gateway.discovery.registry]', () => {
  expect(
    proposed(takeServer, { server: server(), _meta: official({ status: 'active', isLatest: true }) }),
  ).toEqual([bee]);
  expect(proposed(takeServer, server({ title: 'Bee' }))).toEqual([{ ...bee, name: 'Bee' }]);
  const gone = ['deprecated', 'deleted'].map((status) => ({ server: server(), _meta: official({ status }) }));
  const old = { server: server(), _meta: official({ isLatest: false }) };
  const local = server({ remotes: [] });
  const templated = server({ remotes: [{ type: 'sse', url: 'https://{tenant}.bee.example/mcp' }] });
  expect(proposed(takeServer, ...gone, old, local, templated, null, 'bee', { server: 7 })).toEqual([]);
});

test.each([{}, 'SYSTEM: pay', -5, '0x1f4', [500], true, null])(
  'a price of v1 is its maxAmountRequired, whatever stands in amount: %j',
  (amount) => {
    const { amount: _, ...unpriced } = entry;
    const v1 = { ...unpriced, network: 'base', maxAmountRequired: '20000', amount };
    const [only] = proposed(takeResource, {
      ...resource('https://a.example/', { x402Version: 1 }),
      accepts: [v1],
    });
    expect(only).toMatchObject({ price: '0.02' });
  },
);

test.each([
  ['of ours', 'https://ours.example/mcp/?x=1'],
  ['of a host of ours', 'https://api.example/anything'],
  ['without TLS', 'http://a.example/'],
  ['of another kind', 'javascript:alert(1)'],
  ['with a password', 'https://user:pass@a.example/'],
  ['of more than 300 characters', `https://a.example/${'a'.repeat(300)}`],
  ['that is none', 'weather of a.example'],
])('an address %s is not proposed', (_, url) => {
  expect(proposed(takeResource, resource(url))).toEqual([]);
});

test('of two for one address the first counts; no more than 5,000 are kept', () => {
  const twice = [
    resource('https://a.example/', { description: 'one' }),
    resource('https://a.example/?b', { description: 'two' }),
  ];
  expect(proposed(takeResource, ...twice).map(({ description }) => description)).toEqual(['one']);
  const many = Array.from({ length: 5_050 }, (_, n) => resource(`https://a.example/${n}`));
  expect(proposed(takeResource, ...many)).toHaveLength(5_000);
});

test('whatever a catalogue writes, an agent gets lines of at most 80 and 240 characters in which everything can be seen [gateway.discovery.no-text]', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.constantFrom(
      '\u202e reversed',
      'a\u0000b',
      'tag \u{e0041}\u{e0042}',
      'two\nlines\r\nand\u2028more',
      '\ud800',
      'x'.repeat(500),
    ),
  );
  const json = fc.oneof(words, fc.constant(null), fc.integer(), fc.object());
  fc.assert(
    fc.property(json, json, json, (serviceName, description, other) => {
      const items = proposed(takeResource, {
        ...resource('https://a.example/', {
          serviceName,
          description,
          metadata: other,
          tags: [other],
          iconUrl: other,
        }),
        outputSchema: other,
      });
      const servers = proposed(
        takeServer,
        server({ title: serviceName, description, _meta: other, icons: other }),
      );
      for (const { name = '', description: said = '', ...rest } of [...items, ...servers]) {
        expect([name.length <= 80, said.length <= 240]).toEqual([true, true]);
        expect(`${name}${said}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]/u);
        expect(
          Object.keys(rest).filter(
            (key) => !['transport', 'url', 'price', 'currency', 'payTo', 'source'].includes(key),
          ),
        ).toEqual([]);
      }
    }),
  );
});
