import { expect, test } from 'vitest';
import { idsOf, nameAll } from './service-ids.ts';

const service = (name: string | null, serviceId: string | null = null, url = 'http://host:1/mcp') => ({
  serviceId,
  name,
  url: new URL(url),
});

test('configured ids come first, names follow in order, and the unnamed go by their address', () => {
  const all = [service('Shop'), service('x', 'shop'), service('SHOP!'), service(null), service(null)];
  nameAll(all);
  expect(idsOf(all)).toEqual(['shop-2', 'shop', 'shop-3', 'host-1', 'host-1-2']);
});

test('an id that was given stays, whoever comes later', () => {
  const late = service(null);
  const all = [late, service('shop')];
  nameAll(all);
  expect(idsOf(all)).toEqual(['host-1', 'shop']);
  const named = [{ ...late, name: 'shop' }, all[1] as (typeof all)[0]];
  nameAll(named);
  expect(idsOf(named)).toEqual(['shop-2', 'shop']);
});

test('a name becomes a slug of at most 60 plain characters', () => {
  const all = [
    service('¿?'),
    service('  A -- b/C '),
    service('x'.repeat(100)),
    service(`${'y'.repeat(59)}-z`),
  ];
  nameAll(all);
  expect(idsOf(all)).toEqual(['service', 'a-b-c', 'x'.repeat(60), 'y'.repeat(59)]);
});
