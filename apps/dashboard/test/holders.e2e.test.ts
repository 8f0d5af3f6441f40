import { createLogger } from '@countersign/service/logger';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database.ts';
import { openDashboard, type TestDashboard } from './dashboard.ts';
import { holdCalls } from './holds.ts';

let dashboard: TestDashboard;
let calls: ReturnType<typeof holdCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  calls = holdCalls(dashboard);
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

async function ownerWithMandate() {
  const owner = await dashboard.newAccount();
  return { owner, mandateId: await dashboard.newMandate(owner, { totalBudget: '20' }) };
}

async function heldOf(owner: Owner, id: string): Promise<string> {
  const { data } = await dashboard.post('/api/mandates/intent/list', {}, owner.token);
  return data.data.find((mandate: { id: string }) => mandate.id === id).heldAmount;
}

test('one hold of two holders counts once, and is free when the last of them has let go [dashboard.hold.holders]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const first = await calls.hold(owner, { mandateId, holdId: 'a', holder: 'one' });
  const second = await calls.hold(owner, { mandateId, holdId: 'a', holder: 'two' });
  expect([second.status, second.data]).toEqual([200, first.data]);
  expect(await heldOf(owner, mandateId)).toBe('1');
  // The second release by the same holder is that of nobody any more.
  for (const _ of [1, 2]) {
    const reply = await calls.release(owner, 'a', 'one');
    expect([reply.status, reply.data]).toEqual([200, { holdId: 'a', remainingBudget: '19' }]);
  }
  expect(await calls.release(owner, 'a', 'stranger')).toMatchObject({ data: { remainingBudget: '19' } });
  expect(await calls.release(owner, 'a', 'two')).toMatchObject({ data: { remainingBudget: '20' } });
  expect(await heldOf(owner, mandateId)).toBe('0');
});

test('a hold lasts for as long as the latest of its holders needs it; who has it already extends nothing [dashboard.hold.holders]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const place = async (holder?: string) =>
    (await calls.hold(owner, { mandateId, holdId: 'a', holder, ttlSeconds: 60 })).data;
  const first = await place('one');
  dashboard.clock.advance(50_000);
  expect((await place('one')).expiresAt).toBe(first.expiresAt);
  const joined = await place('two');
  expect(Date.parse(joined.expiresAt) - Date.parse(first.expiresAt)).toBe(50_000);
  dashboard.clock.advance(20_000);
  expect(await heldOf(owner, mandateId)).toBe('1');
  dashboard.clock.advance(40_000);
  expect(await heldOf(owner, mandateId)).toBe('0');
});

test('a holder that places its hold twice lets go of it once [dashboard.hold.holders] [dashboard.hold.same-again]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  for (const _ of [1, 2]) await calls.hold(owner, { mandateId, holdId: 'a', holder: 'one' });
  expect(await calls.release(owner, 'a', 'one')).toMatchObject({ data: { remainingBudget: '20' } });
});

test('a release without a holder ends the hold for all [dashboard.hold.holders] [dashboard.hold.release]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  for (const holder of ['one', 'two', undefined]) await calls.hold(owner, { mandateId, holdId: 'a', holder });
  expect(await calls.release(owner, 'a')).toMatchObject({ data: { remainingBudget: '20' } });
});

test('who places a hold without a name needs it too: a release by another leaves it [dashboard.hold.holders]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  for (const holder of [undefined, 'one']) await calls.hold(owner, { mandateId, holdId: 'a', holder });
  expect(await calls.release(owner, 'a', 'one')).toMatchObject({ data: { remainingBudget: '19' } });
  expect(await heldOf(owner, mandateId)).toBe('1');
});

