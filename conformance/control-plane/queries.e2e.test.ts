import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controlRoutes } from '@countersign/protocol/control/routes';
import type { Route } from '@countersign/protocol/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pace } from '../fixtures/pace.ts';
import { runCommand, joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startTarget } from './fixtures/target.ts';

type Json = ReturnType<typeof JSON.parse>;

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
const policies: string[] = [];
let [plain, asked, denied]: Json[] = [];
beforeAll(async () => {
  [control, target] = await Promise.all([joinControlPlane(), startTarget()]);
  const credential = { namespace: 'bank', label: 'key', type: 'api_key', sensitivity: 3, value: 'sk_1' };
  const { credential_id } = (await control.admin('POST', '/v1/vault/credentials', credential)).data;
  for (const service of ['bank', 'shop']) {
    const security = {
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    };
    const definition = { ...target.definition, ...security };
    await control.admin('POST', '/v1/connectors', { service, type: 'http', credential_id, definition });
  }
  for (const hitl of [undefined, { when: 'true' }]) {
    const cedar = 'permit(principal, action, resource) unless { context.params has no };';
    policies.push((await control.admin('POST', '/v1/policies', { name: 'p', cedar, hitl })).data.policy_id);
  }
  plain = await execute({});
  asked = await execute({ policy_id: policies[1], user_id: 'bob', service: 'shop' });
  const path = `/v1/executions/${asked.execution_id}/decision`;
  const approval = { key: control.keys.approver, body: { decision: 'approve' } };
  expect(await control.ask('POST', path, approval)).toMatchObject({ status: 200 });
  const nextTime = pace();
  while (asked.ended_at === null) {
    await nextTime();
    asked = await read(`/v1/executions/${asked.execution_id}`);
  }
  denied = await execute({ user_id: 'bob', params: { no: 1 } });
});
afterAll(async () => {
  await control?.stop();
  await target?.stop();
});

const read = async (path: string): Promise<Json> =>
  (await control.ask('GET', path, { key: control.keys.service })).data;
async function execute(about: object): Promise<Json> {
  const body = {
    policy_id: policies[0],
    user_id: 'ann',
    service: 'bank',
    action: 'pay',
    params: {},
    ...about,
  };
  const headers = { 'idempotency-key': randomUUID() };
  return (await control.ask('POST', '/v1/executions', { key: control.keys.service, headers, body })).data;
}
/** Event types of the records that a query finds, oldest first. */
const types = async (query: string): Promise<string[]> =>
  (await read(`/v1/audit/records?${query}`)).items
    .map(({ eventType }: { eventType: string }) => eventType)
    .toReversed();
const executions = async (query: string): Promise<string[]> =>
  (await read(`/v1/executions?${query}`)).items.map((one: { execution_id: string }) => one.execution_id);

test('a query parameter that a route does not have is 400 and named, with the nearest that it has: on every route [control-plane.query.unknown]', async () => {
  const { admin } = control.keys;
  const told: string[] = [];
  for (const [name, route] of Object.entries<Route>(controlRoutes)) {
    const path = route.path.replace(/:\w+/g, randomUUID());
    const key = route.scope === 'decide' ? control.keys.approver : admin;
    const given = { key, certified: true, ...(route.method !== 'GET' && { body: {} }) };
    const refused = await control.ask(route.method, `${path}?Limitt=5`, given);
    expect({ name, status: refused.status, detail: refused.data.detail }).toMatchObject({
      status: 400,
      detail: expect.stringContaining('query: there is no parameter "Limitt"'),
    });
    if (Object.hasOwn(route.query?.shape ?? {}, 'limit')) told.push(String(refused.data.detail));
  }
  expect(told.length).toBeGreaterThan(5);
  expect(told.filter((detail) => !detail.includes('did you mean "limit"?'))).toEqual([]);
  const others = [
    ['executionId=1', 'there is no parameter "executionId"; did you mean "execution_id"?'],
    ['limit=1&limit=2', 'query: limit is given 2 times'],
    ['__proto__=1', 'there is no parameter "__proto__"'],
    ['%3Cscript%3E=1', 'there is no parameter "?script?"'],
  ] as const;
  for (const [query, detail] of others)
    expect(await read(`/v1/executions?${query}`)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining(detail),
    });
});

