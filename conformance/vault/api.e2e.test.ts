import { Validator } from '@seriousme/openapi-schema-validator';
import type { Route } from '@countersign/protocol/route';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Drawn, requestTo, spoilt } from '../../packages/service/test/fuzz/request.ts';
import type { Plausible } from '../../packages/service/test/fuzz/values.ts';
import { type Json, refused, startVault, type TestVault } from './fixtures/vault.ts';

let vault: TestVault;
let token: string;
let document: Json;
const errorBody = z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) });
const consoleOrigin = 'https://console.example';
beforeAll(async () => {
  vault = await startVault({ RATE_LIMIT_REQUESTS: '1000000', VAULT_CONSOLE_ORIGIN: consoleOrigin });
  token = await vault.tokenOf(vault.admin);
  document = (await vault.ask('GET', '/openapi.json')).data;
});
afterAll(() => vault?.stop());

const pathOf = (route: Route) => route.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: Route) => document.paths[pathOf(route)][route.method.toLowerCase()];

test('OpenAPI is valid by its own schema and names every endpoint, its scope and its errors', async () => {
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  for (const route of Object.values<Route>(vaultRoutes)) {
    const { summary, security, description = '', responses } = operationOf(route);
    expect(summary).toBe(route.summary);
    expect(security).toEqual(route.auth === 'bearer' ? [{ bearer: [] }] : []);
    expect(description).toContain(route.scope ?? '');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '500']));
  }
});

