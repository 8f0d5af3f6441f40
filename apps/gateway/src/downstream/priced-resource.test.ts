import { expect, test } from 'vitest';
import { isOfferedForAnotherTool } from './offered-elsewhere.ts';
import { isForAnotherTool } from './priced-resource.ts';

const tools = new Map([
  ['cheap', null],
  ['dear tool', null],
]);
const isForeign = (url: string) => [
  isForAnotherTool({ resource: { url } }, 'cheap', tools),
  isForAnotherTool({ accepts: [{ resource: url }] }, 'cheap', tools),
];

test('a price that names another tool of the service is another tool’s', () => {
  expect(isForeign('mcp://tool/dear%20tool')).toEqual([true, true]);
  expect(isForeign('MCP://tool/dear%20tool?x=1')).toEqual([true, true]);
});

test('its own name, a name of no tool, and any other address are labels', () => {
  for (const url of [
    'mcp://tool/cheap',
    'mcp://tool/shop.cheap',
    'mcp://tool/%E0',
    'https://shop.example/dear',
  ])
    expect(isForeign(url)).toEqual([false, false]);
  for (const odd of [null, 'text', { resource: 7 }, { accepts: 'all' }, { accepts: [null] }])
    expect(isForAnotherTool(odd, 'cheap', tools)).toBe(false);
});

test('a price with an offer names the very tool that was called: there is no label [gateway.offer.elsewhere]', () => {
  const extensions = { 'offer-receipt': { info: { offers: [{}] } } };
  const isElsewhere = (more: object) => isOfferedForAnotherTool({ extensions, ...more }, 'cheap');
  expect(isElsewhere({ resource: { url: 'mcp://tool/cheap' } })).toBe(false);
  expect(isElsewhere({ accepts: [{ resource: 'mcp://tool/cheap' }] })).toBe(false);
  for (const url of ['mcp://tool/shop.cheap', 'mcp://tool/dear', 'https://shop.example/cheap', 'cheap', 7])
    for (const named of [{ resource: { url } }, { resource: url }, { accepts: [{ resource: url }] }])
      expect(isElsewhere(named)).toBe(true);
  // Nothing that it could be bound to: the rules refuse the offer.
  expect(isElsewhere({ resource: null })).toBe(false);
  // No offer is looked at: there is none, or a cart comes first.
  const elsewhere = { resource: { url: 'mcp://tool/dear' } };
  expect(isElsewhere({ ...elsewhere, extensions: { 'offer-receipt': { info: { offers: [] } } } })).toBe(
    false,
  );
  expect(isElsewhere({ ...elsewhere, accepts: [{ extra: { cartMandate: {} } }] })).toBe(false);
});
