import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foundIn } from '../../../packages/service/test/everything-kept.ts';
import { forgetRejected } from '../src/personal/retention.ts';
import { openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';
import {
  dayMs,
  decide,
  exportOf,
  kycOf,
  newestReview,
  newIdentity,
  newPerson,
  operators,
  operatorWallet,
  type Owner,
  query,
  submit,
  urlOf,
  word,
} from './personal-data.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
});
afterAll(() => dashboard.stop());

test('an approved renewal deletes what was handed in for the approval before; what was decided stays [dashboard.personal.retention.renewed]', async () => {
  const operator = await dashboard.newAccount(operatorWallet);
  const owner = await dashboard.newAccount();
  const [old, fresh] = [newIdentity(), newIdentity()];
  await submit(dashboard, owner, old);
  const { id } = await newestReview(dashboard, operator);
  const why = `seen ${word()}`;
  await decide(dashboard, operator, id, 'approve', why);
  const earlier = `update dashboard.kyc_submission set approved_at = approved_at - interval '350 days' where id = $1`;
  await query(dashboard, earlier, [id]);
  expect(await submit(dashboard, owner, fresh)).toMatchObject({ status: 200 });
  const before = (await exportOf(dashboard, owner.token)).text;
  expect(foundIn(before, [old.fullName, why])).toHaveLength(2);
  await decide(dashboard, operator, (await newestReview(dashboard, operator)).id, 'approve');
  const { data } = await exportOf(dashboard, owner.token);
  expect(data.submissions.records).toMatchObject([
    { id, status: 'approved', personalData: 'erased', reason: null },
    { ...fresh, status: 'approved', personalData: 'kept' },
  ]);
  expect(foundIn(JSON.stringify(data), [old.fullName, why])).toEqual([]);
  expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({ kycStatus: 'approved' });
  for (const [deed, kycStatus] of [
    ['withdraw', 'rejected'],
    ['restore', 'approved'],
  ]) {
    const body = { walletAddress: owner.address, reason: deed };
    expect(await dashboard.post(`/api/kyc/${deed}`, body, operator.token)).toMatchObject({ status: 200 });
    expect(await kycOf(dashboard, operator, owner.address)).toMatchObject({ kycStatus });
  }
});

test('retention forgets why a withdrawal was taken back too [dashboard.personal.retention]', async () => {
  const { operator, owner, review } = await newPerson(dashboard);
  for (const deed of ['withdraw', 'restore', 'withdraw'])
    await dashboard.post(
      `/api/kyc/${deed}`,
      { walletAddress: owner.address, reason: `${deed} Ada` },
      operator.token,
    );
  const historyOf = () =>
    query(
      dashboard,
      'select deed, review_id as review, reason from dashboard.compliance_history where wallet = $1 order by id desc',
      [owner.address],
    );
  expect(await historyOf()).toMatchObject([
    { deed: 'withdraw', review: review.id, reason: 'withdraw Ada' },
    { deed: 'restore', review: review.id, reason: 'restore Ada' },
    { deed: 'withdraw', review: review.id },
    { deed: 'approve', review: review.id },
  ]);
  const pool = createPool(urlOf(dashboard), createLogger('test', 'silent'));
  await forgetRejected(pool, 1, new Date(dashboard.clock.now.getTime() + dayMs));
  await pool.end();
  expect((await historyOf()).map(({ reason }) => reason)).toEqual([null, null, null, null]);
});

test('a rejected submission keeps personal data for the configured days; any process deletes them, after downtime too [dashboard.personal.retention]', async () => {
  const first = await openDashboard({ operators, kycRetentionDays: 30 });
  const { storage } = first.config;
  const at = (ms: number) => new Date(first.clock.now.getTime() + ms);
  const operator = await first.newAccount(operatorWallet);
  const [rejected, approved, waiting] = [newIdentity(), newIdentity(), newIdentity()];
  const owners: Owner[] = [];
  const reason = `blurred ${word()}`;
  for (const [identity, decision] of [
    [rejected, 'reject'],
    [approved, 'approve'],
    [waiting, null],
  ] as const) {
    const owner = await first.newAccount();
    owners.push(owner);
    await submit(first, owner, identity);
    const { id } = await newestReview(first, operator);
    if (decision !== null) await decide(first, operator, id, decision, reason);
  }
  await first.stop();

  const kept = async (moment: Date) => {
    const world = { now: () => moment };
    const processes = await Promise.all(
      [1, 2].map(() => openDashboard({ operators, kycRetentionDays: 30, storage }, world)),
    );
    // A process ends only when what it has begun is done.
    await Promise.all(processes.map((each) => each.stop()));
    const of = { rejected, approved, waiting };
    const database = await query(
      first,
      'select id, reason, erased_for from dashboard.kyc_submission order by seq',
    );
    return {
      rows: database,
      sealed: (await query(first, 'select 1 from dashboard.kyc_identity')).length,
      of,
    };
  };
  expect((await kept(at(30 * dayMs - 1))).sealed).toBe(3);
  const after = await kept(at(30 * dayMs));
  expect(after.sealed).toBe(2);
  expect(after.rows.map(({ erased_for }) => erased_for)).toEqual(['retention', null, null]);
  expect(after.rows[0].reason).toBeNull();
  expect((await kept(at(400 * dayMs))).sealed).toBe(2);

  // What was decided stays in force.
  const later = await openDashboardForTest({ operators, storage });
  const statusOf = async (owner: Owner | undefined) =>
    (await kycOf(later, operator, owner?.address ?? '')).kycStatus;
  expect([await statusOf(owners[0]), await statusOf(owners[1]), await statusOf(owners[2])]).toEqual([
    'rejected',
    'approved',
    'pending',
  ]);
});
