import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openDashboard, type TestDashboard } from './dashboard.ts';
import { mandateCalls } from './mandate-calls.ts';

let dashboard: TestDashboard;
let calls: ReturnType<typeof mandateCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  calls = mandateCalls(dashboard);
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;

const alerts = async ({ token }: Owner, body: object = {}) =>
  (await dashboard.post('/api/alerts/list', body, token)).data;
const kinds = async (owner: Owner) => (await alerts(owner)).data.map(({ kind }: Json) => kind);
const seen = ({ token }: Owner, ids: unknown) => dashboard.post('/api/alerts/seen', { ids }, token);

test('each part of the budget is told once, in the step that uses it [dashboard.alerts.budget]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { totalBudget: '10', perTxLimit: '10' });
  await calls.spend(owner, id, '4.999999999999999999');
  expect(await kinds(owner)).toEqual([]);
  await calls.spend(owner, id, '0.000000000000000001');
  expect((await alerts(owner)).data).toEqual([
    {
      id: expect.any(Number),
      mandateId: id,
      kind: 'budget_50',
      createdAt: dashboard.clock.now.toISOString(),
      seenAt: null,
    },
  ]);
  await calls.spend(owner, id, '1');
  expect(await kinds(owner)).toEqual(['budget_50']);
  await calls.spend(owner, id, '5');
  expect(await kinds(owner)).toEqual(['budget_100', 'budget_80', 'budget_50']);
});

test('a repeated report tells nothing again, and many at once tell each once [dashboard.alerts.budget]', async () => {
  const owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { totalBudget: '10', perTxLimit: '10' });
  await Promise.all(Array.from({ length: 10 }, () => calls.spend(owner, id, '1')));
  expect((await kinds(owner)).toSorted()).toEqual(['budget_100', 'budget_50', 'budget_80']);
});

test('the list is newest first, in pages, and the account’s own [dashboard.alerts.list]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const id = await dashboard.newMandate(owner, { totalBudget: '1' });
  await calls.spend(owner, id, '1');
  expect(await alerts(owner, { page: 2, limit: 2 })).toMatchObject({
    data: [{ mandateId: id }],
    total: 3,
    page: 2,
    limit: 2,
  });
  expect(await alerts(other)).toEqual({ data: [], total: 0, page: 1, limit: 20 });
});

test('what was seen keeps the time when it was seen first; others’ alerts cannot be marked [dashboard.alerts.seen]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const id = await dashboard.newMandate(owner, { totalBudget: '1' });
  await calls.spend(owner, id, '1');
  const [{ id: first }, { id: second }] = (await alerts(owner)).data;
  expect((await seen(other, [first])).data).toEqual({ ids: [] });
  expect((await seen(owner, [first, 999_999_999])).data).toEqual({ ids: [first] });
  const at = dashboard.clock.now.toISOString();
  dashboard.clock.advance(60_000);
  expect((await seen(owner, [first])).data).toEqual({ ids: [first] });
  const { data } = await alerts(owner);
  expect(data.map(({ seenAt }: Json) => seenAt)).toEqual([at, null, null]);
  expect(second).not.toBe(first);
  for (const bad of [[0], Array.from({ length: 101 }, () => 1)])
    expect(await seen(owner, bad)).toMatchObject({ status: 400, code: 80000012 });
});
