import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWallet, openDashboard, type TestDashboard } from './dashboard.ts';
import { holdCalls } from './holds.ts';
import { mandateCalls, noPolicy } from './mandate-calls.ts';

let dashboard: TestDashboard;
let calls: ReturnType<typeof mandateCalls> & ReturnType<typeof holdCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  calls = { ...mandateCalls(dashboard), ...holdCalls(dashboard) };
});
afterAll(() => dashboard.stop());

const success = { status: 200, code: 80000000 };
const merchant = newWallet().address;

async function restricted(policy: object, limits: object = {}) {
  const owner = await dashboard.newAccount();
  const mandateId = await dashboard.newMandate(owner, { totalBudget: '100', perTxLimit: '50', ...limits });
  expect(await calls.setPolicy(owner, mandateId, policy)).toMatchObject(success);
  const hold = (amount: string, more: object = {}) =>
    calls.hold(owner, { mandateId, amount, ttlSeconds: 10, ...more });
  return { owner, mandateId, hold };
}

test('a policy is replaced as a whole, without a signature, and every mandate shows it [dashboard.policy.set]', async () => {
  const { owner, mandateId } = await restricted({ paused: true });
  const policy = {
    paused: false,
    period: { every: 'week', budget: '12.50' },
    allowedMerchants: [merchant.toLowerCase()],
    allowedServices: ['quotes'],
    approvalThreshold: '2.0',
  };
  const reply = await calls.setPolicy(owner, mandateId, policy);
  const shown = {
    ...policy,
    period: { every: 'week', budget: '12.5' },
    allowedMerchants: [merchant],
    approvalThreshold: '2',
  };
  expect(reply.data.mandate).toMatchObject({ status: 'active', policy: shown });
  expect((await calls.find(owner, mandateId)).policy).toEqual(shown);
  await calls.setPolicy(owner, mandateId, {});
  expect((await calls.find(owner, mandateId)).policy).toEqual(noPolicy);
});

test('what is no policy changes nothing [dashboard.policy.set]', async () => {
  const { owner, mandateId } = await restricted({ approvalThreshold: '1' });
  for (const [policy, code] of [
    [{ paused: 'no' }, 80000002],
    [{ period: { every: 'week' } }, 80000002],
    [{ period: { every: 'year', budget: '1' } }, 80000012],
    [{ approvalThreshold: '-1' }, 80000012],
    [{ allowedMerchants: ['0x12'] }, 80000012],
    [{ allowedServices: Array.from({ length: 101 }, () => 'a') }, 80000012],
  ] as const)
    expect(await calls.setPolicy(owner, mandateId, policy)).toMatchObject({ status: 400, code });
  const missing = { mandateId, policy: { paused: true } };
  expect(await dashboard.post('/api/mandates/intent/policy', missing, owner.token)).toMatchObject({
    code: 80000002,
  });
  expect((await calls.find(owner, mandateId)).policy).toEqual({ ...noPolicy, approvalThreshold: '1' });
});

test('while paused nothing is found and nothing held; afterwards it goes on [dashboard.policy.paused] [dashboard.vc.paused]', async () => {
  const { owner, mandateId, hold } = await restricted({});
  const placed = (await hold('5', { holdId: 'before' })).data;
  await calls.setPolicy(owner, mandateId, { paused: true });
  const paused = { status: 404, code: 80000053, msg: 'MANDATE_PAUSED' };
  expect(await hold('1')).toMatchObject(paused);
  expect(await hold('5', { holdId: 'before' })).toMatchObject(paused);
  expect(await calls.lookUp(owner)).toMatchObject({
    ...paused,
    data: { found: false, mandate: null, remainingBudget: null, usagePercent: null, vcJson: null },
  });
  // What was paid before is recorded all the same.
  expect(await calls.report(owner, mandateId, { amount: '5', holdId: placed.holdId })).toMatchObject({
    status: 201,
  });
  await calls.setPolicy(owner, mandateId, {});
  expect(await hold('1')).toMatchObject(success);
  expect((await calls.lookUp(owner)).data).toMatchObject({ found: true, mandate: { usedAmount: '5' } });
});

