import { httpDefinition } from '@countersign/protocol/control/connector';
import { expect, test } from 'vitest';
import { schemasHere } from '../../test/schemas-here.ts';
import { createCheckParams, unreadableSchema } from './check-params.ts';

const definitionOf = (schema: unknown, operation: object = {}) =>
  httpDefinition.parse({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    components: { schemas: { Small: { type: 'integer', maximum: 9 }, Tree: tree } },
    paths: {
      '/pay/{shop}': {
        post: {
          operationId: 'pay',
          requestBody: { content: { 'text/plain': {}, 'application/json': { schema } } },
          ...operation,
        },
      },
    },
  });
const tree = {
  type: 'object',
  properties: { more: { $ref: '#/components/schemas/Tree' } },
  unevaluatedProperties: false,
};

const check = async (schema: unknown, params: object) => {
  const connector = { id: 'c-1', tenantId: 't', type: 'http', definition: definitionOf(schema) } as const;
  return (await createCheckParams(schemasHere())(connector, 'pay', { shop: 's', ...params }))?.why ?? null;
};
type HttpConnector = { readonly type: 'http'; readonly definition: ReturnType<typeof definitionOf> };
const unreadable = async (connector: HttpConnector) =>
  (await unreadableSchema(schemasHere(), { tenantId: 't', ...connector }))?.why ?? null;

test('params of the path are no part of the body that the schema is for', async () => {
  const closed = { type: 'object', properties: { n: {} }, additionalProperties: false };
  expect(await check(closed, { n: 1 })).toBe(null);
  expect(await check(closed, { n: 1, 'a/b': 2 })).toBe('params.a/b: is not a parameter of the action');
  const connector = { id: 'x', tenantId: 't', type: 'http', definition: definitionOf(closed) } as const;
  expect(await createCheckParams(schemasHere())(connector, 'pay', {})).toEqual({
    kind: 'misfit',
    why: 'params.shop is missing.',
  });
});

test('references lead anywhere in the document, and round in it', async () => {
  const small = { properties: { n: { $ref: '#/components/schemas/Small' } } };
  expect(await check(small, { n: 9 })).toBe(null);
  expect(await check(small, { n: 10 })).toBe('params.n: must be <= 9');
  const nested = { $ref: '#/components/schemas/Tree' };
  expect(await check(nested, { more: { more: {} } })).toBe(null);
  expect(await check(nested, { more: { more: { less: 1 } } })).toBe(
    'params.more.more.less: is not a parameter of the action',
  );
});

test('a schema of which the answer would come later lets nothing pass that it should not', async () => {
  const schemas = [{ type: 'object', required: ['n'] }, { $ref: '#/components/schemas/Tree' }];
  for (const schema of schemas) expect(await check({ $async: true, ...schema }, { bad: 1 })).not.toBe(null);
});

test('a schema that refers to itself alone holds for nothing', async () => {
  const itself = '#/paths/~1pay~1%7Bshop%7D/post/requestBody/content/application~1json/schema';
  expect(await check({ allOf: [{ $ref: itself }] }, {})).not.toBe(null);
});

test('true allows everything, false nothing; no schema asks for nothing', async () => {
  expect(await check(true, { any: 1 })).toBe(null);
  expect(await check(false, {})).not.toBe(null);
  expect(await check(undefined, { any: 1 })).toBe(null);
});

test('actions of one connector each have their own schema, also where both refer to one with an id', async () => {
  const part = { $id: 'https://api.example/part.json', type: 'object', required: ['n'] };
  const action = (operationId: string, name: string) => ({
    post: {
      operationId,
      requestBody: {
        content: {
          'application/json': {
            schema: { properties: { [name]: { $ref: 'https://api.example/part.json' } } },
          },
        },
      },
    },
  });
  const definition = httpDefinition.parse({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    components: { schemas: { part } },
    paths: { '/a': action('a', 'one'), '/b': action('b', 'two') },
  });
  expect(await unreadable({ type: 'http', definition })).toBe(null);
  const checkParams = createCheckParams(schemasHere());
  const connector = { id: 'c', tenantId: 't', type: 'http', definition } as const;
  expect((await checkParams(connector, 'a', { one: {}, two: {} }))?.why).toBe('params.one.n: is required');
  expect((await checkParams(connector, 'b', { one: {}, two: {} }))?.why).toBe('params.two.n: is required');
});