test('what needs no token answers without one, everything else asks for it [vault.listen.open-paths] [vault.listen.bearer] [vault.listen.prefix] [vault.listen.health] [vault.listen.metrics] [vault.listen.ready] [vault.listen.json] [vault.error.unauthorized]', async () => {
  expect(await vault.ask('GET', '/health')).toMatchObject({ status: 200, data: { status: 'up' } });
  expect(await vault.ask('GET', '/ready')).toMatchObject({
    status: 200,
    data: {
      ready: true,
      database: 'up',
      enclave: 'up',
      audit: { size: 0 },
      anchor: { state: expect.any(String) },
    },
  });
  const metrics = await vault.ask('GET', '/metrics');
  expect(metrics).toMatchObject({
    status: 200,
    text: expect.stringContaining('http_request_duration_seconds'),
  });
  expect(await vault.ask('GET', '/api/v1/attestation/report')).toMatchObject({ status: 200 });
  for (const { method, path, auth } of Object.values<Route>(vaultRoutes)) {
    expect(path).toMatch(/^\/api\/v1\//);
    const headers = { 'content-type': 'application/json' };
    const reply = await vault.ask(method, path.replace(':id', 'x'), { headers });
    const asksForToken = reply.status === 401 && reply.data.error.code === 'unauthorized';
    expect({ path, asksForToken }).toEqual({ path, asksForToken: auth === 'bearer' });
  }
});

test('a simulated TEE is told wherever one looks [vault.tee.simulated-told] [vault.tee.simulated-default]', async () => {
  expect((await vault.ask('GET', '/health')).data.tee).toContain('SIMULATED');
  const report = (await vault.ask('GET', '/api/v1/attestation/report')).data;
  expect(report).toMatchObject({ provider: 'simulated', hardware: false, nonce: '' });
});

test('the report comes with the nonce as it was sent [vault.attestation.report] [vault.attestation.nonce] [vault.attestation.key-form]', async () => {
  const { data } = await vault.ask('GET', '/api/v1/attestation/report?nonce=00ffAB');
  expect(data.nonce).toBe('00ffAB');
  const names =
    'auditPublicKey createdAt hardware measurements nonce provider quote reportData sealPublicKey';
  expect(Object.keys(data).sort().join(' ')).toBe(names);
  const bytesIn = (text: string) => Buffer.from(text, 'base64').length;
  expect([bytesIn(data.auditPublicKey), bytesIn(data.sealPublicKey)]).toEqual([32, 65]);
  expect(await vault.ask('GET', '/api/v1/attestation/report?nonce=xyz')).toMatchObject(
    refused(400, 'invalid_request'),
  );
});

test('an unknown path, a wrong method and no JSON get the error body too [vault.error.not-found] [vault.error.transport]', async () => {
  expect(await vault.ask('GET', '/api/v1/nothing')).toMatchObject(refused(404, 'not_found'));
  expect(await vault.ask('PUT', '/api/v1/credentials')).toMatchObject(refused(405, 'method_not_allowed'));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await vault.ask('POST', '/api/v1/auth/login', { body: 'a=b', headers: form });
  expect(reply).toMatchObject(refused(415, 'invalid_request'));
});

test('pages of the console’s origin may call, those of no other may', async () => {
  const preflight = (origin: string) =>
    fetch(`${vault.url}/api/v1/credentials`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  const allowed = await preflight(consoleOrigin);
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(consoleOrigin);
  expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  for (const other of ['https://evil.example', 'null', `${consoleOrigin}.evil.example`])
    expect((await preflight(other)).headers.get('access-control-allow-origin')).toBeNull();
  const read = await vault.ask('GET', '/health', { headers: { origin: consoleOrigin } });
  expect(read.headers.get('access-control-allow-origin')).toBe(consoleOrigin);
});

describe('whatever is sent, the answer is documented, with the error body, and never a failure [vault.error.shape] [vault.error.internal-error]', () => {
  let ids: readonly string[];
  let auditId: string;
  let sessionId: string;
  beforeAll(async () => {
    const body = { credential_ids: [], task: 'Bear it', allowed_urls: ['https://shop.example'] };
    const made = await vault.ask('POST', '/api/v1/sandbox/sessions', { token, body });
    expect(made).toMatchObject({ status: 201 });
    sessionId = made.data.id;
  });
  beforeEach(async () => {
    const { id } = await vault.newCredential(token);
    const body = { reason: 'test' };
    auditId = (await vault.ask('POST', `/api/v1/credentials/${id}/decrypt`, { token, body })).data.audit_id;
    ids = [id];
  });

  const plausible: Plausible = (name) => {
    if (name === 'id') return [...ids, auditId, sessionId, sessionId, crypto.randomUUID(), 'none'];
    if (/credential_?id/i.test(name)) return [...ids, crypto.randomUUID()];
    if (name === 'nonce') return ['', '00ff'];
    if (name === 'from' || name === 'to' || name === 'expires_at')
      return ['2026-11-21', '2026-11-21T00:00:00+23:59', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
    if (/token/.test(name)) return [token, 'v4.local.AAAA'];
    if (/sealed|recipient/.test(name)) return [Buffer.alloc(65, 4).toString('base64'), 'AAAA'];
    return ['s', 'did:key:z6Mk', 'x'];
  };

  /** One password is hashed at a time; an element that is not there is waited for. */
  const slow = new Set(['login', 'exportData']);

  test.each(Object.keys(vaultRoutes) as (keyof typeof vaultRoutes)[])('%s', async (name) => {
    const route: Route = vaultRoutes[name];
    const operation = operationOf(route);
    // Its own, because it may end itself.
    const bearer = await vault.newToken(token, ['admin']);
    const property = fc.asyncProperty(requestTo(pathOf(route), operation, plausible), async (drawn) => {
      const { status, type, text } = await exchange(route, drawn, bearer);
      expect({ status, text, isFailure: status >= 500 }).toMatchObject({ isFailure: false });
      expect(Object.keys(operation.responses)).toContain(String(status));
      const media = type.split(';')[0] ?? '';
      expect(Object.keys(operation.responses[status].content)).toContain(media);
      const answer = media === 'application/json' ? JSON.parse(text) : text;
      const expected = status >= 400 ? errorBody : route.data;
      const isOther = status < 400 && media !== 'application/json';
      expect({ answer, wrong: isOther ? undefined : expected.safeParse(answer).error }).toMatchObject({
        wrong: undefined,
      });
    });
    await fc.assert(property, { numRuns: slow.has(name) ? 15 : 60 });
  });

  async function exchange(route: Route, drawn: Drawn, bearer: string) {
    const shown = { good: bearer, bad: 'v4.local.bad', none: undefined }[drawn.credentials];
    const response = await fetch(vault.url + drawn.path, {
      method: route.method,
      headers: {
        ...(drawn.contentType !== null && { 'content-type': drawn.contentType }),
        ...drawn.headers,
        ...(route.auth === 'bearer' && shown !== undefined && { authorization: `Bearer ${shown}` }),
      },
      ...(route.method !== 'GET' && { body: new Uint8Array(Buffer.from(spoilt(drawn, {}))) }),
    });
    expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    };
  }
});
