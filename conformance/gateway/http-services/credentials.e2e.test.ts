import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinVault } from '../../vault/fixtures/vault.ts';
import { type HonoShop, openHonoShop, priceIn } from '../fixtures/hono-shop.ts';
import { startWorld, type World } from '../fixtures/world.ts';

/** As a merchant's console gives it. */
const secret = 'sk_live_9f8e7d6c+5b4a';
const placeholder = '{{CREDENTIAL.key}}';

let world: World;
let vault: Awaited<ReturnType<typeof joinVault>>;
let shop: HonoShop;
let other: HonoShop;
let gateway: Awaited<ReturnType<World['gateway']>>;
let useToken: string;
let keyId: string;
let admin: string;
const heard: (string | undefined)[] = [];
const heardElsewhere: (string | undefined)[] = [];
const said = (answer: { readonly detail: { readonly downstreamContent: unknown } }): string =>
  JSON.stringify(answer.detail.downstreamContent);

async function newCredential(allowed_urls: readonly string[]): Promise<string> {
  const { status, data } = await vault.ask('POST', '/api/v1/credentials', {
    token: admin,
    body: { service_id: 'shop', credential_type: 'api_key', plaintext_data: { key: secret }, allowed_urls },
  });
  expect(status).toBe(201);
  return data.id;
}

beforeAll(async () => {
  [world, vault] = await Promise.all([startWorld(), joinVault()]);
  admin = await vault.tokenOf(vault.admin);
  const app = new Hono();
  app.post('/echo', async (c) => {
    const { 'x-api-key': authorization } = c.req.header();
    heard.push(authorization);
    return c.json({ key: authorization, encoded: btoa(authorization ?? ''), said: await c.req.text() });
  });
  app.get('/leave', (c) => c.redirect(`${other.origin}/catch`, 307));
  app.get('/openapi.json', (c) =>
    c.json({
      openapi: '3.1.0',
      info: { title: 'Guarded', version: '1' },
      paths: {
        '/echo': {
          post: {
            operationId: 'echo',
            // It is the owner's, so no argument of the agent's.
            parameters: [
              { name: 'X-Api-Key', in: 'header', schema: { type: 'string' } },
              { name: 'x-extra', in: 'header', schema: { type: 'string' } },
            ],
            requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          },
        },
      },
    }),
  );
  shop = await openHonoShop(world, { 'POST /echo': { accepts: priceIn(world, '10000') } }, app);
  const elsewhere = new Hono();
  elsewhere.get('/catch', (c) => {
    heardElsewhere.push(c.req.header('x-api-key'));
    return c.text('caught');
  });
  other = await openHonoShop(world, {}, elsewhere);
  keyId = await newCredential([shop.origin]);
  const strayId = await newCredential([other.origin]);
  const anywhereId = await newCredential([]);
  useToken = await vault.newToken(admin, ['credential:send'], {
    credential_ids: [keyId, strayId, anywhereId],
  });
  const headers = { 'x-api-key': `Key ${placeholder}` };
  const endpoint = {
    method: 'POST',
    endpoint: `${shop.origin}/echo`,
    name: 'echo',
    inputSchema: { type: 'object' },
    headers,
  };
  gateway = await world.gateway(
    await world.newOwner(),
    {},
    {
      VAULT_URL: vault.url,
      VAULT_TOKEN: useToken,
      HTTP_SERVICES: JSON.stringify({
        shop: { ...endpoint, credential: keyId },
        stray: { ...endpoint, credential: strayId },
        nowhere: { ...endpoint, credential: anywhereId },
        leaving: {
          endpoint: `${shop.origin}/leave`,
          name: 'leave',
          inputSchema: { type: 'object' },
          credential: keyId,
          headers,
        },
        whole: { openapi: `${shop.origin}/openapi.json`, credential: keyId, headers },
      }),
    },
  );
});
afterAll(async () => {
  await Promise.all([shop?.stop(), other?.stop(), vault?.stop()]);
  await world?.stop();
});

