import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import { type DashboardAuth, dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { type Refusal } from '@countersign/protocol/dialect';
import type { RouteTable } from '@countersign/protocol/route';
import { fail, ok } from '@countersign/protocol/result';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Callers, createHttpApp } from './http.ts';
import { createLogger } from './logger.ts';
import { silentTracer } from './trace.ts';

const table = {
  echo: {
    method: 'POST',
    path: '/echo',
    auth: 'api-key',
    summary: 'Says it again',
    body: z.object({
      word: z.string().max(5),
      kind: z.enum(['a', 'b']).optional(),
      extra: z.unknown().optional(),
    }),
    data: z.object({ word: z.string() }),
    created: true,
    refusals: ['REPEATED_SUBMIT'],
  },
  list: {
    method: 'GET',
    path: '/list/:id',
    auth: 'session',
    summary: 'Lists',
    query: z.object({ scope: z.enum(['mine', 'all']), page: z.int().min(1).max(10).optional() }),
    data: z.object({ id: z.string() }),
  },
  ping: { method: 'POST', path: '/ping', auth: 'none', summary: 'Answers', data: z.null() },
  hook: { method: 'POST', path: '/hook', auth: 'signature', summary: 'Is told', data: z.null() },
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;

const refusal = (code: DashboardCode, msg: string, data?: unknown) =>
  fail<Refusal<DashboardCode>>({ code, msg, data });

function newApp(handled: unknown[] = [], admit: () => number | null = () => null) {
  return createHttpApp<typeof table, Callers<{ 'api-key': string; session: string }>, DashboardCode>({
    title: 'test',
    table,
    dialect: dashboardDialect,
    handlers: {
      async echo({ body, caller }) {
        handled.push(body);
        if (body.word === 'twice') return refusal('REPEATED_SUBMIT', 'again', { id: 1 });
        if (body.word === 'boom') throw new Error('password hunter2 of the database');
        return ok({ word: `${caller}:${body.word}` });
      },
      async list({ params, query }) {
        handled.push(query);
        return ok({ id: params['id'] ?? '' });
      },
      async hook({ caller: { bytes, headers } }) {
        handled.push({ text: new TextDecoder().decode(bytes), signature: headers.get('x-signature') });
        return ok(null);
      },
      ping: async () => ({ ...ok(null), headers: { 'x-extra': '1' } }),
    },
    authenticate: {
      'api-key': async ({ body }) =>
        (body as { apiKey?: unknown }).apiKey === 'good' ? ok('owner') : refusal('API_KEY_INVALID', 'no key'),
      session: async ({ headers }) =>
        headers.get('authorization') === 'Bearer good'
          ? ok('owner')
          : refusal('ACCESS_TOKEN_REQUIRED', 'no session'),
    },
    admit,
    ready: async () => ({ ready: false, database: 'down' }),
    metrics: { observe: () => {}, text: async () => 'metric 1\n', contentType: 'text/plain' },
    tracer: silentTracer,
    log: createLogger('test', 'silent'),
  });
}

async function ask(app: ReturnType<typeof newApp>, path: string, init: RequestInit = {}) {
  const response = await app.request(path, init);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: unknown };
  return { status: response.status, code, msg, data, headers: response.headers };
}

const json = (body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...more },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const session = { headers: { authorization: 'Bearer good' } };

test('a handler gets the parsed body and its caller, and its data comes back in the envelope', async () => {
  const app = newApp();
  expect(await ask(app, '/echo', json({ apiKey: 'good', word: 'hi' }))).toMatchObject({
    status: 201,
    code: 80000000,
    data: { word: 'owner:hi' },
  });
  expect(await ask(app, '/echo', json({ apiKey: 'good', word: 'twice' }))).toMatchObject({
    status: 409,
    code: 80000003,
    data: { id: 1 },
  });
});

test('a handler that checks a signature gets the body to the letter, whatever it is', async () => {
  const handled: unknown[] = [];
  const app = newApp(handled);
  const text = '{ "a":1,\r\n"a": 2 ';
  const headers = { 'content-type': 'text/plain', 'x-signature': 'abc' };
  expect(await ask(app, '/hook', { method: 'POST', headers, body: text })).toMatchObject({ status: 200 });
  expect(handled).toEqual([{ text, signature: 'abc' }]);
  const big = { method: 'POST', body: ' '.repeat(256 * 1024 + 1) };
  expect(await ask(app, '/hook', big)).toMatchObject({ status: 413, code: 80000002 });
});

