import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { expect, onTestFinished, test } from 'vitest';
import { rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { type Json, openDashboardForTest, paymentOf, type TestDashboard } from './dashboard.ts';

const day = 24 * 60 * 60_000;
type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

async function open() {
  const dashboard = await openDashboardForTest();
  const { storage } = dashboard.config;
  const pool = createPool(storage.kind === 'given' ? storage.url : '', createLogger('test', 'silent'));
  onTestFinished(() => pool.end());
  const pay = async (owner: Owner, amount: string | undefined, more: Record<string, unknown> = {}) => {
    const body = { apiKey: owner.apiKey, ...paymentOf(owner.address, { amount, ...more }) };
    expect(await dashboard.post('/api/transactions', body)).toMatchObject({ status: 201 });
  };
  const overview = async (owner: Owner): Promise<Json> => {
    const { token } = (await dashboard.loginReply(owner.wallet)).data;
    const { status, data } = await dashboard.request('GET', '/api/overview', { token });
    expect(status).toBe(200);
    expect(dashboardRoutes.getOverview.data.safeParse(data).error).toBeUndefined();
    return data;
  };
  return { dashboard, pay, overview, rollUp: rollUpAdvancer(pool) };
}

test('an account that has done nothing has spent nothing, on each of the last 30 days [dashboard.overview]', async () => {
  const { dashboard, overview } = await open();
  const { daily, ...rest } = await overview(await dashboard.newAccount());
  const none = { spent: '0', count: 0 };
  expect(rest).toEqual({ today: none, month: none, approvalsWaiting: 0, activeMandate: null });
  expect(daily).toHaveLength(30);
  expect(daily[0]).toEqual({ day: '2026-10-23', ...none });
  expect(daily[29]).toEqual({ day: '2026-11-21', ...none });
});

test('what passed is summed exactly by days of UTC, before and behind the roll-up [dashboard.overview]', async () => {
  const { dashboard, pay, overview, rollUp } = await open();
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const { clock } = dashboard;
  clock.now = new Date('2026-11-30T23:59:59.999Z');
  await pay(owner, '5');
  clock.advance(1);
  await pay(owner, '0.000000000000000001');
  await pay(owner, undefined);
  clock.now = new Date('2026-12-20T12:00:00.000Z');
  await pay(owner, '0.1', { payee: owner.address });
  await pay(owner, '0.2', { serviceResult: 'reject' });
  await pay(other, '7', { payee: owner.address });
  await rollUp(clock.now);
  await pay(owner, '9999999999999999');
  clock.now = new Date('2026-12-21T00:00:00.000Z');
  await rollUp(clock.now);
  for (let i = 0; i < 3; i++) await pay(owner, '9999999999999999.000000000000000001');
  const { today, month, daily } = await overview(owner);
  const on = (wanted: string) => daily.find(({ day: at }: Json) => at === wanted);
  expect(today).toEqual({ spent: '29999999999999997.000000000000000003', count: 3 });
  expect(month).toEqual({ spent: '39999999999999996.100000000000000004', count: 7 });
  expect(on('2026-11-30')).toEqual({ day: '2026-11-30', spent: '5', count: 1 });
  expect(on('2026-12-01')).toEqual({ day: '2026-12-01', spent: '0.000000000000000001', count: 2 });
  expect(on('2026-12-20')).toEqual({ day: '2026-12-20', spent: '9999999999999999.1', count: 2 });
  clock.advance(11 * day);
  const later = await overview(owner);
  expect([later.today.count, later.month.count, later.daily[0].day]).toEqual([0, 0, '2026-12-03']);
});

test('the month is whole even where it is longer than the days shown [dashboard.overview]', async () => {
  const { dashboard, pay, overview } = await open();
  const owner = await dashboard.newAccount();
  dashboard.clock.now = new Date('2026-12-01T00:00:00.000Z');
  await pay(owner, '1');
  dashboard.clock.now = new Date('2026-12-31T23:00:00.000Z');
  await pay(owner, '1');
  const { today, month, daily } = await overview(owner);
  expect([today.spent, month.spent, daily[0].day]).toEqual(['1', '2', '2026-12-02']);
});

test('the active mandate stands there, and how many approvals wait [dashboard.overview]', async () => {
  const { dashboard, overview } = await open();
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner);
  const { activeMandate, approvalsWaiting } = await overview(owner);
  expect([activeMandate.id, activeMandate.status, approvalsWaiting]).toEqual([id, 'active', 0]);
  expect(await dashboard.request('GET', '/api/overview')).toMatchObject({ status: 401, code: 80000044 });
});
