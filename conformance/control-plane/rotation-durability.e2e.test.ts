import { spawn } from 'node:child_process';
import { countersign } from '../fixtures/countersign.ts';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { withApprovers } from './fixtures/approvers.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { withRotations } from './fixtures/rotations.ts';

let control: TestControlPlane;
let world: ReturnType<typeof withRotations>;
let database: Pool;
beforeAll(async () => {
  control = await startControlPlane();
  database = new Pool({ connectionString: control.environment.DATABASE_URL, max: 2 });
  world = withRotations(control);
});
afterAll(async () => {
  await control?.stop();
  await database?.end();
});

async function newService(...about: Parameters<typeof world.newService>) {
  const service = await world.newService(...about);
  onTestFinished(async () => {
    service.release();
    await service.stop();
  });
  return service;
}
type Service = Awaited<ReturnType<typeof newService>>;

/** Its rotation is begun, and its service has heard of it and not answered. */
async function held(...about: Parameters<typeof world.newService>): Promise<Service> {
  const service = await newService(...about);
  service.state.manner = 'holds';
  expect(await service.rotate()).toMatchObject({ status: 201 });
  await service.got('/keys', 1);
  return service;
}
const asked = ({ received }: Service) => received.filter(({ path }) => path === '/keys').length;
const works = async (service: Service) => expect(await service.use()).toMatchObject({ status: 'completed' });

test('kill -9 of the process in every state of a rotation: no value that is valid is lost, and none is given twice [control-plane.rotation.durable]', async () => {
  const people = await withApprovers(control, control.environment.DATABASE_URL);
  onTestFinished(() => people.database.end());
  const cfo = await people.newKey('approver', 'cfo');
  const policy = { hitl: { when: 'true', approvers: ['*'] } };
  const waiting = await newService({ policy });
  const { execution_id } = (await waiting.rotate()).data;
  const unresolved = await newService();
  unresolved.state.manner = 'takes-and-cuts';
  await unresolved.rotate();
  const { rotation_id } = await unresolved.rests('unresolved');
  const checking = await newService({ check: true });
  checking.state.manner = 'takes-and-cuts';
  checking.state.holdsChecks = true;
  await checking.rotate();
  await checking.got('/who', 1);
  const took = await held({ check: true, safe_to_retry: true });
  const idle = await held({ check: true, safe_to_retry: true });
  const alone = await held({ safe_to_retry: true });

  await control.killAndRestart();
  took.release();

  expect(await took.rests('confirmed', 'unresolved', 'failed')).toMatchObject({ state: 'confirmed' });
  await works(took);
  expect(await idle.rests('confirmed', 'unresolved', 'failed')).toMatchObject({ state: 'unresolved' });
  await works(idle);
  // It takes the value now, long after nobody waits any more.
  idle.release();
  const late = await idle.rests('unresolved');
  await idle.resolve(late.rotation_id, 'check');
  await idle.rests('confirmed');
  await works(idle);
  expect(await alone.rests('confirmed', 'unresolved', 'failed')).toMatchObject({ state: 'unresolved' });
  expect([took, idle, alone].map(asked)).toEqual([1, 1, 1]);

  checking.state.holdsChecks = false;
  const cut = await checking.rests('confirmed', 'unresolved', 'failed');
  expect(cut).toMatchObject({ state: 'unresolved' });
  await checking.resolve(cut.rotation_id, 'check');
  await checking.rests('confirmed');
  await works(checking);

  expect(await unresolved.resolve(rotation_id, 'next')).toMatchObject({ data: { state: 'confirmed' } });
  expect(await unresolved.use('who')).toMatchObject({ status: 'completed' });
  await people.decide(cfo, execution_id);
  await waiting.rests('confirmed');
  expect(waiting.state.key).not.toBe(waiting.first);
});

test('kill -9 of the enclave while the service has heard: both values are kept, and the one that it took is found [control-plane.rotation.durable]', async () => {
  const [took, idle] = [await held({ check: true }), await held({ check: true })];
  took.release();
  await took.rests('confirmed');
  const [again, other] = [await held({ check: true }), await held()];
  await control.killEnclaveAndRestart();
  again.release();
  for (const service of [again, idle, other]) await service.rests('confirmed', 'unresolved');
  expect(asked(again) + asked(idle) + asked(other)).toBe(3);
  const known = await again.rests('confirmed', 'unresolved');
  // Where the check came before the service had taken it, once more; else it has ended.
  await again.resolve(known.rotation_id, 'check');
  await again.rests('confirmed');
  await works(again);
  await works(idle);
  await works(other);
});

test('a new root secret while next values are kept and come into use: all of them open as before [control-plane.rotation.root]', async () => {
  const services = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const service = await newService();
      service.state.manner = 'takes-and-cuts';
      await service.rotate();
      return { service, rotation: await service.rests('unresolved') };
    }),
  );
  const { command, args } = countersign('vault', 'rotate-root');
  const rotating = spawn(command, args, { env: control.environment, stdio: 'inherit' });
  const exited = new Promise((resolve) => rotating.once('exit', resolve));
  const [during, after] = [services.slice(0, 6), services.slice(6)];
  for (const { service, rotation } of during) await service.resolve(rotation.rotation_id, 'next');
  expect(await exited).toBe(0);
  for (const { service, rotation } of after) await service.resolve(rotation.rotation_id, 'next');
  for (const { service } of services) await works(service);
  const { rows } = await database.query(
    'select count(*)::integer as old from control_plane.credential where root < (select max(root) from control_plane.credential)',
  );
  expect(rows).toEqual([{ old: 0 }]);
});