test('placed anew after it ran out or was released, a hold is of the one who placed it alone [dashboard.hold.holders]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const place = (holder: string) => calls.hold(owner, { mandateId, holdId: 'a', holder, ttlSeconds: 10 });
  await place('one');
  dashboard.clock.advance(10_000);
  await place('two');
  expect(await calls.release(owner, 'a', 'one')).toMatchObject({ data: { remainingBudget: '19' } });
  await calls.release(owner, 'a');
  await place('three');
  expect(await calls.release(owner, 'a', 'two')).toMatchObject({ data: { remainingBudget: '19' } });
  expect(await calls.release(owner, 'a', 'three')).toMatchObject({ data: { remainingBudget: '20' } });
});

test('a report turns the hold into usage, whoever else leans on it [dashboard.hold.holders] [dashboard.hold.becomes-usage]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  for (const holder of ['one', 'two']) await calls.hold(owner, { mandateId, holdId: 'a', holder });
  expect(await calls.report(owner, mandateId, { holdId: 'a' })).toMatchObject({ status: 201 });
  expect(await heldOf(owner, mandateId)).toBe('0');
  expect(await calls.release(owner, 'a', 'two')).toMatchObject({ status: 409, code: 80000003 });
});

test('what a build before writes and asks beside this one is nobody’s by name, and stands [dashboard.hold.holders]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const { pool, close } = await openDatabase(dashboard.config.storage, createLogger('test', 'silent'));
  onTestFinished(close);
  const now = dashboard.clock.now;
  const { rows } = await pool.query('select account_id as id from dashboard.mandate where id = $1', [
    mandateId,
  ]);
  const placed = await pool.query(
    `select outcome from dashboard.place_hold($1::timestamptz, $2, $2, 'a', $3, 1, $1::timestamptz + interval '1 minute', null, null)`,
    [now, rows[0].id, mandateId],
  );
  expect(placed.rows).toEqual([{ outcome: 'held' }]);
  expect(await calls.hold(owner, { mandateId, holdId: 'a', holder: 'one' })).toMatchObject({ status: 200 });
  expect(await calls.release(owner, 'a', 'one')).toMatchObject({ data: { remainingBudget: '19' } });
  expect(await calls.release(owner, 'a')).toMatchObject({ data: { remainingBudget: '20' } });
});

test('a holder has 1 to 128 characters; of more than 32 the hold keeps no names, and runs out [dashboard.hold.holders]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  for (const holder of ['', 'x'.repeat(129)]) {
    expect(await calls.hold(owner, { mandateId, holder })).toMatchObject({ status: 400, code: 80000012 });
    expect(await calls.release(owner, 'a', holder)).toMatchObject({ status: 400, code: 80000012 });
  }
  const names = Array.from({ length: 40 }, (_, n) => `${n}`.padStart(128, 'x'));
  for (const holder of names)
    expect(await calls.hold(owner, { mandateId, holdId: 'a', holder })).toMatchObject({ status: 200 });
  for (const holder of names) await calls.release(owner, 'a', holder);
  expect(await heldOf(owner, mandateId)).toBe('1');
  dashboard.clock.advance(60_000);
  expect(await heldOf(owner, mandateId)).toBe('0');
});

test('placed and released by many at once: whoever was told that it stands, and keeps it, has it [dashboard.hold.holders]', async () => {
  for (const round of [1, 2, 3, 4]) {
    const { owner, mandateId } = await ownerWithMandate();
    const hold = { mandateId, holdId: `r${round}` };
    const leaving = Array.from({ length: 12 }, async (_, n) => {
      await calls.hold(owner, { ...hold, holder: `leaves ${n}` });
      return calls.release(owner, hold.holdId, `leaves ${n}`);
    });
    const staying = await calls.hold(owner, { ...hold, holder: 'stays' });
    expect(staying.status).toBe(200);
    for (const reply of await Promise.all(leaving)) expect(reply.status).toBe(200);
    expect(await heldOf(owner, mandateId)).toBe('1');
    expect(await calls.release(owner, hold.holdId, 'stays')).toMatchObject({
      data: { remainingBudget: '20' },
    });
  }
});
