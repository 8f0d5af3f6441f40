import { assert, constantFrom, dictionary, jsonValue, letrec, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readDocument, type ReadDocument } from './openapi.ts';

const from = new URL('https://api.example.com/docs/openapi.json');
const read = (document: object, server: URL | null = null) =>
  readDocument({ openapi: '3.1.0', info: { title: 'Shop' }, paths: {}, ...document }, from, server);

function offersOf(document: object): ReadDocument['offers'] {
  const result = read(document);
  if ('why' in result) throw new Error(result.why);
  return result.offers;
}
const toolsOf = (document: object) => offersOf(document).map(({ definition }) => definition);

const petStore = {
  openapi: '3.0.3',
  info: { title: 'Pets', description: 'All about pets.' },
  servers: [
    { url: 'https://eu.example.com' },
    { url: '/{version}/', variables: { version: { default: 'v2' } } },
  ],
  paths: {
    '/pets/{petId}': {
      parameters: [{ $ref: '#/components/parameters/Pet' }],
      get: {
        operationId: 'get pet/by:id',
        summary: 'One pet',
        description: 'Gives one pet.',
        parameters: [
          { name: 'fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Trace-Level', in: 'header', schema: { type: 'integer' } },
          { name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } },
          { name: 'payment-signature', in: 'header', schema: { type: 'string' } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
          { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
        ],
      },
      put: {
        parameters: [{ name: 'body', in: 'query', required: true, schema: { type: 'boolean' } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
        },
      },
    },
  },
  components: {
    parameters: {
      Pet: { name: 'petId', in: 'path', required: true, description: 'Which', schema: { type: 'string' } },
    },
    schemas: {
      NewPet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', nullable: true, example: 'Rex' },
          weight: { type: 'number', minimum: 0, exclusiveMinimum: true },
          parent: { $ref: '#/components/schemas/NewPet' },
        },
      },
    },
  },
};

test('operations of OpenAPI 3.0 become tools: names, words, parameters, body [gateway.http-services.openapi]', () => {
  const result = read(petStore);
  expect(result).toMatchObject({ name: 'Pets', instructions: 'All about pets.', leftOut: 0 });
  expect(toolsOf(petStore)).toEqual([
    {
      name: 'get_pet_by_id',
      title:
        'GET https://api.example.com/v2/pets/{petId} [["X-Trace-Level","header","joined","X-Trace-Level"],["fields","query","exploded","fields"],' +
        '["filter","query","deep","filter"],["petId","path","joined","petId"],["where","query","json","where"]]',
      description: 'One pet\n\nGives one pet.',
      inputSchema: {
        type: 'object',
        properties: {
          petId: { type: 'string', description: 'Which' },
          fields: { type: 'array', items: { type: 'string' } },
          'X-Trace-Level': { type: 'integer' },
          filter: { type: 'object' },
          where: { type: 'object' },
        },
        required: ['petId'],
        additionalProperties: false,
      },
    },
    {
      name: 'put_pets_petId',
      title:
        'PUT https://api.example.com/v2/pets/{petId} [["body","body"],["body_query","query","exploded","body"],["petId","path","joined","petId"]]',
      description: '',
      inputSchema: {
        type: 'object',
        properties: {
          petId: { type: 'string', description: 'Which' },
          body_query: { type: 'boolean' },
          body: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: ['string', 'null'] },
              weight: { type: 'number', exclusiveMinimum: 0 },
              parent: {},
            },
          },
        },
        required: ['petId', 'body_query', 'body'],
        additionalProperties: false,
      },
    },
  ]);
  expect(offersOf(petStore)[0]?.operation.parameters.map(({ name, form }) => [name, form])).toEqual([
    ['petId', 'joined'],
    ['fields', 'exploded'],
    ['X-Trace-Level', 'joined'],
    ['filter', 'deep'],
    ['where', 'json'],
  ]);
});

const get = (operation: object = {}) => ({ get: { operationId: 'a', ...operation } });

