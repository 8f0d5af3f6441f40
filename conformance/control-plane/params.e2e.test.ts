import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startTarget } from './fixtures/target.ts';

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
let policyId: string;
beforeAll(async () => {
  [control, target] = await Promise.all([joinControlPlane(), startTarget()]);
  const cedar = 'permit(principal, action, resource);';
  const policy = { name: 'all', cedar, hitl: { when: 'context.params has ask' } };
  policyId = (await control.admin('POST', '/v1/policies', policy)).data.policy_id;
});
afterAll(async () => {
  await control?.stop();
  await target?.stop();
});

const components = {
  schemas: {
    Money: { type: 'object', properties: { cents: { type: 'integer', minimum: 1 } }, required: ['cents'] },
    Payment: {
      type: 'object',
      properties: {
        to: { type: 'string', pattern: '^[a-z]+$', maxLength: 20 },
        amount: { $ref: '#/components/schemas/Money' },
        ask: { type: 'boolean' },
      },
      required: ['to', 'amount'],
      additionalProperties: false,
    },
  },
  requestBodies: {
    Payment: {
      required: true,
      content: {
        'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Payment' } },
      },
    },
  },
  securitySchemes: {
    certificate: { type: 'mutualTLS' },
    digest: { type: 'http', scheme: 'digest' },
    key: { type: 'http', scheme: 'bearer' },
  },
};
const pay = (more: object = {}) => ({
  '/pay': {
    post: { operationId: 'pay', requestBody: { $ref: '#/components/requestBodies/Payment' }, ...more },
  },
});
const definition = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  servers: target.definition.servers,
  components,
  paths,
  ...more,
});
const connect = (service: string, about: object) =>
  control.admin('POST', '/v1/connectors', { service, type: 'http', ...about });
const request = (service: string, params: object, action = 'pay') =>
  control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers: { 'idempotency-key': randomUUID() },
    body: { policy_id: policyId, user_id: 'ann', service, action, params },
  });
const total = async () =>
  (await control.ask('GET', '/v1/executions', { key: control.keys.service })).data.total;

test('a body that its schema does not allow is refused by its path, before anybody is asked and before anything is sent [control-plane.execution.body-schema]', async () => {
  const order = { '/o/{id}': { get: { operationId: 'order' } } };
  expect(await connect('bank', { definition: definition({ ...pay(), ...order }) })).toMatchObject({
    status: 201,
  });
  const amount = { cents: 5 };
  const refused = [
    [{ amount }, 'params.to: is required'],
    [{ to: 'bob', amount: {} }, 'params.amount.cents: is required'],
    [{ to: 'bob', amount: { cents: 0 } }, 'params.amount.cents: must be >= 1'],
    [{ to: 'bob', amount: '5' }, 'params.amount: must be object'],
    [{ to: 'Bob', amount }, 'params.to: must match pattern'],
    [{ to: 'bob', amount, note: 'x' }, 'params.note: is not a parameter of the action'],
    [{ to: 'bob', amount: { cents: 0 }, ask: true }, 'params.amount.cents: '],
  ] as const;
  const before = [target.received.length, await total()];
  for (const [params, detail] of refused)
    expect(await request('bank', params)).toMatchObject({
      status: 400,
      data: { code: 'invalid_request', detail: expect.stringContaining(detail) },
    });
  expect(await request('bank', {}, 'order')).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('params.id is missing') },
  });
  expect([target.received.length, await total()]).toEqual(before);
  expect(await request('bank', { to: 'bob', amount })).toMatchObject({ data: { status: 'completed' } });
  expect(await request('bank', { to: 'bob', amount, ask: true })).toMatchObject({
    status: 202,
    data: { status: 'pending_hitl' },
  });
});

test('a schema that cannot be read, leads elsewhere or is too costly makes no connector, and holds nobody up [control-plane.execution.body-schema]', async () => {
  const schemaOf = (schema: unknown) =>
    definition({
      '/pay': { post: { operationId: 'pay', requestBody: { content: { 'application/json': { schema } } } } },
    });
  for (const schema of [
    { $ref: '#/components/schemas/Nowhere' },
    { $ref: 'https://example.com/schema.json' },
    { type: 'nothing' },
    { pattern: '(' },
    7,
  ])
    expect({ schema, ...(await connect('broken', { definition: schemaOf(schema) })) }).toMatchObject({
      schema,
      status: 400,
      data: { detail: expect.stringContaining('body of pay cannot be read') },
    });
  const slow = schemaOf({ properties: { to: { pattern: '^(a+)+$' } } });
  expect(await connect('slow', { definition: slow })).toMatchObject({ status: 201 });
  expect(await request('slow', { to: `${'a'.repeat(50)}!` })).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('takes too long') },
  });
  const loop = schemaOf({
    allOf: [{ $ref: '#/paths/~1pay/post/requestBody/content/application~1json/schema' }],
  });
  expect(await connect('loop', { definition: loop })).toMatchObject({ status: 201 });
  expect(await request('loop', {})).toMatchObject({ status: 400 });
  expect(await request('slow', { to: 'aaa' })).toMatchObject({ data: { status: 'completed' } });
});

test('a connector of which no action can be done is refused, and so is an action that cannot [control-plane.connector.cannot-work]', async () => {
  const body = { namespace: 'bank', label: 'key', type: 'api_key', sensitivity: 3, value: 'sk_1' };
  const { credential_id } = (await control.admin('POST', '/v1/vault/credentials', body)).data;
  for (const security of [[{ certificate: [] }], [{ digest: [] }], [{ key: [], certificate: [] }]])
    expect(await connect('mtls', { credential_id, definition: definition(pay({ security })) })).toMatchObject(
      {
        status: 400,
        data: { detail: expect.stringMatching(/^definition: pay can never run, .*mutualTLS/) },
      },
    );
  const closed = { '/closed': { post: { operationId: 'closed', security: [{ certificate: [] }] } } };
  const either = {
    '/either': { post: { operationId: 'either', security: [{ certificate: [] }, { key: [] }] } },
  };
  const mixed = definition({ ...closed, ...either });
  expect(await connect('mixed', { credential_id, definition: mixed })).toMatchObject({ status: 201 });
  expect(await request('mixed', {}, 'closed')).toMatchObject({
    status: 400,
    data: { detail: expect.stringMatching(/^action: can never run: .*mutualTLS/) },
  });
  expect(await request('mixed', {}, 'either')).toMatchObject({ data: { status: 'completed' } });
});
