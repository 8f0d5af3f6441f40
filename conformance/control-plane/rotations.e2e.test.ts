import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';
import { withRotations } from './fixtures/rotations.ts';

let control: TestControlPlane;
let world: ReturnType<typeof withRotations>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let database: Pool;
beforeAll(async () => {
  [control, receiver] = await Promise.all([startControlPlane(), startReceiver()]);
  database = new Pool({ connectionString: control.environment.DATABASE_URL, max: 2 });
  world = withRotations(control);
  const events = ['credential.rotated', 'credential.rotation_failed'];
  await control.admin('POST', '/v1/webhooks', { url: receiver.url, events });
});
afterAll(async () => {
  await control?.stop();
  await database?.end();
  await receiver?.stop();
});

async function newService(...about: Parameters<typeof world.newService>) {
  const service = await world.newService(...about);
  onTestFinished(async () => void (await service.stop()));
  return service;
}
type Service = Awaited<ReturnType<typeof newService>>;

/** All that the processes have written and all that the database holds, as one text. */
async function everythingKept(): Promise<string> {
  const tables = await database.query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema like 'control_plane%' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    tables.rows.map(async ({ name }) =>
      JSON.stringify((await database.query(`select whole::text from ${name} whole`)).rows),
    ),
  );
  const files = readdirSync(control.dir, { recursive: true, encoding: 'utf8' })
    .map((path) => join(control.dir, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
  return [...rows, ...files].join('\n');
}
const told = (service: Service) =>
  receiver.received
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.credential_id === service.credential_id)
    .map(({ type, data }) => `${type} ${data.state}`);
const tells = async (service: Service, what: string) => {
  while (!told(service).includes(what)) await receiver.got(receiver.received.length + 1);
};

