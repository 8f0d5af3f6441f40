import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Approvers, withApprovers } from './fixtures/approvers.ts';
import { runCommand, joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';

let control: TestControlPlane;
let world: Approvers;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let cfo: string;
beforeAll(async () => {
  [control, receiver] = await Promise.all([joinControlPlane(), startReceiver()]);
  world = await withApprovers(control, control.environment.DATABASE_URL);
  cfo = makeKey('approver', 'cfo');
  await control.admin('POST', '/v1/webhooks', { url: receiver.url, events: ['batch.exhausted'] });
});
afterAll(async () => {
  await world?.database.end();
  await control?.stop();
  await receiver?.stop();
});

function makeKey(role: string, name: string): string {
  const { DATABASE_URL } = control.environment;
  const made = runCommand(
    ['control-plane', 'create-key', '--role', role, '--name', name, '--tenant', control.tenant],
    { DATABASE_URL },
  );
  expect(made.status).toBe(0);
  return made.stdout.trim();
}

const cedar = 'permit(principal, action, resource) when { context.params.amount <= 1000 };';
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function newPolicy(hitl: object = {}): Promise<string> {
  const body = { name: 'payments', cedar, hitl: { when: 'context.params.amount > 50', ...hitl } };
  return (await control.admin('POST', '/v1/policies', body)).data.policy_id;
}

const create = (body: object, key = cfo) =>
  control.ask('POST', '/v1/batch-authorizations', {
    key,
    body: { service: 'bank', action: 'pay', max_executions: 2, expires_at: inAnHour(), ...body },
  });
const get = (path: string) => control.ask('GET', `/v1/batch-authorizations${path}`, { key: cfo });

test('an approver approves beforehand, by the version that decides now, and it is recorded [control-plane.batch.create]', async () => {
  const policy_id = await newPolicy();
  await control.admin('POST', '/v1/policies', { policy_id, name: 'payments', cedar, mode: 'log_only' });
  const condition = 'context.params.amount <= 200';
  const open = await create({ policy_id, user_id: null, condition: null });
  expect(open).toMatchObject({ status: 201, data: { user_id: null, condition: null } });
  const made = await create({ policy_id, user_id: 'ann', condition });
  expect(made).toMatchObject({
    status: 201,
    data: {
      policy_id,
      policy_version: 1,
      user_id: 'ann',
      condition,
      used: 0,
      state: 'active',
      created_by: 'cfo',
    },
  });
  const { batch_id } = made.data;
  expect((await get(`/${batch_id}`)).data).toEqual(made.data);
  expect((await get('?limit=1')).data).toMatchObject({ items: [made.data] });
  const [record] = (await control.ask('GET', '/v1/audit/records?limit=1', { key: cfo })).data.items;
  expect(record).toMatchObject({
    eventType: 'batch_created',
    actor: 'key:approver:cfo',
    detail: { batch_id, policy_id, policy_version: 1, condition, max_executions: 2 },
  });
});

test('only whom the policy names may, only a condition is one, and no end that has been', async () => {
  makeKey('approver', 'ceo');
  const policy_id = await newPolicy({ approvers: ['ceo'] });
  expect(await create({ policy_id })).toMatchObject({ status: 403, data: { code: 'not_an_approver' } });
  expect(await create({ policy_id }, control.keys.service)).toMatchObject({ status: 403 });
  expect(await create({ policy_id }, control.keys.admin)).toMatchObject({ status: 403 });
  const open = await newPolicy();
  expect(await create({ policy_id: open, condition: 'true } unless { true' })).toMatchObject({
    status: 400,
    data: { code: 'invalid_policy', line: 1 },
  });
  expect(await create({ policy_id: open, condition: 'context.params.amount < < 2' })).toMatchObject({
    status: 400,
    data: { code: 'invalid_policy', line: 1, column: 25 },
  });
  expect(await create({ policy_id: open, expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({
    status: 400,
  });
  expect(await create({ policy_id: 'nobody-made-it' })).toMatchObject({ status: 404 });
});

test('whoever may decide ends it, once, and it is recorded [control-plane.batch.revoke]', async () => {
  const { batch_id } = (await create({ policy_id: await newPolicy() })).data;
  const revoke = (id: string) => control.ask('DELETE', `/v1/batch-authorizations/${id}`, { key: cfo });
  expect(await revoke(batch_id)).toMatchObject({ status: 200, data: { state: 'revoked' } });
  const records = async () =>
    (await control.ask('GET', '/v1/audit/records?limit=1', { key: cfo })).data as {
      total: number;
      items: object[];
    };
  const after = await records();
  expect(after.items[0]).toMatchObject({ eventType: 'batch_revoked', detail: { batch_id } });
  expect(await revoke(batch_id)).toMatchObject({ status: 200, data: { state: 'revoked' } });
  expect((await records()).total).toBe(after.total);
  expect(await revoke('6f1c3f0e-8f0a-4b3a-9a3e-0d7f5f6f1a11')).toMatchObject({ status: 404 });
});

test('executions inside the window for which the condition holds skip the person, until none is left [control-plane.batch.skips-hitl] [control-plane.batch.used-up]', async () => {
  const policy_id = await newPolicy();
  const condition = 'context.params.amount <= 200';
  const { batch_id } = (await create({ policy_id, user_id: 'ann', condition, max_executions: 3 })).data;
  const covered = await world.request(policy_id);
  expect(covered.data).toMatchObject({ status: 'pending', approval: null });
  const [record] = (await world.records(9)).filter(
    ({ eventType }) => eventType === 'human_approval_received',
  );
  const { execution_id, params_hash } = covered.data;
  expect(record).toMatchObject({
    actor: 'key:approver:cfo',
    detail: { execution_id, params_hash, method: 'batch', batch_id },
  });
  for (const other of [{ params: { amount: 201 } }, { user_id: 'bob' }, { action: 'refund' }])
    expect((await world.request(policy_id, other)).data.status).toBe('pending_hitl');
  const raced = await Promise.all(Array.from({ length: 8 }, () => world.request(policy_id)));
  expect(raced.filter(({ data }) => data.status === 'pending_hitl')).toHaveLength(6);
  expect((await get(`/${batch_id}`)).data).toMatchObject({ used: 3, state: 'exhausted' });
  await receiver.got(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'batch.exhausted',
    data: { batch_id, policy_id, max_executions: 3 },
  });
  await expect
    .poll(async () => (await world.get(execution_id)).proof?.receipt.hitl_proof, { timeout: 20_000 })
    .toMatchObject([{ decision: 'approve', approver: 'cfo', method: 'batch', batch_id }]);
});

test('a batch covers nothing of its own maker, of another version, for which two are wanted, or whose condition fails [control-plane.batch.not-oneself] [control-plane.batch.revoke]', async () => {
  const asks = async (policy_id: string, key?: string) =>
    expect((await world.request(policy_id, {}, key)).data.status).toBe('pending_hitl');
  const failing = await newPolicy();
  await create({ policy_id: failing, condition: 'context.params.total <= 200' });
  await asks(failing);
  const two = await newPolicy({ quorum: 2 });
  await create({ policy_id: two });
  await asks(two);
  const renewed = await newPolicy();
  await create({ policy_id: renewed });
  const next = { name: 'payments', cedar, hitl: { when: 'context.params.amount > 50' } };
  await control.admin('POST', '/v1/policies', { policy_id: renewed, ...next });
  await asks(renewed);
  const own = await newPolicy();
  await create({ policy_id: own }, await world.newKey('approver', 'maker'));
  await world.database.query(`update control_plane.api_key set name = 'agent' where name = 'maker'`);
  await world.database.query(`update control_plane.batch set created_by = 'maker' where policy_id = $1`, [
    own,
  ]);
  await asks(own, await world.newKey('service', 'maker'));
  const revoked = await newPolicy();
  const { batch_id } = (await create({ policy_id: revoked })).data;
  await control.ask('DELETE', `/v1/batch-authorizations/${batch_id}`, { key: cfo });
  await asks(revoked);
});
