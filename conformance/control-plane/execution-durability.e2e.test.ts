import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pace } from '../fixtures/pace.ts';
import { startControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { startTarget } from './fixtures/target.ts';

let control: TestControlPlane;
let target: Awaited<ReturnType<typeof startTarget>>;
let policy_id = '';

beforeAll(async () => {
  [control, target] = await Promise.all([startControlPlane(), startTarget()]);
  const policy = { name: 'all', cedar: 'permit(principal, action, resource);' };
  policy_id = (await control.admin('POST', '/v1/policies', policy)).data.policy_id;
  for (const [service, safe_to_retry] of [
    ['once', false],
    ['again', true],
  ]) {
    const { definition } = target;
    await control.admin('POST', '/v1/connectors', { service, type: 'http', safe_to_retry, definition });
  }
});
afterAll(async () => {
  target?.release();
  await control?.stop();
  await target?.stop();
});

const request = (more: object = {}, key: string = randomUUID(), url?: string) =>
  control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers: { 'idempotency-key': key },
    body: { policy_id, user_id: 'ann', service: 'once', action: 'pay', params: { n: 1 }, ...more },
    ...(url !== undefined && { url }),
  });
/** As it stands when it ended, by asking for as long as it takes. */
async function ended(id: string) {
  const nextTime = pace();
  for (;;) {
    const asked = await control
      .ask('GET', `/v1/executions/${id}`, { key: control.keys.service })
      .catch(() => null);
    if (asked?.status === 200 && asked.data.ended_at !== null) return asked.data;
    await nextTime();
  }
}
const heldCount = () => target.received.filter(({ path }) => path.startsWith('/held')).length;

/** Two executions that are at work, one of which may be done again: their ids. */
async function twoHeld() {
  const before = heldCount();
  const held = { action: 'hold', mode: 'async', timeout_seconds: 60 };
  const [once, again] = await Promise.all([
    request({ ...held, service: 'once' }),
    request({ ...held, service: 'again' }),
  ]);
  await target.got('/held', before + 2);
  return { once: once.data.execution_id, again: again.data.execution_id, before };
}

test('the same request twenty times at once, at two processes, is one execution', async () => {
  const other = await control.startAnother();
  const before = target.received.length;
  const key = randomUUID();
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) => request({}, key, i % 2 === 0 ? undefined : other.url)),
  );
  expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true);
  const done = all.filter(({ status }) => status === 200);
  expect(new Set(done.map(({ data }) => data.execution_id)).size).toBe(1);
  expect(done.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  expect(target.received).toHaveLength(before + 1);
  await other.stop();
});

test('kill -9 of the enclave midway: nobody knows how it ended, or it is done again where that is safe [control-plane.execution.worker-died] [control-plane.execution.durable]', async () => {
  const { once, again, before } = await twoHeld();
  await control.killEnclaveAndRestart();
  await target.got('/held', before + 3);
  target.release();
  expect(await ended(once)).toMatchObject({ status: 'outcome_unknown', data: null });
  expect(await ended(again)).toMatchObject({ status: 'completed', data: { released: true } });
  expect(heldCount()).toBe(before + 3);
});

test('kill -9 of the process that runs them: another one takes them up [control-plane.execution.worker-died] [control-plane.execution.durable]', async () => {
  const { once, again, before } = await twoHeld();
  // It waits, or has begun just before: it may be begun again.
  const waiting = await request({ mode: 'async', service: 'again' });
  const killed = performance.now();
  await control.killAndRestart();
  const { status, error } = await ended(waiting.data.execution_id);
  expect({ status, error }).toEqual({ status: 'completed', error: null });
  await target.got('/held', before + 3);
  target.release();
  expect(await ended(once)).toMatchObject({
    status: 'outcome_unknown',
    proof: { receipt: { status: 'outcome_unknown' } },
  });
  const done = await ended(again);
  expect(done).toMatchObject({ status: 'completed', data: { released: true } });
  expect(performance.now() - killed).toBeLessThan(60_000);
  expect(heldCount()).toBe(before + 3);
});