test('executions are found by id, policy, user, service and what was recorded of them [control-plane.execution.filters]', async () => {
  const [one, two, three] = [plain, asked, denied].map(({ execution_id }) => String(execution_id));
  for (const [query, found] of [
    [`execution_id=${one}`, [one]],
    [`execution_id=${randomUUID()}`, []],
    [`policy_id=${policies[1]}`, [two]],
    ['user_id=bob', [three, two]],
    ['user_id=bob&service=shop', [two]],
    ['user_id=bob&status=denied', [three]],
    ['service=bank', [three, one]],
    ['service=nobody', []],
    ['event_type=execution_requested', [three, two, one]],
    ['event_type=execution_started', [two, one]],
    ['event_type=execution_ended&limit=1&offset=1', [two]],
    ['event_type=human_approval_requested', [two]],
    ['event_type=human_approval_received&user_id=ann', []],
    ['event_type=policy_rejected', []],
  ] as const)
    expect({ query, found: await executions(query) }).toEqual({ query, found });
  expect((await read('/v1/executions?user_id=bob&limit=1')).total).toBe(2);
  expect(await read('/v1/executions?event_type=key_created')).toMatchObject({ code: 'invalid_request' });
  expect(await read('/v1/executions?execution_id=x')).toMatchObject({ code: 'invalid_request' });
});

test('audit records are found by the same names, each with what it is about [control-plane.audit.records.filters]', async () => {
  const whole = ['execution_requested', 'execution_started', 'credential_access', 'execution_ended'];
  expect(await types(`execution_id=${plain.execution_id}`)).toEqual(whole);
  expect(await types(`execution_id=${asked.execution_id}`)).toEqual([
    'execution_requested',
    'human_approval_requested',
    'human_approval_received',
    'execution_started',
    'credential_access',
    'execution_ended',
  ]);
  expect(await types(`user_id=bob&execution_id=${asked.execution_id}`)).toHaveLength(5);
  expect(await types('event_type=human_approval_received&user_id=bob')).toHaveLength(1);
  expect(await types(`policy_id=${policies[1]}&event_type=policy_created`)).toEqual(['policy_created']);
  expect(await types('service=shop&event_type=execution_ended')).toEqual(['execution_ended']);
  expect(await types('service=shop&event_type=connector_created')).toEqual(['connector_created']);
  expect(await types(`execution_id=${randomUUID()}`)).toEqual([]);
  const theirs = { key: control.newKey('service', 'elsewhere') };
  const path = `/v1/audit/records?execution_id=${plain.execution_id}`;
  expect((await control.ask('GET', path, theirs)).data).toMatchObject({ items: [], total: 0 });
});

test('an execution tells all records of it, oldest first [control-plane.execution.audit-refs]', async () => {
  for (const { execution_id: id, audit_ref } of [plain, asked, denied]) {
    const { items } = await read(`/v1/audit/records?execution_id=${id}`);
    const ids = items.map(({ auditId }: { auditId: string }) => auditId).toReversed();
    const { audit_refs } = await read(`/v1/executions/${id}`);
    expect(audit_refs).toEqual(ids);
    expect(audit_refs.at(-1)).toBe(audit_ref);
  }
  expect(plain.audit_refs).toHaveLength(4);
});

test('a proof bundle is asked for by the execution, and verifies [control-plane.audit.proof-bundle.execution]', async () => {
  const ask = (body: object) =>
    control.ask('POST', '/v1/audit/proof-bundles', { key: control.keys.service, body });
  const { status, data } = await ask({ execution_id: asked.execution_id });
  expect(status).toBe(200);
  expect(data.records.map(({ record }: { record: { auditId: string } }) => record.auditId)).toEqual(
    asked.audit_refs,
  );
  const file = join(control.dir, 'bundle.json');
  writeFileSync(file, JSON.stringify(data));
  const verified = runCommand(['audit', 'verify', file], {});
  expect(verified.stdout).toContain('receipts of executions, 1 of them');
  expect(await ask({ execution_id: randomUUID() })).toMatchObject({ status: 404 });
  expect(await ask({ execution_id: asked.execution_id, record_ids: ['x'] })).toMatchObject({ status: 400 });
  expect(await ask({})).toMatchObject({ status: 400 });
  const filtered = await ask({ filter: { execution_id: plain.execution_id, event_type: 'execution_ended' } });
  expect(filtered.data.records).toHaveLength(1);
});
