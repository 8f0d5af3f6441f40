import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startReceiver } from './fixtures/receiver.ts';

let control: TestControlPlane;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let database: Pool;
beforeAll(async () => {
  [control, receiver] = await Promise.all([startControlPlane(), startReceiver()]);
  database = new Pool({ connectionString: control.environment.DATABASE_URL, max: 2 });
  const webhook = { url: receiver.url, events: ['credential.rotation_due'] };
  expect(await control.admin('POST', '/v1/webhooks', webhook)).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await control?.stop();
  await database?.end();
  await receiver?.stop();
});

const newCredential = async (rotation_policy: object): Promise<string> => {
  const about = { namespace: 'billing', label: randomUUID(), type: 'api_key', sensitivity: 3, value: 'x' };
  return (await control.admin('POST', '/v1/vault/credentials', { ...about, rotation_policy })).data
    .credential_id;
};
const monthly = { type: 'scheduled', interval_days: 30 };
/** So many days later for these credentials. */
const age = (ids: readonly string[], days: number) =>
  database.query(
    `update control_plane.credential set value_at = value_at - $2 * interval '24 hours',
       rotation_due_at = rotation_due_at - $2 * interval '24 hours' where id = any($1)`,
    [ids, days],
  );
/** Of each credential the ids of the events that told of it; the same event may be told again. */
const toldOf = (id: string): Set<string> =>
  new Set(
    receiver.received
      .filter(({ body }) => body.includes(id))
      .map(({ headers }) => headers['webhook-id'] ?? ''),
  );
const told = async (ids: readonly string[]) => {
  while (!ids.every((id) => toldOf(id).size > 0)) await receiver.got(receiver.received.length + 1);
};
const listed = async (query: string): Promise<string[]> => {
  const { items } = (
    await control.ask('GET', `/v1/vault/credentials?limit=200${query}`, { key: control.keys.service })
  ).data;
  return items.map((one: { credential_id: string }) => one.credential_id);
};

test('a due date is told once, stays in the list until a new value is in use, and that makes the next one [control-plane.credential.rotation-due]', async () => {
  const id = await newCredential(monthly);
  const [never, manual] = [await newCredential(monthly), await newCredential({ type: 'manual' })];
  await age([id], 31);
  await told([id]);
  const about = (await control.ask('GET', `/v1/vault/credentials/${id}`, { key: control.keys.service })).data;
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toEqual({
    type: 'credential.rotation_due',
    timestamp: expect.any(String),
    data: {
      credential_id: id,
      namespace: 'billing',
      label: about.label,
      version: 1,
      due_at: about.rotation_due_at,
    },
  });
  expect(await listed('&rotation=due')).toEqual([id]);
  const put = await control.admin('PUT', `/v1/vault/credentials/${id}/value`, { value: 'y' });
  expect(Date.parse(put.data.rotation_due_at) - Date.parse(put.data.value_at)).toBe(30 * 86_400_000);
  expect(await listed('&rotation=due')).toEqual([]);
  await age([id], 31);
  while (toldOf(id).size < 2) await receiver.got(receiver.received.length + 1);
  expect(toldOf(never).size + toldOf(manual).size).toBe(0);
});

test('two processes, one of which is killed while it tells: each due date is one event [control-plane.credential.rotation-due]', async () => {
  const other = await control.startAnother();
  const ids = await Promise.all(Array.from({ length: 60 }, () => newCredential(monthly)));
  const before = receiver.received.length;
  await age(ids, 31);
  await receiver.got(before + 1);
  await control.killAndRestart();
  await told(ids);
  // What is due later is told by whoever looks: nobody tells of the first ones again.
  const later = await newCredential(monthly);
  await age([later], 31);
  await told([later]);
  await other.stop();
  expect(ids.map((id) => toldOf(id).size)).toEqual(ids.map(() => 1));
  const { rows } = await database.query(
    `select count(*)::integer as events from control_plane.webhook_event
     where type = 'credential.rotation_due' and body::json -> 'data' ->> 'credential_id' = any($1)`,
    [ids],
  );
  expect(rows).toEqual([{ events: ids.length }]);
});