test('names are unique; what cannot be called is left out and counted [gateway.http-services.openapi]', () => {
  const result = read({
    paths: {
      '/a': get(),
      '/b': get(),
      '/cookie': get({ parameters: [{ name: 's', in: 'cookie', required: true }] }),
      '/form': { post: { requestBody: { required: true, content: { 'multipart/form-data': {} } } } },
      '/server': get({ servers: [{ url: 'https://evil.example' }] }),
      '/{unknown}': get(),
      'x-internal': get(),
      '/big': get({ parameters: [{ name: 'q', in: 'query', schema: { enum: ['x'.repeat(300_000)] } }] }),
    },
  });
  expect(result).toMatchObject({
    leftOut: 5,
    offers: [{ definition: { name: 'a' } }, { definition: { name: 'a_2' } }],
  });
});

test('names of arguments are unique, and no header that steers a server is one [gateway.http-services.openapi]', () => {
  const parameters = ['body', 'body_query', 'body_header'].map((name) => ({ name, in: 'query' }));
  const steering =
    'X-HTTP-Method-Override X-HTTP-Method X-Method-Override X-Original-URL X-Rewrite-URL X-Real-IP Forwarded X-Forwarded-For';
  const headers = [...steering.split(' '), 'body', 'X-Method'].map((name) => ({ name, in: 'header' }));
  const post = {
    operationId: 'a',
    parameters: [...parameters, ...headers],
    requestBody: { content: { 'application/json': {} } },
  };
  const [offer] = offersOf({ paths: { '/a': { post } } });
  const names = ['body_query', 'body_query_query', 'body_header', 'body_header_2', 'X-Method'];
  expect(offer?.operation.parameters.map(({ argument }) => argument)).toEqual(names);
  expect(Object.keys(Object(offer?.definition['inputSchema'])['properties'] as object)).toEqual([
    ...names,
    'body',
  ]);
});

test.each<[string, object, object]>([
  [
    'on another host',
    { servers: [{ url: 'https://calls.example.com/v1' }] },
    { why: 'elsewhere', origin: 'https://calls.example.com' },
  ],
  [
    'on another port',
    { servers: [{ url: 'https://api.example.com:8443/' }] },
    { why: 'elsewhere', origin: 'https://api.example.com:8443' },
  ],
  [
    'at metadata of a cloud',
    { servers: [{ url: 'http://169.254.169.254/' }] },
    { why: 'elsewhere', origin: 'http://169.254.169.254' },
  ],
  ['at no URL', { servers: [{ url: 'http://[' }] }, { why: 'no-document' }],
])(
  'a document whose operations are %s is refused, unless the owner named that server [gateway.http-services.server-host]',
  (_, more, refusal) => {
    const document = { paths: { '/a': get() }, ...more };
    expect(read(document)).toEqual(refusal);
    expect(read(document, new URL('https://calls.example.com/v1'))).toMatchObject({
      offers: [{ definition: { title: 'GET https://calls.example.com/v1/a' } }],
    });
  },
);

