import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint } from './definition.ts';
import { openPins, type OfferedTool, type Pins } from './pins.ts';

const shop = 'id:shop';
let dir: string;
let pins: Pins;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'countersign-pins-'));
  pins = openPins(dir);
  await pins.nameService(shop, 'shop');
});
afterEach(async () => {
  await pins.close();
  rmSync(dir, { recursive: true });
});

const tool = (name: string, more: object = {}): OfferedTool => ({
  name,
  fingerprint: fingerprint({ name, description: `About ${name}`, inputSchema: { type: 'object' }, ...more }),
  shown: name,
});
const judge = async (...tools: OfferedTool[]) => {
  const { changed, news, added } = await pins.judge(shop, tools);
  return {
    changed: [...changed.values()].map(({ name, changed }) => `${name}: ${changed.join()}`),
    news: news.length,
    added,
  };
};
const fine = { changed: [], news: 0, added: [] };

test('what is seen first is accepted, also under a key order of its own; a new tool is accepted and told', async () => {
  expect(await judge(tool('a'))).toEqual(fine);
  const reordered = { inputSchema: { type: 'object' }, description: 'About a', name: 'a' };
  expect(await judge({ ...tool('a'), fingerprint: fingerprint(reordered) })).toEqual(fine);
  expect(await judge(tool('a'), tool('b'))).toEqual({ ...fine, added: ['b'] });
  expect(await judge(tool('a'), tool('b'))).toEqual(fine);
});

test.each([
  ['description', { description: 'About a.' }],
  ['title', { title: 'A' }],
  ['inputSchema', { inputSchema: { type: 'object', required: ['key'] } }],
  ['outputSchema', { outputSchema: { type: 'object' } }],
  ['annotations', { annotations: { readOnlyHint: true } }],
])('another %s is a change, told once', async (field, more) => {
  await judge(tool('a'));
  expect(await judge(tool('a', more))).toEqual({ ...fine, changed: [`a: ${field}`], news: 1 });
  expect(await judge(tool('a', more))).toEqual({ ...fine, changed: [`a: ${field}`] });
  expect(await judge(tool('a'))).toEqual(fine);
});

test('a rename hides nothing: a tool that comes back is held against what it was, a renamed one against its old name', async () => {
  await judge(tool('a'), tool('b'));
  expect(await judge(tool('b'))).toEqual(fine);
  expect((await judge(tool('a', { description: 'Other' }), tool('b'))).changed).toEqual(['a: description']);
  const renamed = { ...tool('c'), fingerprint: fingerprint({ ...about('a'), name: 'c' }) };
  expect(await judge(renamed, tool('b'))).toEqual({ ...fine, changed: ['c: name'], news: 1 });
  expect((await judge(renamed, tool('a'), tool('b'))).added).toEqual(['c']);
});
const about = (name: string) => ({ description: `About ${name}`, inputSchema: { type: 'object' } });

test('accepting takes what waits, and only that; another process sees it at once', async () => {
  const elsewhere = openPins(dir);
  await judge(tool('a'), tool('b'));
  const changed = tool('a', { title: 'A' });
  await judge(changed, tool('b', { title: 'B' }));
  expect(await elsewhere.accept('nobody', null)).toBeNull();
  expect(await elsewhere.accept('shop', 'c')).toEqual([]);
  expect(pins.isAccepted(shop, changed)).toBe(false);
  expect((await elsewhere.accept('shop', 'a'))?.map(({ name }) => name)).toEqual(['a']);
  expect(pins.isAccepted(shop, changed)).toBe(true);
  expect(pins.isAccepted(shop, tool('a'))).toBe(false);
  expect((await judge(changed, tool('b', { title: 'B' }))).changed).toEqual(['b: title']);
  expect(await elsewhere.accept('shop', null)).toHaveLength(1);
  expect((await judge(tool('a'), tool('b', { title: 'B' }))).changed).toEqual(['a: title']);
  await elsewhere.close();
});

test('services do not meet, whatever their tools are called', async () => {
  await judge(tool('a'), tool('\u{1f4b0}'));
  const { changed } = await pins.judge('id:shop2', [tool('a', { title: 'A' })]);
  expect(changed.size).toBe(0);
  expect((await judge(tool('\u{1f4b0}', { title: 'Money' }))).changed).toEqual(['\u{1f4b0}: title']);
});

test('a service that invents names without end is stopped at 4096', async () => {
  const many = (from: number, n: number) => Array.from({ length: n }, (_, k) => tool(`t${from + k}`));
  for (let page = 0; page < 8; page++) await judge(...many(page * 512, 512));
  expect((await judge(...many(4096, 2))).changed).toEqual(['t4096: name', 't4097: name']);
}, 120_000);
