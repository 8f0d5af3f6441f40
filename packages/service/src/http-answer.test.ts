import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import { type DashboardAuth, dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { ok } from '@countersign/protocol/result';
import type { RouteTable } from '@countersign/protocol/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Callers, createHttpApp } from './http.ts';
import { openPort, type Port } from './listen.ts';
import { createLogger } from './logger.ts';
import { silentTracer } from './trace.ts';

const route = (path: `/${string}`) =>
  ({ method: 'GET', path, auth: 'none', summary: 'Answers', data: z.unknown() }) as const;

const table = {
  data: { ...route('/data'), created: true },
  bytes: route('/bytes'),
  text: route('/text'),
  flow: route('/flow'),
  thrown: route('/thrown'),
} as const satisfies RouteTable<DashboardCode, DashboardAuth>;

const secret = Buffer.from('correct horse battery staple: ünïcode');
const shown = secret.toString();
const statuses: number[] = [];

const app = createHttpApp<typeof table, Callers<{ 'api-key': undefined; session: undefined }>, DashboardCode>(
  {
    title: 'test',
    table,
    dialect: dashboardDialect,
    handlers: {
      data: async () => ({ ...ok({ word: 'ü' }), headers: { 'x-extra': '1' } }),
      bytes: async () => ({ ok: true, stream: secret, headers: { 'content-type': 'application/json' } }),
      text: async () => ({ ok: true, stream: 'größer', headers: { 'content-type': 'text/plain' } }),
      flow: async () => ({
        ok: true,
        stream: new Blob(['one, ', 'two']).stream(),
        headers: { 'content-type': 'text/csv' },
      }),
      thrown: async () => {
        throw new Error('password hunter2 of the database');
      },
    },
    authenticate: { 'api-key': async () => ok(undefined), session: async () => ok(undefined) },
    admit: () => null,
    ready: async () => ({ ready: true }),
    metrics: {
      observe: ({ status }) => statuses.push(status),
      text: async () => 'metric 1\n',
      contentType: 'text/plain',
    },
    tracer: silentTracer,
    extraHeaders: (sent): Record<string, string> => (sent.has('origin') ? { vary: 'Origin' } : {}),
    log: createLogger('test', 'silent'),
  },
);

let port: Port;
beforeAll(async () => {
  port = await openPort('127.0.0.1', 0, dashboardDialect);
  port.serve((request, env) => app.fetch(request, env));
});
afterAll(() => port.close());

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`http://127.0.0.1:${port.port}${path}`, init);
  const text = await response.text();
  return { status: response.status, text, headers: Object.fromEntries(response.headers) };
}

const onAll = {
  'x-request-id': 'given',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  vary: 'Origin',
};
const headers = { 'x-request-id': 'given', origin: 'http://page.example' };
const json = 'application/json';

test.each([
  ['/data', 201, { 'content-type': json, 'x-extra': '1' }, /"word":"ü"/],
  ['/bytes', 200, { 'content-type': json }, new RegExp(`^${shown}$`)],
  ['/text', 200, { 'content-type': 'text/plain' }, /^größer$/],
  ['/thrown', 500, { 'content-type': json }, /"msg":"system error"/],
  ['/nowhere', 404, { 'content-type': json }, /"msg":"no such endpoint"/],
  ['/health', 200, { 'content-type': json }, /"status":"up"/],
  ['/metrics', 200, { 'content-type': 'text/plain' }, /^metric 1$/m],
] as const)('%s is answered whole over a connection: %d', async (path, status, own, body) => {
  statuses.length = 0;
  secret.set(Buffer.from(shown));
  const answer = await ask(path, { headers });
  const length = String(Buffer.byteLength(answer.text));
  expect(answer).toMatchObject({ status, headers: { ...onAll, ...own, 'content-length': length } });
  expect(answer.text).toMatch(body);
  expect(statuses).toEqual([status]);
});

test('a stream is sent as it comes, with the same headers', async () => {
  const answer = await ask('/flow', { headers });
  expect(answer).toMatchObject({ status: 200, text: 'one, two' });
  expect(answer.headers).toMatchObject({ ...onAll, 'content-type': 'text/csv' });
});

test('bytes that were answered are wiped', async () => {
  secret.set(Buffer.from(shown));
  expect((await ask('/bytes')).text).toBe(shown);
  await expect.poll(() => secret.every((byte) => byte === 0)).toBe(true);
});

test('HEAD gets the head alone, and the connection goes on', async () => {
  const head = await ask('/data', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 201, text: '', headers: { 'content-type': json } });
  expect(await ask('/data')).toMatchObject({ status: 201, text: expect.stringContaining('ü') as string });
});

test('a body that is sent to nobody does no harm', async () => {
  const init = { method: 'POST', body: 'x'.repeat(300_000) };
  expect(await ask('/data', init)).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  expect(await ask('/data')).toMatchObject({ status: 201 });
});
