import { afterAll, beforeAll, expect, test } from 'vitest';
import { askedOf, signatureOf } from './approvals.ts';
import { chainId, newWallet, openDashboard, type TestDashboard } from './dashboard.ts';
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
    newPayees: 'ask',
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

test('told to ask, the first payment to each payee is the owner’s until they have signed one [dashboard.policy.new-payees]', async () => {
  const { owner, mandateId, hold } = await restricted({ newPayees: 'ask' });
  const asked = { status: 400, code: 80000056, msg: 'NEW_PAYEE' };
  expect(await hold('1', { payee: merchant })).toMatchObject(asked);
  // A hold that names no payee is to a new one.
  expect(await hold('1')).toMatchObject(asked);
  const approval = askedOf(owner.address, dashboard.clock.now, { payTo: merchant });
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...approval });
  // Used by the gateway without a signature that the dashboard has seen, it counts for nothing.
  const other = askedOf(owner.address, dashboard.clock.now, { payTo: merchant });
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...other });
  const use = { apiKey: owner.apiKey, approvalId: other.approvalId };
  expect(await dashboard.post('/api/approvals/use', use)).toMatchObject(success);
  expect(await hold('1', { payee: merchant })).toMatchObject(asked);

  const signature = signatureOf(owner.wallet, approval);
  const approve = `/api/approvals/${approval.approvalId}/approve`;
  expect(await dashboard.post(approve, { signature }, owner.token)).toMatchObject(success);
  expect(await hold('1', { payee: merchant })).toMatchObject(success);
  expect(await hold('1', { payee: newWallet().address })).toMatchObject(asked);
  // The signed limits stay, a list comes first, and who does not know of the rule does not lift it.
  expect(await hold('51', { payee: merchant })).toMatchObject({ code: 80000056 });
  const { newPayees: _, ...before } = noPolicy;
  const policy = { ...before, allowedMerchants: [merchant] };
  await dashboard.post('/api/mandates/intent/policy', { mandateId, policy }, owner.token);
  expect(await hold('1', { payee: newWallet().address })).toMatchObject({ msg: 'MERCHANT_NOT_ALLOWED' });
  expect((await calls.find(owner, mandateId)).policy).toMatchObject({ newPayees: 'ask' });
});

test('an approval lifts the question about new payees on its own chain alone [dashboard.policy.new-payees.chain]', async () => {
  const { owner, hold } = await restricted({ newPayees: 'ask' });
  const approval = askedOf(owner.address, dashboard.clock.now, { payTo: merchant });
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...approval });
  const signature = signatureOf(owner.wallet, approval);
  await dashboard.post(`/api/approvals/${approval.approvalId}/approve`, { signature }, owner.token);
  expect(await hold('1', { payee: merchant, chain: 'eip155:1' })).toMatchObject({ msg: 'NEW_PAYEE' });
  expect(await hold('1', { payee: merchant, chain: `eip155:${chainId}` })).toMatchObject(success);
  expect(await hold('1', { payee: merchant })).toMatchObject(success);
});

test('a hold that stands is judged by the policy of now, and is for its payee alone [dashboard.policy.standing-hold]', async () => {
  const { owner, mandateId, hold } = await restricted({});
  const again = { holdId: 'standing', payee: merchant };
  expect(await hold('40', again)).toMatchObject(success);
  expect(await hold('40', { ...again, payee: newWallet().address })).toMatchObject({ code: 80000003 });
  expect(await hold('40', { holdId: 'standing' })).toMatchObject({ code: 80000003 });
  for (const [policy, msg] of [
    [{ allowedMerchants: [], newPayees: 'ask' }, 'MERCHANT_NOT_ALLOWED'],
    [{ allowedServices: [] }, 'SERVICE_NOT_ALLOWED'],
    [{ newPayees: 'ask' }, 'NEW_PAYEE'],
    [{ approvalThreshold: '39' }, 'APPROVAL_THRESHOLD_EXCEEDED'],
    [{ period: { every: 'day', budget: '39' } }, 'PERIOD_BUDGET_EXCEEDED'],
  ] as const) {
    await calls.setPolicy(owner, mandateId, policy);
    expect(await hold('40', again)).toMatchObject({ msg });
  }
  // It counts once, and not against itself.
  await calls.setPolicy(owner, mandateId, { period: { every: 'day', budget: '40' } });
  expect(await hold('40', again)).toMatchObject({ ...success, data: { remainingBudget: '60' } });
});