test('the service takes a value that the enclave made by the rules; it is used from then on, and nobody else sees it [control-plane.rotation.confirmed] [control-plane.rotation.secret]', async () => {
  const value = { length: 24, alphabet: 'abcdefghjkmnpqrstuvwxyz#%!' };
  const rotation_policy = { type: 'scheduled', interval_days: 30, value };
  const service = await newService({ credential: { rotation_policy } });
  service.state.manner = 'echoes';
  const begun = await service.rotate();
  expect(begun).toMatchObject({ status: 201, data: { state: 'running', version: 2, check_id: null } });
  const { execution_id, fingerprint } = await service.rests('confirmed');
  const made = service.state.key;
  expect(made).toMatch(/^[abcdefghjkmnpqrstuvwxyz#%!]{24}$/);
  expect(service.received).toEqual([{ path: '/keys', key: service.first, body: `{"new_key":"${made}"}` }]);
  expect(await service.credential()).toMatchObject({
    version: 2,
    fingerprint,
    rotation: { rotation_id: begun.data.rotation_id, state: 'confirmed' },
  });
  expect(await service.use()).toMatchObject({ status: 'completed', data: { ok: true } });
  expect(service.received.at(-1)?.key).toBe(made);
  // What the service said is masked, and so is what it was asked: nothing here holds the value in any form.
  const execution = await world.read(`/v1/executions/${execution_id}`);
  expect(execution).toMatchObject({ status: 'completed', proof: { receipt: { status: 'completed' } } });
  expect(Object.keys(execution.data)).toEqual(['base64', 'key']);
  expect(JSON.stringify(execution)).not.toContain(made);
  await tells(service, 'credential.rotated confirmed');
  const kept = await everythingKept();
  expect(kept).toContain(begun.data.rotation_id);
  for (const form of [
    made,
    Buffer.from(made).toString('base64'),
    Buffer.from(made).toString('hex'),
    service.first,
  ])
    expect(kept).not.toContain(form);
  const { items } = await world.read(`/v1/audit/records?credentialId=${service.credential_id}`);
  expect(items.map((one: { eventType: string }) => one.eventType)).toEqual([
    'credential_access',
    'execution_requested',
    'credential_rotation_ended',
    'credential_updated',
    'credential_access',
    'credential_access',
    'execution_requested',
    'credential_rotation_started',
    'connector_created',
    'credential_created',
  ]);
});

test('a password is made anew beside its name [control-plane.rotation.confirmed]', async () => {
  const password = { username: 'ann', password: 'first' };
  const credential = { type: 'username_password', value: JSON.stringify(password) };
  const service = await newService({ credential });
  service.state.key = 'ann:first';
  await service.rotate();
  await service.rests('confirmed');
  service.state.key = `ann:${service.state.key}`;
  expect(await service.use()).toMatchObject({ status: 'completed' });
});

test('a service that says no keeps the value that it has, and the new one is dropped [control-plane.rotation.failed]', async () => {
  const service = await newService({ check: true });
  service.state.manner = 'refuses';
  await service.rotate();
  const ended = await service.rests('failed');
  expect(ended).toMatchObject({ version: 2, check_id: null, ended_at: expect.any(String) });
  expect(await service.credential()).toMatchObject({ version: 1 });
  expect(await service.use()).toMatchObject({ status: 'completed' });
  await tells(service, 'credential.rotation_failed failed');
  // Its number is not given again.
  service.state.manner = 'takes';
  expect(await service.rotate()).toMatchObject({ data: { version: 3 } });
  await service.rests('confirmed');
  expect(await service.credential()).toMatchObject({ version: 3 });
});

test.each(['takes-and-fails', 'takes-and-cuts'] as const)(
  'a service that %s: the check with the new value confirms it [control-plane.rotation.check]',
  async (manner) => {
    const service = await newService({ check: true });
    service.state.manner = manner;
    await service.rotate();
    const ended = await service.rests('confirmed');
    expect(ended.check_id).toEqual(expect.any(String));
    expect(service.received.map(({ path, key }) => [path, key === service.first])).toEqual([
      ['/keys', true],
      ['/who', false],
    ]);
    expect(await service.use()).toMatchObject({ status: 'completed' });
  },
);

test('a service that says "done" and takes nothing: the check with the new value tells, and nothing is lost [control-plane.rotation.check]', async () => {
  const service = await newService({ check: true });
  service.state.manner = 'ignores';
  await service.rotate();
  const { rotation_id } = await service.rests('unresolved');
  expect(await service.use()).toMatchObject({ status: 'completed' });
  expect(await service.resolve(rotation_id, 'current')).toMatchObject({ data: { state: 'failed' } });
  service.state.manner = 'takes';
  await service.rotate();
  const { check_id } = await service.rests('confirmed');
  expect(check_id).toEqual(expect.any(String));
  expect(await service.use()).toMatchObject({ status: 'completed' });
});

test('without a check both values are kept, the current one is used, and a person says which is valid [control-plane.rotation.unresolved]', async () => {
  const service = await newService();
  service.state.manner = 'takes-and-cuts';
  await service.rotate();
  const { rotation_id } = await service.rests('unresolved');
  await tells(service, 'credential.rotation_failed unresolved');
  expect(await service.credential()).toMatchObject({ version: 1, rotation: { state: 'unresolved' } });
  expect(await service.use()).toMatchObject({ status: 'failed', error: { target_status: 401 } });
  expect(await service.rotate()).toMatchObject({
    status: 409,
    data: { code: 'rotation_under_way', rotation_id, state: 'unresolved' },
  });
  expect(await service.resolve(rotation_id, 'check')).toMatchObject({
    status: 409,
    data: { code: 'conflict' },
  });
  expect(await service.resolve(randomUUID(), 'next')).toMatchObject({ status: 404 });
  expect(await service.resolve(rotation_id, 'next')).toMatchObject({
    status: 200,
    data: { state: 'confirmed' },
  });
  expect(await service.use()).toMatchObject({ status: 'completed' });
  expect(await service.resolve(rotation_id, 'current')).toMatchObject({
    status: 409,
    data: { code: 'conflict' },
  });
});

test('what a service does late is not lost: a check that is refused drops nothing, and one later confirms [control-plane.rotation.unresolved] [control-plane.rotation.check]', async () => {
  const service = await newService({ check: true });
  service.state.manner = 'holds';
  await service.rotate();
  const { rotation_id } = await service.rests('unresolved');
  expect(await service.use()).toMatchObject({ status: 'completed' });
  service.release();
  expect(await service.use()).toMatchObject({ status: 'failed', error: { target_status: 401 } });
  const again = await service.resolve(rotation_id, 'check');
  expect(again).toMatchObject({ data: { state: 'checking', check_id: expect.any(String) } });
  const { check_id } = await service.rests('confirmed');
  expect(check_id).toBe(again.data.check_id);
  const { items } = await world.read(`/v1/audit/records?credentialId=${service.credential_id}`);
  const asked = items.filter(
    (one: { eventType: string }) => one.eventType === 'credential_rotation_check_asked',
  );
  expect(asked).toMatchObject([{ actor: expect.stringContaining('admin'), detail: { rotation_id } }]);
  expect(await service.use()).toMatchObject({ status: 'completed' });
});

test('meanwhile: a second rotation, a new value and a deletion wait; a person who cancels ends it, and nothing was sent [control-plane.rotation.meanwhile]', async () => {
  const service = await newService({ policy: { hitl: { when: 'true', approvers: ['*'] } } });
  const { execution_id, rotation_id } = (await service.rotate()).data;
  const busy = { status: 409, data: { code: 'rotation_under_way', rotation_id, execution_id } };
  expect(await service.rotate()).toMatchObject(busy);
  expect(await control.admin('PUT', `${service.path}/value`, { value: 'x' })).toMatchObject(busy);
  await control.admin('DELETE', `/v1/connectors/${service.connector_id}`);
  expect(await control.admin('DELETE', service.path)).toMatchObject(busy);
  for (const valid of ['next', 'current'])
    expect(await service.resolve(rotation_id, valid)).toMatchObject(busy);
  const cancel = `/v1/executions/${execution_id}/cancel`;
  expect(await control.ask('POST', cancel, { key: control.keys.service })).toMatchObject({ status: 200 });
  expect(await service.rests('failed')).toMatchObject({ rotation_id });
  expect(service.received).toEqual([]);
  expect(await control.admin('DELETE', service.path)).toMatchObject({ status: 200 });
});

test('an unresolved one is ended by a new value, and by a deletion [control-plane.rotation.meanwhile]', async () => {
  const service = await newService();
  service.state.manner = 'takes-and-cuts';
  await service.rotate();
  await service.rests('unresolved');
  const put = await control.admin('PUT', `${service.path}/value`, { value: service.state.key });
  expect(put).toMatchObject({ status: 200, data: { version: 3 } });
  expect(await service.rests('superseded')).toMatchObject({ version: 2 });
  expect(await service.use()).toMatchObject({ status: 'completed' });
  await service.rotate();
  await service.rests('unresolved');
  await control.admin('DELETE', `/v1/connectors/${service.connector_id}`);
  expect(await control.admin('DELETE', service.path)).toMatchObject({ status: 200 });
});

test('of twenty that are asked for at once, at two processes, one is begun [control-plane.rotation.meanwhile]', async () => {
  const other = await control.startAnother();
  const service = await newService();
  service.state.manner = 'holds';
  const path = `${service.path}/rotations`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, each) =>
      control.ask('POST', path, {
        key: control.keys.admin,
        certified: true,
        body: {},
        ...(each % 2 === 0 && { url: other.url }),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201,
    ...Array(19).fill(409),
  ]);
  await service.got('/keys', 1);
  service.release();
  await service.rests('confirmed');
  expect(service.received.filter((one) => one.path === '/keys')).toHaveLength(1);
  await other.stop();
});

test('an agent cannot ask for what rotates, with a value that it knows or with the placeholder [control-plane.rotation.only-so]', async () => {
  const service = await newService();
  for (const new_key of ['mine', '{{CREDENTIAL.next}}'])
    expect(await service.use('change-key', { new_key })).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('rotations'),
    });
  for (const role of ['service', 'approver'] as const)
    expect(
      await control.ask('POST', `${service.path}/rotations`, {
        key: control.keys[role],
        certified: true,
        body: {},
      }),
    ).toMatchObject({ status: 403 });
  expect(service.received).toEqual([]);
});