test('headers of an answer are sent', async () => {
  expect((await ask(newApp(), '/ping', { method: 'POST' })).headers.get('x-extra')).toBe('1');
});

test('what a handler throws is a 500 that says nothing', async () => {
  const answer = await ask(newApp(), '/echo', json({ apiKey: 'good', word: 'boom' }));
  expect(answer).toMatchObject({ status: 500, code: 80000001, msg: 'system error', data: null });
});

test.each([
  ['broken JSON before the key', json('{"apiKey":'), 400, 80000002],
  ['invalid UTF-8', { ...json(''), body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, 80000002],
  [
    'a form',
    { ...json('a=b'), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    80000002,
  ],
  ['compressed JSON', json({}, { 'content-encoding': 'gzip' }), 415, 80000002],
  ['a big body without a key', json(' '.repeat(256 * 1024 + 1)), 413, 80000002],
  ['no body at all', { method: 'POST' }, 401, 80000040],
  ['no key, and a bad body', json({ word: 5 }), 401, 80000040],
  ['a key of another type', json({ apiKey: ['good'], word: 'hi' }), 401, 80000040],
  ['a list instead of an object', json(['good']), 401, 80000040],
  ['a missing field', json({ apiKey: 'good' }), 400, 80000002],
  ['a wrong type', json({ apiKey: 'good', word: 5 }), 400, 80000002],
  ['a wrong type beside a bad value', json({ apiKey: 'good', word: 'too long', kind: 7 }), 400, 80000002],
  ['an over-long text', json({ apiKey: 'good', word: 'too long' }), 400, 80000012],
  ['a word outside the enumeration', json({ apiKey: 'good', word: 'hi', kind: 'c' }), 400, 80000012],
  ['NUL in a text', json({ apiKey: 'good', word: 'a\0' }), 400, 80000012],
  ['half a surrogate pair', json('{"apiKey":"good","word":"\\ud800"}'), 400, 80000012],
  [
    'NUL in a name deep inside',
    json({ apiKey: 'good', word: 'hi', extra: { a: [{ 'b\0': 1 }] } }),
    400,
    80000012,
  ],
  [
    'nesting without end',
    json(`{"apiKey":"good","word":"hi","extra":${'['.repeat(9e4)}${']'.repeat(9e4)}}`),
    400,
    80000012,
  ],
  ['items without end', json(`{"apiKey":"good","word":"hi","extra":[${'0,'.repeat(6e4)}0]}`), 400, 80000012],
] as const)('%s: nothing is handled [system.service.json-limits]', async (_, init, status, code) => {
  const handled: unknown[] = [];
  expect(await ask(newApp(handled), '/echo', init as RequestInit)).toMatchObject({
    status,
    code,
    data: null,
  });
  expect(handled).toEqual([]);
});

test('a body without an announced length is stopped at the same size', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
  });
  const init = { ...json(''), body, duplex: 'half' } as RequestInit;
  expect(await ask(newApp(), '/echo', init)).toMatchObject({ status: 413, code: 80000002 });
});

test('msg names the field, and says what is missing', async () => {
  const { msg } = await ask(newApp(), '/echo', json({ apiKey: 'good' }));
  expect(msg).toBe('word: is required');
});

test.each([
  ['/list/1', 400, 80000002],
  ['/list/1?scope=theirs', 400, 80000012],
  ['/list/1?scope=all&page=x', 400, 80000002],
  ['/list/1?scope=all&page=1.5', 400, 80000002],
  ['/list/1?scope=all&page=1e1', 400, 80000002],
  ['/list/1?scope=all&page=', 400, 80000002],
  ['/list/1?scope=all&page=0', 400, 80000012],
  ['/list/1?scope=all&page=-1', 400, 80000012],
  ['/list/1?scope=all&page=11', 400, 80000012],
  ['/list/1?scope=all&page=99999999999999999999', 400, 80000012],
  ['/list/%00?scope=all', 400, 80000012],
  ['/list/1?scope=all&page=10', 200, 80000000],
  ['/list/1?scope=all&page=10&unknown=1', 400, 80000012],
  ['/list/1?scope=all&scope=all', 400, 80000012],
  ['/list/1?scope=all&', 200, 80000000],
] as const)('%s is %d, %d', async (path, status, code) => {
  expect(await ask(newApp(), path, session)).toMatchObject({ status, code });
});

