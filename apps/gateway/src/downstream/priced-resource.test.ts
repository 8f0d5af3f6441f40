import { expect, test } from 'vitest';
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
