import type { ServiceList } from '@countersign/protocol/gateway/tools';
import { expect, test } from 'vitest';
import { shownList } from './shown-list.ts';

type Service = ServiceList['services'][number];

const service = (serviceId: string, tools: Service['tools']): Service => ({
  serviceId,
  name: serviceId,
  url: `http://${serviceId}.example/mcp`,
  transport: 'streamable-http',
  status: 'connected',
  tools,
});
const tool = (name: string, more: object = {}): Service['tools'][number] => ({
  name,
  description: `Does what ${name} says. ${'And more. '.repeat(20)}`,
  inputSchema: { type: 'object', properties: { place: { type: 'string', description: 'x'.repeat(500) } } },
  ...more,
});
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => tool(`tool-number-${n}`, more));
const namesIn = ({ services }: ServiceList) => services.flatMap(({ tools }) => tools.map(({ name }) => name));

test('a list below 40 kB is shown in full, and says nothing of itself', () => {
  const services = [service('a', many(10)), service('b', [])];
  expect(shownList(services, {})).toEqual({ services });
});

test('a longer one has the first sentence of each tool and its price, and says how to get the rest', () => {
  const list = shownList([service('a', many(60, { paid: true, price: '0.01', currency: 'USDC' }))], {});
  expect(list.services[0]?.tools[7]).toEqual({
    name: 'tool-number-7',
    description: 'Does what tool-number-7 says.',
    paid: true,
    price: '0.01',
    currency: 'USDC',
  });
  expect(list.note).toMatch(/^Short form: 60 tools.*serviceId.*query.*detail "full"/);
});

test('a price is told to be the word of a catalogue in every form [gateway.discovery.prices]', () => {
  const from = (priceFrom: string) =>
    tool(priceFrom, { paid: true, price: '1', currency: 'USDC', priceFrom });
  const told = (detail: 'full' | 'summary' | 'names') =>
    shownList([service('a', [from('discovery'), from('seen')])], { detail }).services[0]?.tools.map(
      ({ priceFrom }) => priceFrom,
    );
  expect(told('full')).toEqual(['discovery', 'seen']);
  expect(told('summary')).toEqual(['discovery', undefined]);
  expect(told('names')).toEqual(['discovery', undefined]);
});

test('however many tools there are, the answer is below 60 kB, and pages name each of them once', () => {
  for (const count of [100, 300, 1000, 5000]) {
    const services = [service('a', many(count, { paid: true })), service('b', []), service('c', many(count))];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const list = shownList(services, cursor === undefined ? {} : { cursor });
      expect(JSON.stringify(list).length).toBeLessThan(60_000);
      seen.push(...namesIn(list));
      cursor = list.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([...namesIn({ services })]);
  }
});

test('bytes are counted, not letters: what is written in Chinese is as long as it is', () => {
  const described = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => tool(`t${n}`, { description: `${'气'.repeat(length)}。` }));
  const short = shownList([service('a', described(20, 600))], {});
  expect(short.note).toMatch(/^Short form: 20 tools/);
  const list = shownList([service('a', described(300, 200))], {});
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(60_000);
  expect(namesIn(list)).toHaveLength(300);
});

test('detail and limit are kept to the letter', () => {
  const services = [service('a', many(3)), service('dead', []), service('b', many(3))];
  expect(shownList(services, { detail: 'names' }).services[0]?.tools).toEqual(
    many(3).map(({ name }) => ({ name })),
  );
  expect(JSON.stringify(shownList([service('a', many(300))], { detail: 'full' })).length).toBeGreaterThan(
    100_000,
  );
  const first = shownList(services, { limit: 2 });
  expect(first).toMatchObject({ nextCursor: '2', services: [{ serviceId: 'a' }, { serviceId: 'dead' }] });
  const second = shownList(services, { limit: 2, cursor: '2' });
  expect(namesIn(second)).toEqual(['tool-number-2', 'tool-number-0']);
  expect(second.services.map(({ serviceId }) => serviceId)).toEqual(['a', 'b']);
  const last = shownList(services, { limit: 2, cursor: '4' });
  expect([namesIn(last).length, last.nextCursor]).toEqual([2, undefined]);
  for (const cursor of ['-1', 'x', '99', '']) expect(shownList(services, { cursor }).services).toBeDefined();
});

test('a first sentence ends at its point, its line or its length', () => {
  const described = (description: string) =>
    shownList([service('a', [tool('t', { description })])], { detail: 'summary' }).services[0]?.tools[0]
      ?.description;
  expect(described('Costs 0.01 USDC e.g. here? Yes.')).toBe('Costs 0.01 USDC e.g.');
  expect(described('One line\nanother')).toBe('One line');
  expect(described('')).toBe('');
  expect(described('x'.repeat(500))).toMatch(/^x{100,152} … \[cut\]$/);
});