test('a query parameter that a route does not have is named, with the nearest that it has [system.service.query-parameters]', async () => {
  const told = async (path: string, init: RequestInit = session) => (await ask(newApp(), path, init)).msg;
  expect(await told('/list/1?scope=all&pages=1')).toBe(
    'query: there is no parameter "pages"; did you mean "page"? The parameters are scope, page.',
  );
  expect(await told('/list/1?scope=all&zzz=1')).toBe(
    'query: there is no parameter "zzz". The parameters are scope, page.',
  );
  expect(await told('/list/1?scope=all&scope=mine')).toBe('query: scope is given 2 times');
  const post = { method: 'POST' };
  expect(await told('/ping?%0adry=1', post)).toBe('query: there is no parameter "?dry": there are none here');
  const handled: unknown[] = [];
  expect(await ask(newApp(handled), '/list/1?scope=all&constructor=1', session)).toMatchObject({
    status: 400,
  });
  expect(await ask(newApp(handled), '/list/1?scope=all&__proto__=1', session)).toMatchObject({ status: 400 });
  expect(handled).toEqual([]);
});

test('who signs what they send is not asked about the address that they were given', async () => {
  const handled: unknown[] = [];
  expect(await ask(newApp(handled), '/hook?tag=1', { method: 'POST', body: 'x' })).toMatchObject({
    status: 200,
  });
  expect(handled).toHaveLength(1);
});

test('query numbers reach the handler as numbers', async () => {
  const handled: unknown[] = [];
  await ask(newApp(handled), '/list/1?scope=all&page=2', session);
  expect(handled).toEqual([{ scope: 'all', page: 2 }]);
});

test('an unknown route and a wrong method carry the envelope too', async () => {
  expect(await ask(newApp(), '/nowhere')).toMatchObject({ status: 404, code: 80000011, data: null });
  const wrong = await ask(newApp(), '/echo', { method: 'PUT' });
  expect(wrong).toMatchObject({ status: 405, code: 80000002, data: null });
  expect(wrong.headers.get('allow')).toBe('POST');
  expect(await ask(newApp(), '/health', { method: 'POST' })).toMatchObject({ status: 405 });
});

test('whoever calls too often is told how long to wait', async () => {
  const answer = await ask(
    newApp([], () => 7),
    '/echo',
    json('{'),
  );
  expect(answer).toMatchObject({ status: 429, code: 80000061 });
  expect(answer.headers.get('retry-after')).toBe('7');
});

test('a request id that is sent comes back, unless it could forge a log line', async () => {
  const idOf = async (sent: string) => {
    const { headers } = await ask(newApp(), '/ping', { method: 'POST', headers: { 'x-request-id': sent } });
    return headers.get('x-request-id');
  };
  expect(await idOf('abc-1')).toBe('abc-1');
  expect(await idOf('a b{}')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a service that is not ready says so with 503', async () => {
  expect(await ask(newApp(), '/ready')).toMatchObject({
    status: 503,
    data: { ready: false, database: 'down' },
  });
  expect(await ask(newApp(), '/health')).toMatchObject({ status: 200 });
});

test('OpenAPI names every route with its key, its query, its errors and the envelope', async () => {
  const document = (await (await newApp().request('/openapi.json')).json()) as ReturnType<typeof JSON.parse>;
  expect(document.openapi).toBe('3.1.0');
  const { post: echo } = document.paths['/echo'];
  expect(echo.requestBody.content['application/json'].schema).toMatchObject({
    properties: { apiKey: { type: 'string' }, word: { type: 'string', maxLength: 5 } },
    required: ['apiKey', 'word'],
  });
  expect(Object.keys(echo.responses).sort()).toEqual([
    '201',
    '400',
    '401',
    '409',
    '413',
    '415',
    '429',
    '431',
    '500',
  ]);
  expect(echo.responses['201'].content['application/json'].schema.properties).toMatchObject({
    code: { enum: [80000000] },
    data: { properties: { word: { type: 'string' } } },
  });
  expect(echo.responses['409'].content['application/json'].schema.properties.code).toEqual({
    enum: [80000003],
  });
  const { get: list } = document.paths['/list/{id}'];
  expect(list.security).toEqual([{ bearer: [] }, { cookie: [] }]);
  expect(list.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'scope', in: 'query', required: true, schema: { enum: ['mine', 'all'] } },
    { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 10 } },
  ]);
});