test('which body cannot be read is told by its action', async () => {
  for (const schema of [
    { $ref: '#/nowhere' },
    { $ref: 'other.json' },
    { type: 'x' },
    { pattern: '(' },
    7,
    null,
  ])
    expect(await unreadable({ type: 'http', definition: definitionOf(schema) })).toContain(
      'of the body of pay cannot be read',
    );
  expect(await unreadable({ type: 'http', definition: definitionOf({ type: 'object' }) })).toBe(null);
});

test('what a reference reaches must be a schema too, wherever it stands [control-plane.connector.schema-reached]', async () => {
  const odd = { properties: { n: 7 } };
  const bag = { $defs: [odd], 'x-parts': { odd }, properties: { list: { enum: [odd] } } };
  const places = ['', '/$defs/0', '/x-parts/odd', '/properties/list/enum/0'].map((place) => `Bag${place}`);
  for (const place of [...places, 'Odd', 'Chain']) {
    const components = {
      schemas: { Bag: place === 'Bag' ? odd : bag, Odd: odd, Chain: { $ref: '#/components/schemas/Odd' } },
    };
    const schema = { properties: { a: { $ref: `#/components/schemas/${place}` } } };
    const definition = withBodies({ other: {}, pay: schema }, components);
    expect([place, await unreadable({ type: 'http', definition })]).toEqual([
      place,
      expect.stringContaining('of the body of pay cannot be read'),
    ]);
    const connector = { id: 'c', tenantId: 't', type: 'http', definition } as const;
    expect(await createCheckParams(schemasHere())(connector, 'pay', { a: {} })).not.toBe(null);
  }
  const listed = { $defs: [{ type: 'integer' }], properties: { a: { $ref: '#/$defs/0' } } };
  const components = { schemas: { Bag: { $defs: [{ properties: { n: { type: 'integer' } } }] } } };
  const sound = { properties: { a: { $ref: '#/components/schemas/Bag/$defs/0' } } };
  const definition = withBodies({ pay: sound }, components);
  expect(await unreadable({ type: 'http', definition })).toBe(null);
  const connector = { id: 'c', tenantId: 't', type: 'http', definition } as const;
  const checkParams = createCheckParams(schemasHere());
  expect((await checkParams(connector, 'pay', { a: { n: 'x' } }))?.why).toBe('params.a.n: must be integer');
  expect(await unreadable({ type: 'http', definition: withBodies({ pay: listed }) })).toContain(
    'cannot be read',
  );
});

test('connectors do not answer for each other, however many there are', async () => {
  const checkParams = createCheckParams(schemasHere(2));
  for (const n of [1, 2, 3, 4, 1, 4]) {
    const definition = definitionOf({ properties: { n: { const: n } } });
    const connector = { id: `c-${n}`, tenantId: 't', type: 'http', definition } as const;
    expect(await checkParams(connector, 'pay', { shop: 's', n })).toBe(null);
    expect(await checkParams(connector, 'pay', { shop: 's', n: n + 1 })).not.toBe(null);
  }
});

/** Operations with these bodies, by their ids. */
const withBodies = (bodies: Record<string, unknown>, components: object = {}) =>
  httpDefinition.parse({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    components,
    paths: Object.fromEntries(
      Object.entries(bodies).map(([operationId, schema]) => [
        `/${operationId}`,
        { post: { operationId, requestBody: { content: { 'application/json': { schema } } } } },
      ]),
    ),
  });

test('one schema that breaks the reading of all is told by its own action [control-plane.connector.schema-named]', async () => {
  const broken = [
    { type: 'x' },
    { required: 'n' },
    7,
    { $anchor: '1' },
    twice,
    { properties: { n: { $ref: '#/no' } } },
  ];
  for (const third of broken) {
    const definition = withBodies({ first: { type: 'object' }, second: true, third, fourth: {} });
    expect(await unreadable({ type: 'http', definition })).toContain('of the body of third cannot be read');
  }
});
const twice = {
  properties: { a: { $id: 'https://a.example/s' }, b: { $id: 'https://a.example/s', type: 'object' } },
};