test('an operation is below the first server of its own, of its path, of the document that is on the host [gateway.http-services.server-host]', () => {
  const on = (...urls: readonly unknown[]) => ({ servers: urls.map((url) => ({ url })) });
  const version = { url: '/{version}', variables: { version: { default: 'v7' } } };
  const document = {
    ...on('/v1'),
    paths: {
      '/none': get(),
      '/empty': { ...on(), ...get(on()) },
      '/its-path': { ...on('/v2/'), ...get() },
      '/its-own': { ...on('/v2'), ...get(on('v3')) },
      '/whole': get(on('https://eu.example.com/v4', 'https://api.example.com/v4')),
      '/variable': get({ servers: [version] }),
      '/evil': get(on('https://evil.example/v5')),
      '/evil-too': { ...on('//evil.example'), ...get() },
      '/port': get(on('https://api.example.com:8443')),
      '/name': get(on('https://api.example.com@evil.example/')),
      '/garbage': get({ servers: [7, { url: 'http://[' }] }),
    },
  };
  expect(toolsOf(document).map(({ title }) => title)).toEqual([
    'GET https://api.example.com/v1/none',
    'GET https://api.example.com/v1/empty',
    'GET https://api.example.com/v2/its-path',
    'GET https://api.example.com/docs/v3/its-own',
    'GET https://api.example.com/v4/whole',
    'GET https://api.example.com/v7/variable',
  ]);
  const elsewhere = ['https://evil.example', 'https://api.example.com:8443'];
  expect(read(document)).toMatchObject({ leftOut: 5, elsewhere });
  // The server that the owner names takes the place of the document's.
  const calls = new URL('https://calls.example.com/api/');
  const named = read(
    {
      paths: { '/a': get(), '/b': get(on('/api/v2')), '/c': get(on('https://api.example.com/v2')) },
    },
    calls,
  );
  expect(named).toMatchObject({
    offers: [
      { definition: { title: 'GET https://calls.example.com/api/a' } },
      { definition: { title: 'GET https://calls.example.com/api/v2/b' } },
    ],
    elsewhere: ['https://api.example.com'],
  });
});

test('of a document on another host its operations on this one are taken, and the others named [gateway.http-services.server-host]', () => {
  const document = {
    servers: [{ url: 'https://evil.example' }],
    paths: { '/a': get(), '/b': get({ servers: [{ url: '/v2' }] }) },
  };
  expect(read(document)).toMatchObject({
    leftOut: 1,
    elsewhere: ['https://evil.example'],
    offers: [{ definition: { title: 'GET https://api.example.com/v2/b' } }],
  });
  const many = manyPaths({}, 20);
  for (const path of Object.keys(many))
    many[path] = get({ servers: [{ url: `https://${path.slice(1)}.example` }] });
  expect(read({ paths: { ...many, '/here': get() } })).toMatchObject({
    leftOut: 20,
    elsewhere: { length: 8 },
  });
});

test('a server that speaks of plain HTTP stays with the document, and a path leaves it by no means [gateway.http-services.server-host]', () => {
  const titles = toolsOf({
    servers: [{ url: 'http://api.example.com/v1' }],
    paths: {
      '//evil.example/a': get(),
      '/../../b': get(),
      '/../v1b': get(),
      '/c?d#e': get(),
      '/@evil.example': get(),
    },
  }).map(({ title }) => title);
  expect(titles).toEqual([
    'GET https://api.example.com/v1//evil.example/a',
    'GET https://api.example.com/v1/c%3Fd%23e',
    'GET https://api.example.com/v1/@evil.example',
  ]);
});

test.each([[null], ['text'], [{}], [{ swagger: '2.0' }], [{ openapi: '2.0' }]])(
  '%j is no document',
  (document) => {
    expect(readDocument(document, from, null)).toEqual({ why: 'no-document' });
  },
);

const schemaOf = (schemas: object): unknown => {
  const [tool] = toolsOf({
    paths: {
      '/a': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
        },
      },
    },
    components: { schemas },
  });
  return (tool?.['inputSchema'] as { properties?: { body?: unknown } } | undefined)?.properties?.body;
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('schemas name each other by local pointers alone; a circle takes anything where it closes [gateway.http-services.references]', () => {
  expect(
    schemaOf({ A: { allOf: [ref('B'), { type: 'object' }] }, B: { properties: { a: ref('A') } } }),
  ).toEqual({
    allOf: [{ properties: { a: {} } }, { type: 'object' }],
  });
  expect(schemaOf({ A: ref('A') })).toEqual({});
  expect(
    schemaOf({ A: { ...ref('B'), description: 'mine' }, B: { type: 'string', description: 'its own' } }),
  ).toEqual({
    type: 'string',
    description: 'mine',
  });
  for (const elsewhere of [
    'https://evil.example/schema.json',
    'file:///etc/passwd',
    './other.json#/A',
    '#/constructor',
    '#/__proto__/x',
  ])
    expect(schemaOf({ A: { properties: { a: { $ref: elsewhere } } } })).toEqual({ properties: { a: {} } });
  expect(
    schemaOf({ A: { items: { $ref: '#/components/schemas/a~1b%20c' } }, 'a/b c': { type: 'null' } }),
  ).toEqual({
    items: { type: 'null' },
  });
});