test('a paid call carries the owner’s credential, and what the service repeats of it is masked [gateway.http-services.credentials]', async () => {
  const answer = await gateway.agent.call({ serviceId: 'shop', toolName: 'echo', arguments: { a: 1 } });
  expect(answer).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  const text = JSON.stringify(answer);
  // Control: the service had it, and said it.
  expect(heard).toEqual([`Key ${secret}`]);
  expect(said(answer)).toContain('encoded');
  for (const form of [secret, btoa(`Key ${secret}`), placeholder]) expect(text).not.toContain(form);
});

test('text like a placeholder in the arguments stays what it is [gateway.http-services.credentials]', async () => {
  const answer = await gateway.agent.call({
    serviceId: 'shop',
    toolName: 'echo',
    arguments: { a: placeholder },
  });
  expect(answer).toMatchObject({ code: 'SUCCESS' });
  expect(said(answer)).toContain(placeholder);
  expect(said(answer)).not.toContain(secret);
});

test('operations of a document are called with the credential, and its header is no argument [gateway.http-services.credentials]', async () => {
  const [whole] = (await gateway.agent.list()).filter(({ serviceId }) => serviceId === 'whole');
  expect(
    Object.keys((whole?.tools[0]?.inputSchema as { properties?: object } | undefined)?.properties ?? {}),
  ).toEqual(['x-extra', 'body']);
  const answer = await gateway.agent.call({
    serviceId: 'whole',
    toolName: 'echo',
    arguments: { 'x-extra': placeholder, body: {} },
  });
  expect(answer).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(JSON.stringify(answer)).not.toContain(secret);
});

test.each(['stray', 'nowhere'])(
  'a credential that may not be used at its service is not sent: %s [gateway.http-services.credentials]',
  async (serviceId) => {
    expect(await gateway.agent.call({ serviceId, toolName: 'echo', arguments: {} })).toMatchObject({
      code: 'DOWNSTREAM_UNAVAILABLE',
      detail: { paymentMade: false, downstreamFailure: { reason: 'credential_refused' } },
    });
  },
);

test('a redirect to another host takes the credential nowhere [gateway.http-services.credentials]', async () => {
  expect(await gateway.agent.call({ serviceId: 'leaving', toolName: 'leave', arguments: {} })).toMatchObject({
    code: 'DOWNSTREAM_UNAVAILABLE',
    detail: { downstreamFailure: { reason: 'redirect' } },
  });
  expect(heardElsewhere).toEqual([]);
});

test('the gateway’s token uses the credential and never sees it; each use is on record [gateway.http-services.credentials]', async () => {
  const decrypted = await vault.ask('POST', `/api/v1/credentials/${keyId}/decrypt`, {
    token: useToken,
    body: { reason: 'look' },
  });
  expect(decrypted.status).toBe(403);
  const { data } = await vault.ask('GET', `/api/v1/audit/logs?credentialId=${keyId}`, { token: admin });
  const reasons = data.items
    .filter(({ eventType }: { eventType: string }) => eventType === 'credential_access')
    .map(({ detail }: { detail: { reason: string } }) => detail.reason);
  expect(reasons).toContain(`request POST ${shop.origin}`);
  expect(JSON.stringify(data)).not.toContain(secret);
});

test('a request ends at its service when whoever asked for it hangs up [vault.request.bounds]', async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const id = await newCredential([url]);
  const token = await vault.newToken(admin, ['credential:send'], { credential_ids: [id] });
  const caller = new AbortController();
  const ended = new Promise<void>((resolve) => {
    silent.once('request', (request) => {
      // Control: it is under way, with the credential.
      expect(request.headers['x-api-key']).toBe(secret);
      request.socket.once('close', () => resolve());
      caller.abort();
    });
  });
  const asked = fetch(`${vault.url}/api/v1/credentials/${id}/requests`, {
    method: 'POST',
    signal: caller.signal,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      method: 'GET',
      url,
      credential_headers: { 'x-api-key': placeholder },
      timeout_ms: 120_000,
    }),
  });
  await expect(asked).rejects.toThrow('aborted');
  await ended;
  silent.close();
});
