import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCommand, startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { withRotations } from './fixtures/rotations.ts';

let control: TestControlPlane;
let world: ReturnType<typeof withRotations>;
beforeAll(async () => {
  control = await startControlPlane();
  world = withRotations(control);
});
afterAll(() => control?.stop());

async function newService(...about: Parameters<typeof world.newService>) {
  const service = await world.newService(...about);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

const operation = 'permit(principal, action == Action::"change-key", resource);';
const everything = 'permit(principal, action, resource);';

test.each([
  ['denies', { cedar: operation }, /^rotation.check_action of the connector: who .* would be denied/],
  [
    'asks a person about',
    { hitl: { when: 'true' } },
    /^rotation.check_action of the connector: who .* person/,
  ],
])(
  'a rotation whose check its policy %s is refused before the service is asked [control-plane.rotation.check.decided]',
  async (_, policy, detail) => {
    const service = await newService({ check: true, policy });
    expect(await service.rotate()).toMatchObject({
      status: 409,
      data: { code: 'conflict', detail: expect.stringMatching(detail) },
    });
    expect(service.received).toEqual([]);
    expect(await service.credential()).toMatchObject({ version: 1, rotation: null });
    const { policy_id } = service;
    const hitl = { when: 'context.params has new_key' };
    const next = { policy_id, name: 'rotations', cedar: everything, hitl };
    expect(await control.admin('POST', '/v1/policies', next)).toMatchObject({ status: 201 });
    const { data } = await service.rotate();
    expect(data).toMatchObject({ state: 'running', version: 2 });
    const approve = await control.ask('POST', `/v1/executions/${data.execution_id}/decision`, {
      key: control.keys.approver,
      body: { decision: 'approve' },
    });
    expect(approve).toMatchObject({ status: 200 });
    await service.rests('confirmed');
  },
);

test('the key that asked for a rotation is revoked: its check is not done; another’s check is, and confirms [control-plane.rotation.check.asker]', async () => {
  const service = await newService({ check: true });
  service.state.manner = 'holds';
  const first = control.newKey('admin', 'default', `first-${randomUUID()}`);
  const begun = await control.ask('POST', `${service.path}/rotations`, {
    key: first,
    certified: true,
    body: {},
  });
  expect(begun).toMatchObject({ status: 201 });
  await service.got('/keys', 1);
  runCommand(['control-plane', 'revoke-key', begun.data.created_by], control.environment);
  const asked = { key: first, certified: true, body: { valid: 'check' } };
  const path = `${service.path}/rotations/${begun.data.rotation_id}/resolve`;
  expect(await control.ask('POST', path, asked)).toMatchObject({ status: 401 });
  service.release();
  const rested = await service.rests('unresolved');
  expect(service.received.filter((one) => one.path === '/who')).toEqual([]);
  expect(await service.credential()).toMatchObject({ version: 1 });
  const again = await service.resolve(rested.rotation_id, 'check');
  expect(again).toMatchObject({ status: 200, data: { state: 'checking' } });
  const { check_id } = await service.rests('confirmed');
  expect(check_id).toBe(again.data.check_id);
  expect(await world.read(`/v1/executions/${check_id}`)).toMatchObject({ status: 'completed' });
  expect(await service.use()).toMatchObject({ status: 'completed' });
});