test('schemas that grow with each reference, or go deep without end, cost little [gateway.http-services.references]', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      n === 0 ? 'A' : `A${n}`,
      { allOf: Array.from({ length: 4 }, () => ref(`A${n + 1}`)) },
    ]),
  );
  expect(schemaOf(doubling)).toBeUndefined();
  const deep = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [n === 0 ? 'A' : `A${n}`, { items: ref(`A${n + 1}`) }]),
  );
  expect(JSON.stringify(schemaOf(deep)).length).toBeLessThan(500);
  const large = { type: 'string', enum: ['x'.repeat(100_000)] };
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, n) => [
      `/p${n}`,
      { post: { requestBody: { content: { 'application/json': { schema: ref('A') } } } } },
    ]),
  );
  const offers = offersOf({ paths: many, components: { schemas: { A: large } } });
  expect(offers.length).toBeGreaterThan(35);
  expect(offers.length).toBeLessThan(43);
});

/** Milliseconds of CPU: another process on this machine costs none. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const size = 3_000_000;
const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, 1]));
const manyPaths = (item: object, length = 50_000) =>
  Object.fromEntries(Array.from({ length }, (_, n) => [`/p${n}`, item]));
const item = { $ref: '#/x/item' };
const longRef = `#/${'a/'.repeat(100_000)}`;
const withServer = (url: string, variables: object = {}) => ({
  servers: [{ url, variables }],
  paths: { '/a': get() },
});

test.each<[string, object]>([
  ['underscores in a name', { paths: { '/a': get({ operationId: `a${'_'.repeat(size)}b` }) } }],
  ['slashes in a server', withServer(`/${'a/'.repeat(size / 2)}${'/'.repeat(size)}b`)],
  [
    'variables of a server',
    withServer('{a}'.repeat(600), { a: { default: 'x'.repeat(size) }, b: { default: 1 } }),
  ],
  ['a path', { paths: { [`/${'x/'.repeat(size / 2)}`]: get() } }],
  ['words of a shared path', { paths: manyPaths(item), x: { item: get({ description: 'x'.repeat(size) }) } }],
  [
    'words of a shared parameter',
    {
      paths: manyPaths(item),
      x: {
        item: get({ parameters: [{ $ref: '#/x/p' }] }),
        p: { name: 'p', in: 'query', description: 'x'.repeat(size) },
      },
    },
  ],
  [
    'a name of a shared parameter',
    { paths: manyPaths(item), x: { item: get({ parameters: [{ name: 'x'.repeat(size), in: 'query' }] }) } },
  ],
  [
    'parameters of a shared path',
    {
      paths: manyPaths(item),
      x: {
        item: { ...get(), parameters: Array.from({ length: 200_000 }, () => ({ name: 'a', in: 'query' })) },
      },
    },
  ],
  ['references of many paths', { paths: manyPaths({ $ref: longRef }) }],
  [
    'references in a schema',
    {
      paths: manyPaths(item),
      x: {
        item: get({
          parameters: Array.from({ length: 200 }, () => ({
            name: 'a',
            in: 'query',
            schema: { $ref: longRef },
          })),
        }),
      },
    },
  ],
  [
    'operations that are left out',
    {
      paths: manyPaths({ ...get({ servers: [{ url: 'https://evil.example' }] }), ...item }, 100_000),
      x: { item: get({ servers: [{ url: 'https://evil.example' }] }) },
    },
  ],
  [
    'keys of a shared schema',
    { paths: manyPaths(item), x: { item: get({ parameters: [{ name: 'a', in: 'query', schema: wide }] }) } },
  ],
  [
    'types of a shared body',
    { paths: manyPaths(item), x: { item: get({ requestBody: { content: wide } }) } },
  ],
])('a document that is large in %s is read soon [gateway.http-services.references]', (_, document) => {
  let made = 0;
  expect(
    cpuOf(() => {
      const result = read(document);
      made = JSON.stringify(result).length;
    }),
  ).toBeLessThan(1500);
  expect(made).toBeLessThan(6_000_000);
});

test('of a document 1,024 operations are looked at [gateway.http-services.references]', () => {
  const paths = {
    ...manyPaths(get({ servers: [{ url: 'https://evil.example' }] }), 1023),
    '/b': get(),
    '/c': get(),
  };
  expect(toolsOf({ paths })).toHaveLength(1);
});

test('a server or a path of more than 2,048 characters names nothing [gateway.http-services.references]', () => {
  const long = 'x'.repeat(2048);
  expect(read(withServer(`/${long}`))).toEqual({ why: 'no-document' });
  expect(read({ paths: { [`/${long}`]: get(), '/a': get() } })).toMatchObject({ leftOut: 1, offers: [{}] });
});

/** JSON in the words of OpenAPI, at places where they may not stand. */
const garbage = letrec<{ any: unknown }>((tie) => ({
  any: oneof(
    { maxDepth: 5 },
    jsonValue(),
    constantFrom('#/paths', '#/paths/~1a/get', 'query', 'path', 'https://[', 'object', true),
    dictionary(
      constantFrom(
        'get',
        'post',
        '/a',
        '/{b}',
        '$ref',
        'parameters',
        'schema',
        'properties',
        'items',
        'content',
        'application/json',
        'requestBody',
        'required',
        'name',
        'in',
        'servers',
        'url',
        'allOf',
        '__proto__',
      ),
      tie('any'),
    ),
  ),
})).any;