test('how a connector names it is checked when it is made [control-plane.rotation.named]', async () => {
  const { definition, credential_id, policy_id } = await newService();
  const named = { action: 'change-key', param: 'new_key', policy_id };
  const make = async (rotation: object, more: object = {}) => {
    const body = { service: randomUUID(), type: 'http', credential_id, definition, rotation, ...more };
    const { status, data } = await control.admin('POST', '/v1/connectors', body);
    return `${status} ${data.detail ?? JSON.stringify(data.rotation)}`;
  };
  expect(await make({ ...named, check_action: 'who' })).toMatch(/^201 .*"check_action":"who"/);
  expect(await make({ ...named, action: 'nobody' })).toMatch(/^400 rotation.action/);
  expect(await make({ ...named, action: 'key-in-path' })).toMatch(/^400 rotation.param/);
  expect(await make({ ...named, check_action: 'nobody' })).toMatch(/^400 rotation.check_action/);
  expect(await make({ ...named, check_action: 'open' })).toMatch(/^400 rotation.check_action/);
  expect(await make({ ...named, params: { new_key: 'x' } })).toMatch(/^400 rotation.params.new_key/);
  expect(await make({ ...named, params: { more: null } })).toMatch(/^400 rotation.params.more/);
  expect(await make({ ...named, param: 'else' })).toMatch(/^400 rotation.params.new_key: is required/);
  expect(await make(named, { credential_id: null })).toMatch(/^400 rotation/);
  const actions = { pay: { sql: 'select 1' } };
  expect(await make({ ...named, action: 'pay' }, { type: 'postgres', definition: { actions } })).toMatch(
    /^400 /,
  );
});

test('the policy may be made after the connector, so that it can permit that service alone [control-plane.rotation.named]', async () => {
  const policy_id = randomUUID();
  const service = await newService({ rotation: { policy_id } });
  expect(await service.rotate()).toMatchObject({
    status: 409,
    data: { code: 'conflict', detail: expect.stringContaining(policy_id) },
  });
  const cedar = `permit(principal, action == Action::"change-key", resource == Service::"${service.name}");`;
  const made = await control.admin('POST', '/v1/policies', { policy_id, name: 'rotations', cedar });
  expect(made).toMatchObject({ status: 201 });
  expect(await service.rotate()).toMatchObject({ status: 201 });
  await service.rests('confirmed');
});

test('without an operation that a connector names, and of what cannot be made anew, there is none [control-plane.rotation.named]', async () => {
  const service = await newService({ credential: { value: 'ann:secret' } });
  expect(await service.rotate({ service: 'nobody' })).toMatchObject({
    status: 409,
    data: { code: 'conflict' },
  });
  expect(await service.rotate()).toMatchObject({ status: 409, data: { code: 'conflict' } });
  expect(await service.credential()).toMatchObject({ version: 1, rotation: null });
});