test('a refusal names every exceeded rule, and an approval lifts those that its owner was told of [dashboard.policy.exceeded]', async () => {
  const period = { every: 'day', budget: '1' };
  const {
    owner,
    mandateId,
    hold: place,
  } = await restricted({ newPayees: 'ask', approvalThreshold: '1', period });
  const hold = (amount: string, more: object = {}) => place(amount, { chain: `eip155:${chainId}`, ...more });
  // As it was: to those who name no chain.
  expect(await place('5.25')).toMatchObject({ code: 80000056, msg: 'NEW_PAYEE', data: null });
  const exceeded = ['NEW_PAYEE', 'APPROVAL_THRESHOLD_EXCEEDED', 'PERIOD_BUDGET_EXCEEDED'];
  const asked = { code: 80000056, msg: 'NEW_PAYEE', data: { exceeded } };
  expect(await hold('5.25', { payee: merchant })).toMatchObject(asked);
  const approve = async (reasons: readonly string[]) => {
    const approval = { ...askedOf(owner.address, dashboard.clock.now, { payTo: merchant }), reasons };
    const made = await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...approval });
    expect(made.data.approval).toMatchObject({ reasons });
    return { approvalId: approval.approvalId, payee: merchant };
  };
  // What the owner was not told of, they have not approved; and they have approved this payment alone.
  const untold = { msg: 'APPROVAL_THRESHOLD_EXCEEDED', data: { exceeded } };
  expect(await hold('5.25', await approve(['NEW_PAYEE']))).toMatchObject(untold);
  const told = await approve(exceeded);
  expect(await hold('5.26', told)).toMatchObject(asked);
  expect(await hold('5.25', { ...told, payee: newWallet().address })).toMatchObject(asked);
  expect(await hold('5.25', { ...told, chain: 'eip155:1' })).toMatchObject(asked);

  // Lists and a pause bind it, also such as were set meanwhile.
  const policy = { newPayees: 'ask', approvalThreshold: '1', period };
  await calls.setPolicy(owner, mandateId, { ...policy, allowedMerchants: [newWallet().address] });
  expect(await hold('5.25', told)).toMatchObject({ msg: 'MERCHANT_NOT_ALLOWED' });
  await calls.setPolicy(owner, mandateId, { ...policy, paused: true });
  expect(await hold('5.25', told)).toMatchObject({ msg: 'MANDATE_PAUSED' });

  // It takes its place: what comes after it finds the period's budget gone.
  await calls.setPolicy(owner, mandateId, policy);
  expect(await hold('5.25', told)).toMatchObject({ ...success, data: { remainingBudget: '100' } });
  await calls.setPolicy(owner, mandateId, { period: { every: 'day', budget: '6' }, newPayees: 'pay' });
  expect(await hold('0.76')).toMatchObject({ msg: 'PERIOD_BUDGET_EXCEEDED' });
  expect(await hold('0.75')).toMatchObject(success);
});

test('a hold by an approval keeps its part of the budget once it is asked for without [dashboard.policy.standing-hold]', async () => {
  const { owner, mandateId, hold: place } = await restricted({ approvalThreshold: '1' });
  const approval = {
    ...askedOf(owner.address, dashboard.clock.now, { payTo: merchant }),
    reasons: ['APPROVAL_THRESHOLD_EXCEEDED'],
  };
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...approval });
  const hold = (more: object) =>
    place('5.25', { holdId: 'once', payee: merchant, chain: `eip155:${chainId}`, ...more });
  const left = (remainingBudget: string) => ({ ...success, data: { remainingBudget } });
  expect(await hold({ approvalId: approval.approvalId })).toMatchObject(left('100'));
  await calls.setPolicy(owner, mandateId, {});
  expect(await hold({})).toMatchObject(left('94.75'));
  expect((await calls.find(owner, mandateId)).heldAmount).toBe('5.25');
});

test('a new mandate asks about new payees as the last one of its wallet does [dashboard.policy.new-payees.inherited]', async () => {
  const { owner, mandateId } = await restricted({ newPayees: 'ask', approvalThreshold: '1' });
  const next = await dashboard.newMandate(owner, { totalBudget: '100', perTxLimit: '50' });
  expect((await calls.find(owner, next)).policy).toEqual({ ...noPolicy, newPayees: 'ask' });
  await calls.setPolicy(owner, mandateId, { newPayees: 'pay' });
  await calls.setPolicy(owner, next, { newPayees: 'pay' });
  const last = await dashboard.newMandate(owner, { totalBudget: '100', perTxLimit: '50' });
  expect((await calls.find(owner, last)).policy).toEqual(noPolicy);
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