test('no document makes it throw [gateway.http-services.openapi]', () => {
  assert(
    property(garbage, garbage, garbage, (paths, servers, item) => {
      read({ paths, servers });
      read({
        paths: {
          '/a': item,
          '/{b}': { get: item, parameters: item, post: { requestBody: item, parameters: [item] } },
        },
      });
    }),
    { numRuns: 500 },
  );
});

test('an own server of an operation stays below the one the owner named; other schemes, names of users and gaps are no server [gateway.http-services.server-host]', () => {
  const at = (url: string) => ({ paths: { '/a': { servers: [{ url }], get: {} } } });
  const server = new URL('https://calls.example.com/api');
  const pathsAt = (url: string, owned: URL | null) => {
    const result = read(at(url), owned);
    return 'why' in result ? result : result.offers.map(({ operation }) => operation.path);
  };
  expect(pathsAt('/api/v2', server)).toEqual(['/api/v2/a']);
  expect(pathsAt('https://calls.example.com/api/', server)).toEqual(['/api/a']);
  for (const url of ['/', '/v2', '/apis', '/api/../v2', '/api/%2e%2e/v2', 'https://calls.example.com'])
    expect(pathsAt(url, server)).toEqual([]);
  // To some server each of these is a step up; the control is what only looks like one.
  for (const url of [
    '/api/..;/v2',
    '/api/..;a=b/v2',
    '/api/..%2fv2',
    '/api/x%252f..%252f..%252fv2',
    '/api/%252e%252e/v2',
  ])
    expect(pathsAt(url, server)).toEqual([]);
  for (const url of ['/api/..v2', '/api/v2;a=b', '/api/a%252fb'])
    expect(pathsAt(url, server)).toEqual([`${url}/a`]);
  expect(pathsAt('/v2', null)).toEqual(['/v2/a']);
  for (const url of [
    'ws://api.example.com/v2',
    'ftp://api.example.com',
    'https://me@api.example.com/v2',
    'https://me:secret@api.example.com/v2',
    '/{version}/',
  ])
    expect(pathsAt(url, null)).toEqual([]);
});
