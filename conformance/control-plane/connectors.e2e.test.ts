import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';

let control: TestControlPlane;
beforeAll(async () => {
  control = await joinControlPlane();
});
afterAll(() => control?.stop());

const create = (body: object) => control.admin('POST', '/v1/connectors', body);
const read = (path: string) => control.ask('GET', path, { key: control.keys.service });

const openapi = {
  openapi: '3.1.0',
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/pets/{id}': {
      get: { operationId: 'getPet', 'x-kept': [1, { two: 2 }] },
      delete: { operationId: 'deletePet' },
    },
    '/ping': { get: {} },
  },
};
const mcp = { url: 'https://mcp.example.com/mcp', tools: ['search'] };
const steps = [{ operation_type: 'click', selector: '#order' }];
const browser = {
  allowed_urls: ['https://shop.example.com/*'],
  start_url: 'https://shop.example.com/',
  actions: { order: { task: 'order a thing', steps } },
};
const postgres = { actions: { count: { sql: 'select count(*) from t', params: [], read_only: true } } };

test('a connector of each type tells what it can do, and is recorded [control-plane.connector.create] [control-plane.connector.types]', async () => {
  const all = [
    { type: 'http', definition: openapi, actions: ['getPet', 'deletePet'] },
    { type: 'mcp-tool', definition: mcp, actions: ['search'] },
    { type: 'mcp-tool', definition: { url: mcp.url }, actions: [] },
    { type: 'browser', definition: browser, actions: ['order'] },
    { type: 'postgres', definition: postgres, actions: ['count'] },
  ];
  for (const [place, { type, definition, actions }] of all.entries()) {
    const asked = { service: `service ${place}`, type, definition, credential_id: null };
    const { status, data } = await create(asked);
    expect({ status, data }).toMatchObject({
      status: 201,
      data: { service: `service ${place}`, type, actions, credential_id: null, safe_to_retry: false },
    });
    const stored = (await read(`/v1/connectors/${data.connector_id}`)).data;
    expect(stored).toEqual({ ...data, definition: expect.objectContaining(definition) });
    expect((await read('/v1/audit/records?limit=1')).data.items[0]).toMatchObject({
      eventType: 'connector_created',
      detail: { connector_id: data.connector_id, service: `service ${place}`, type },
    });
  }
});

test('what is wrong with a definition is told by its path, and nothing is stored', async () => {
  const { total } = (await read('/v1/connectors')).data;
  const twice = { '/a': { get: { operationId: 'x' } }, '/b': { post: { operationId: 'x' } } };
  const refused = [
    ['http', { ...openapi, openapi: '3.0.1' }, 'definition.openapi: '],
    ['http', { ...openapi, servers: [{ url: 'ftp://example.com' }] }, 'definition.servers.0.url: '],
    ['http', { ...openapi, paths: twice }, 'definition.paths./b.post.operationId: '],
    ['http', { ...openapi, paths: {} }, 'definition.paths: '],
    ['mcp-tool', { ...mcp, tools: [] }, 'definition.tools: '],
    ['browser', { ...browser, actions: { order: { task: '', steps } } }, 'definition.actions.order.task: '],
    ['postgres', { actions: {} }, 'definition.actions: '],
    ['postgres', { ...postgres, url: 'postgres://x' }, 'definition: '],
  ] as const;
  for (const [type, definition, path] of refused)
    expect(await create({ service: 's', type, definition })).toMatchObject({
      status: 400,
      data: { code: 'invalid_request', detail: expect.stringContaining(path) },
    });
  const unknown = { service: 's', type: 'http', definition: openapi, credential_id: crypto.randomUUID() };
  expect(await create(unknown)).toMatchObject({ status: 404 });
  expect((await read('/v1/connectors')).data.total).toBe(total);
});

test('a service has one connector: a new one takes the place of the old, and a deleted one is gone [control-plane.connector.list] [control-plane.connector.delete]', async () => {
  const first = (await create({ service: 'pets', type: 'http', definition: openapi })).data;
  const next = (await create({ service: 'pets', type: 'mcp-tool', definition: mcp, safe_to_retry: true }))
    .data;
  expect(next.connector_id).not.toBe(first.connector_id);
  expect(await read(`/v1/connectors/${first.connector_id}`)).toMatchObject({ status: 404 });
  const { items, total } = (await read('/v1/connectors')).data;
  expect(items.filter((one: { service: string }) => one.service === 'pets')).toEqual([next]);
  expect(items.map((one: { service: string }) => one.service)).toEqual(
    items.map((one: { service: string }) => one.service).toSorted(),
  );
  const path = `/v1/connectors/${next.connector_id}`;
  expect(await control.ask('DELETE', path, { key: control.keys.service })).toMatchObject({ status: 403 });
  expect((await control.admin('DELETE', path)).data).toEqual({
    connector_id: next.connector_id,
    deleted: true,
  });
  expect(await control.admin('DELETE', path)).toMatchObject({ status: 404 });
  const body = { policy_id: 'any', user_id: 'ann', service: 'pets', action: 'search', params: {} };
  const headers = { 'idempotency-key': 'after' };
  const refused = await control.ask('POST', '/v1/executions', { key: control.keys.service, headers, body });
  expect(refused).toMatchObject({ status: 404, data: { detail: expect.stringContaining('connector') } });
  expect((await read('/v1/connectors')).data.total).toBe(total - 1);
  expect((await read('/v1/audit/records?limit=1')).data.items[0]).toMatchObject({
    eventType: 'connector_deleted',
    detail: { connector_id: next.connector_id },
  });
});