test('where two schemas together cannot be read, neither is blamed [control-plane.connector.schema-named]', async () => {
  const one = (more: object) => ({ $id: 'https://a.example/one', ...more });
  const definition = withBodies({ first: one({ type: 'object' }), second: one({ required: ['n'] }) });
  expect(await unreadable({ type: 'http', definition })).toBe(
    'definition: its JSON schemas cannot be read together: two of them have one $id or $anchor',
  );
});

test('a body may have an id of its own [control-plane.connector.schema-named]', async () => {
  const schema = { $id: 'https://a.example/pay', type: 'object', required: ['n'] };
  expect(await check(schema, {})).toBe('params.n: is required');
  expect(await check(schema, { n: 1 })).toBe(null);
});

test('references of a body with an id lead into that body, those of a body elsewhere in the document into the document [control-plane.connector.schema-named]', async () => {
  const local = { $defs: { n: { type: 'integer' } }, properties: { n: { $ref: '#/$defs/n' } } };
  for (const $id of ['https://a.example/pay', 'pay.json', '/pay', 'urn:example:pay']) {
    const schema = { $id, ...local };
    expect(await unreadable({ type: 'http', definition: definitionOf(schema) })).toBe(null);
    expect(await check(schema, { n: 'x' })).toBe('params.n: must be integer');
    expect(await check(schema, { n: 1 })).toBe(null);
  }
  const elsewhere = (schema: object, params: object) => {
    const Pay = { content: { 'application/json': { schema } } };
    const about = { ...definitionOf(true, { requestBody: { $ref: '#/x-bodies/Pay' } }), 'x-bodies': { Pay } };
    const connector = {
      id: 'c',
      tenantId: 't',
      type: 'http',
      definition: httpDefinition.parse(about),
    } as const;
    return createCheckParams(schemasHere())(connector, 'pay', { shop: 's', ...params });
  };
  const schema = { properties: { n: { $ref: '#/components/schemas/Small' } } };
  expect((await elsewhere(schema, { n: 10 }))?.why).toBe('params.n: must be <= 9');
  expect(await elsewhere(schema, { n: 9 })).toBe(null);
  const named = { $id: 'https://a.example/pay', ...local };
  expect((await elsewhere(named, { n: 'x' }))?.why).toBe('params.n: must be integer');
  expect(await elsewhere(named, { n: 1 })).toBe(null);
});

test('a thread that loses what it has read each time is asked three times, no more', async () => {
  const asked: string[] = [];
  const checkParams = createCheckParams(async (_tenantId, work) => ({
    value: await work(async (task) => {
      asked.push(task);
      if (asked.length > 50) throw new Error('asked without end');
      return { done: (task === 'check' ? 'unread' : undefined) as never };
    }),
  }));
  const connector = { id: 'c', tenantId: 't', type: 'http', definition: definitionOf({}) } as const;
  await expect(checkParams(connector, 'pay', { shop: 's' })).rejects.toThrow('loses what it has read');
  expect(asked).toEqual(['check', 'read', 'check', 'read', 'check', 'read']);
});

test('what fitted once is not asked about again: a connector never changes [control-plane.execution.schema-worker]', async () => {
  let asked = 0;
  const schemas = schemasHere();
  const counted: typeof schemas = (tenantId, work) => (asked++, schemas(tenantId, work));
  const checkParams = createCheckParams(counted);
  const connector = (id: string, schema: object) =>
    ({ id, tenantId: 't', type: 'http', definition: definitionOf(schema) }) as const;
  const first = connector('c', { properties: { n: { type: 'integer' } } });
  for (const params of [
    { shop: 's', n: 1, m: 2 },
    { m: 2, n: 1, shop: 's' },
  ])
    expect(await checkParams(first, 'pay', params)).toBe(null);
  expect(asked).toBe(1);
  const bad = { shop: 's', n: 'x' };
  for (const _ of [1, 2]) expect(await checkParams(first, 'pay', bad)).toMatchObject({ kind: 'misfit' });
  expect(
    await checkParams(connector('d', { required: ['x'] }), 'pay', { shop: 's', n: 1, m: 2 }),
  ).toMatchObject({
    kind: 'misfit',
  });
  expect(asked).toBe(4);
});
