import { httpDefinition } from '../connector.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fill } from './fill.ts';

const definition = httpDefinition.parse({
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example/v1/' }],
  components: {
    parameters: { After: { name: 'after', in: 'query' } },
    requestBodies: { Note: { content: { 'application/json': {} } } },
  },
  paths: {
    '/shops/{shop}/orders/{order}.json': {
      parameters: [{ name: 'shop', in: 'path', required: true }],
      get: {
        operationId: 'read',
        parameters: [
          { name: 'order', in: 'path', required: true },
          { $ref: '#/components/parameters/After' },
          { name: 'tag', in: 'query' },
          { name: 'X-Trace', in: 'header' },
          { name: 'seen', in: 'cookie' },
        ],
      },
    },
    '/plain/{id}': { post: { operationId: 'plain' }, get: { operationId: 'look' } },
    '/pair/{a}{b}': {
      get: {
        operationId: 'pair',
        parameters: ['a', 'b'].map((name) => ({ name, in: 'path', required: true })),
      },
    },
    '/notes': {
      post: { operationId: 'note', requestBody: { $ref: '#/components/requestBodies/Note' } },
      put: { operationId: 'form', requestBody: { content: { 'multipart/form-data': {} } } },
    },
  },
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '../..',
    '..%2f',
    'a/../b',
    'a\\..\\b',
    '?x=1',
    '#',
    '//evil',
    '@',
    '\r\nHost: x',
  ),
);

test('no value leaves its segment, its parameter or its line [control-plane.connector.http.params]', () => {
  fc.assert(
    fc.property(text, text, text, text, text, (shop, order, after, trace, seen) => {
      const filled = fill(definition, 'read', { shop, order, after, 'X-Trace': trace, seen });
      if (!filled.ok) return;
      const url = new URL(filled.value.url);
      expect(url.origin).toBe('https://api.example');
      const segments = url.pathname.split('/');
      expect(segments).toHaveLength(6);
      expect(segments.map(decodeURIComponent)).toEqual(['', 'v1', 'shops', shop, 'orders', `${order}.json`]);
      expect([...url.searchParams]).toEqual([['after', after]]);
      expect(url.hash).toBe('');
      for (const value of Object.values(filled.value.headers)) expect(value).not.toMatch(/[\r\n\0]/);
      expect(filled.value.headers['cookie']).toBe(`seen=${encodeURIComponent(seen)}`);
    }),
  );
});

test('what would lead elsewhere is refused by its name, and never told', () => {
  for (const shop of ['', '.', '..', '../x', 'x/..', 'x\\..\\y', '\ud800'])
    expect(fill(definition, 'read', { shop, order: '1' })).toEqual({
      ok: false,
      error: expect.stringMatching(/^params\.shop must be/) as string,
    });
  expect(fill(definition, 'pair', { a: '.', b: '.' }).ok).toBe(false);
});

test('any params are filled in or left over: none is dropped [control-plane.connector.http.params]', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (params) => {
      const noted = fill(definition, 'note', params);
      expect(noted.ok && JSON.parse(noted.value.body ?? '')).toEqual(JSON.parse(JSON.stringify(params)));
      const read = fill(definition, 'read', { shop: 'a', order: 1, ...params });
      const known = ['shop', 'order', 'after', 'tag', 'X-Trace', 'seen'];
      const isLeft = Object.keys(params).some((name) => !known.includes(name));
      expect(isLeft && read.ok).toBe(false);
    }),
  );
});

test('lists are repeated in a query, and what is no JSON is told', () => {
  expect(fill(definition, 'read', { shop: 'a', order: 1, tag: ['x', 'y'] })).toMatchObject({
    value: { method: 'GET', url: 'https://api.example/v1/shops/a/orders/1.json?tag=x&tag=y', body: null },
  });
  expect(fill(definition, 'read', { shop: 'a', order: 1, tag: { deep: 1 } }).ok).toBe(false);
  expect(fill(definition, 'form', {})).toMatchObject({ ok: false });
});

test('a document that says little will do: the rest is the body, and a placeholder is filled by its name [control-plane.connector.http.plain]', () => {
  const url = 'https://api.example/v1/plain/a%2Fb';
  expect(fill(definition, 'plain', { id: 'a/b', amount: 5, note: { to: ['x'] } })).toMatchObject({
    value: { method: 'POST', url, body: '{"amount":5,"note":{"to":["x"]}}' },
  });
  expect(fill(definition, 'plain', { id: 'a/b' })).toMatchObject({ value: { url, body: null } });
  expect(fill(definition, 'plain', { amount: 5 })).toMatchObject({ error: 'params.id is missing.' });
  expect(fill(definition, 'look', { id: '1', amount: 5 })).toMatchObject({
    error: 'params.amount is not a parameter of the action.',
  });
});