test('a merchant or service that is not listed is refused, and so is a hold that names none [dashboard.policy.lists]', async () => {
  const { owner, mandateId, hold } = await restricted({ allowedMerchants: [merchant] });
  const notMerchant = { status: 403, code: 80000004, msg: 'MERCHANT_NOT_ALLOWED' };
  expect(await hold('1', { payee: merchant.toLowerCase() })).toMatchObject(success);
  expect(await hold('1', { payee: newWallet().address })).toMatchObject(notMerchant);
  expect(await hold('1')).toMatchObject(notMerchant);
  // A refusal, never a question: also of what the limits would refuse.
  expect(await hold('51', { payee: newWallet().address })).toMatchObject(notMerchant);

  await calls.setPolicy(owner, mandateId, { allowedServices: ['quotes'] });
  const notService = { status: 403, code: 80000004, msg: 'SERVICE_NOT_ALLOWED' };
  expect(await hold('1', { serviceId: 'quotes' })).toMatchObject(success);
  expect(await hold('1', { serviceId: 'quotes2' })).toMatchObject(notService);
  expect(await hold('1')).toMatchObject(notService);

  await calls.setPolicy(owner, mandateId, { allowedMerchants: [] });
  expect(await hold('1', { payee: merchant })).toMatchObject(notMerchant);
});

test('above the threshold the owner is asked [dashboard.policy.threshold]', async () => {
  const { hold } = await restricted({ approvalThreshold: '2.5' });
  expect(await hold('2.5')).toMatchObject(success);
  const asked = { status: 400, code: 80000056, msg: 'APPROVAL_THRESHOLD_EXCEEDED' };
  expect(await hold('2.500000000000000001')).toMatchObject(asked);
});

test('used and held together stay within the budget of the period [dashboard.policy.period]', async () => {
  const { owner, mandateId, hold } = await restricted({ period: { every: 'day', budget: '3' } });
  const exceeded = { status: 400, code: 80000057, msg: 'PERIOD_BUDGET_EXCEEDED' };
  const first = (await hold('1')).data;
  expect(await hold('1')).toMatchObject(success);
  expect(await hold('1.000000000000000001')).toMatchObject(exceeded);
  await calls.report(owner, mandateId, { amount: '0.5', holdId: first.holdId });
  expect(await hold('1.5')).toMatchObject(success);
  expect(await hold('0.000000000000000001')).toMatchObject(exceeded);
});

test.each([
  ['day', '2027-03-04T00:00:00.000Z'],
  ['week', '2027-03-01T00:00:00.000Z'],
  ['month', '2027-04-01T00:00:00.000Z'],
  ['month', '2028-01-01T00:00:00.000Z'],
])('a %s ends at %s in UTC, and not a millisecond before [dashboard.policy.period]', async (every, end) => {
  dashboard.clock.now = new Date(Date.parse(end) - 60_000);
  const { owner, mandateId } = await restricted({ period: { every, budget: '3' } });
  const spend = () => calls.spend(owner, mandateId, '3');
  const hold = () => calls.hold(owner, { mandateId, amount: '3', ttlSeconds: 10 });
  await spend();
  dashboard.clock.now = new Date(Date.parse(end) - 1);
  expect(await hold()).toMatchObject({ msg: 'PERIOD_BUDGET_EXCEEDED' });
  dashboard.clock.now = new Date(end);
  expect(await hold()).toMatchObject(success);
});

test('twenty holds at once do not pass the budget of the period [dashboard.policy.period]', async () => {
  const { hold } = await restricted({ period: { every: 'month', budget: '5' } });
  const replies = await Promise.all(Array.from({ length: 20 }, () => hold('1')));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
});

test('a policy is never looser than what was signed [dashboard.policy.only-tightens]', async () => {
  const { hold } = await restricted({
    period: { every: 'day', budget: '1000' },
    approvalThreshold: '1000',
    allowedMerchants: [merchant],
  });
  expect(await hold('50.1', { payee: merchant })).toMatchObject({ code: 80000056 });
  expect(await hold('50', { payee: merchant })).toMatchObject(success);
  expect(await hold('50', { payee: merchant })).toMatchObject(success);
  expect(await hold('1', { payee: merchant })).toMatchObject({ code: 80000057 });
});
