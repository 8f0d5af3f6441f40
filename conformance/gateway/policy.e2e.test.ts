import { expectOk } from '@countersign/local/dashboard-account';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalIn } from './fixtures/approval.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };
const noPolicy = {
  paused: false,
  period: null,
  allowedMerchants: null,
  allowedServices: null,
  approvalThreshold: null,
};

async function restrict({ token, mandateId }: Owner, policy: Partial<typeof noPolicy> | object) {
  const body = { mandateId: mandateId ?? '', policy: { ...noPolicy, ...policy } };
  return expectOk('set the policy', await world.dashboard.setMandatePolicy({ token, body }));
}

/** An agent whose owner has set this policy, and what a quote leaves in the owner's wallet. */
async function restricted(policy: object) {
  const owner = await world.newOwner();
  await restrict(owner, policy);
  const { agent } = await world.gateway(owner);
  const before = await world.balance(owner.wallet.address);
  const spent = async () => before - (await world.balance(owner.wallet.address));
  return { owner, agent, spent };
}

test('a merchant or service that the owner does not list is not paid, and nobody is asked [gateway.paying.policy.not-listed]', async () => {
  const { owner, agent, spent } = await restricted({ allowedMerchants: [world.card.operator.address] });
  expect(await agent.call(quote)).toMatchObject({
    ok: false,
    stage: 'payment_required',
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('does not list this merchant'),
    detail: { paymentMade: false, assuranceResult: { passed: true } },
  });
  await restrict(owner, { allowedServices: ['archive'] });
  expect(await agent.call(quote)).toMatchObject({
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('does not list this service'),
  });
  const asked = await world.dashboard.listApprovals({ token: owner.token, body: {} });
  expect(expectOk('list', asked).total).toBe(0);
  expect(await spent()).toBe(0n);

  await restrict(owner, { allowedMerchants: [world.merchant.address], allowedServices: ['quotes'] });
  expect((await agent.call(quote)).code).toBe('SUCCESS');
  expect(await spent()).toBe(10_000n);
});

test.each([
  ['an approval threshold', { approvalThreshold: '0.005' }, 'PER_TX_LIMIT_EXCEEDED'],
  ['a period budget', { period: { every: 'day', budget: '0.005' } }, 'TOTAL_BUDGET_EXCEEDED'],
])(
  'above %s the owner decides, and what is signed is paid [gateway.paying.policy.asks-owner]',
  async (_, policy, errorCode) => {
    const { owner, agent, spent } = await restricted(policy);
    const answer = await agent.call(quote);
    expect(answer).toMatchObject({
      code: 'WALLET_APPROVAL_REQUIRED',
      detail: { assuranceResult: { passed: false, errorCode } },
    });
    expect(await spent()).toBe(0n);
    const { approvalId, typedData } = approvalIn(answer);
    const signature = await privateKeyToAccount(owner.wallet.privateKey).signTypedData(typedData);
    const paid = await agent.call({ ...quote, paymentPayload: { approvalId, signature } });
    expect(paid.code).toBe('SUCCESS');
    expect(await spent()).toBe(10_000n);
  },
);

test('told to ask, the first payment to a payee is the owner’s to approve, and the next one needs nobody [gateway.paying.policy.new-payees]', async () => {
  const { owner, agent, spent } = await restricted({ newPayees: 'ask' });
  const answer = await agent.call(quote);
  expect(answer).toMatchObject({
    code: 'WALLET_APPROVAL_REQUIRED',
    message: expect.stringContaining('the first payment to each payee'),
    detail: { assuranceResult: { passed: false, errorCode: 'PER_TX_LIMIT_EXCEEDED' } },
  });
  // The code is that of a limit, the words say whose rule it is.
  expect(answer.detail.assuranceResult?.errorMessage).toMatch(
    /^The owner wants to be asked about the first payment/,
  );
  expect(await spent()).toBe(0n);
  const { approvalId, typedData } = approvalIn(answer);
  const { token } = owner;
  const listed = expectOk('list', await world.dashboard.listApprovals({ token, body: {} }));
  expect(listed.data).toMatchObject([{ approvalId, reason: 'NEW_PAYEE', payTo: world.merchant.address }]);
  const signature = await privateKeyToAccount(owner.wallet.privateKey).signTypedData(typedData);
  const signed = { token, params: { approvalId }, body: { signature } };
  expectOk('approve', await world.dashboard.approveApproval(signed));
  expect((await agent.call({ ...quote, paymentPayload: { approvalId } })).code).toBe('SUCCESS');
  expect((await agent.call(quote)).code).toBe('SUCCESS');
  expect(await spent()).toBe(20_000n);
});

test('an approval tells every exceeded rule, and what the owner approved takes its place under all of them [gateway.paying.policy.every-rule]', async () => {
  const policy = { newPayees: 'ask', approvalThreshold: '0.005', period: { every: 'day', budget: '0.015' } };
  const { owner, agent, spent } = await restricted({ ...policy, period: { every: 'day', budget: '0.005' } });
  const exceeded = ['NEW_PAYEE', 'APPROVAL_THRESHOLD_EXCEEDED', 'PERIOD_BUDGET_EXCEEDED'];
  const answer = await agent.call(quote);
  expect(answer.detail.assuranceResult?.errorMessage).toMatch(
    /first payment.*lets pass without asking.*for this period/,
  );
  const { token, wallet } = owner;
  const list = async () => expectOk('list', await world.dashboard.listApprovals({ token, body: {} })).data;
  expect(await list()).toMatchObject([{ reason: 'NEW_PAYEE', reasons: exceeded }]);

  const { approvalId, typedData } = approvalIn(answer);
  const signature = await privateKeyToAccount(wallet.privateKey).signTypedData(typedData);
  const approved = { ...quote, paymentPayload: { approvalId, signature } };
  // What the owner says meanwhile binds what they have approved.
  await restrict(owner, { ...policy, allowedMerchants: [world.card.operator.address] });
  expect(await agent.call(approved)).toMatchObject({
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('does not list this merchant'),
  });
  await restrict(owner, { ...policy, paused: true });
  expect((await agent.call(approved)).code).toBe('MANDATE_NOT_FOUND');
  expect(await spent()).toBe(0n);

  await restrict(owner, policy);
  expect((await agent.call(approved)).code).toBe('SUCCESS');
  expect(await spent()).toBe(10_000n);
  // 0.01 of 0.015 is taken, so another 0.01 is beyond the period's budget as well.
  await restrict(owner, { ...policy, approvalThreshold: null, newPayees: 'pay' });
  expect((await agent.call(quote)).code).toBe('WALLET_APPROVAL_REQUIRED');
  expect(await list()).toMatchObject([{ reasons: ['PERIOD_BUDGET_EXCEEDED'] }, { approvalId }]);
});

test('an approval does not lift a rule that its owner was not told of: they are asked again [gateway.paying.policy.every-rule]', async () => {
  const { owner, agent, spent } = await restricted({ newPayees: 'ask' });
  const { approvalId, typedData } = approvalIn(await agent.call(quote));
  const signature = await privateKeyToAccount(owner.wallet.privateKey).signTypedData(typedData);
  await restrict(owner, { newPayees: 'ask', approvalThreshold: '0.005' });
  const again = approvalIn(await agent.call({ ...quote, paymentPayload: { approvalId, signature } }));
  expect(again.approvalId).not.toBe(approvalId);
  expect(again).toMatchObject({ reasons: ['NEW_PAYEE', 'APPROVAL_THRESHOLD_EXCEEDED'] });
  expect(await spent()).toBe(0n);
});

test('above a signed limit the owner is told what else their policy says, and nobody is asked what a list refuses [gateway.paying.policy.every-rule]', async () => {
  const owner = await world.newOwner({ mandate: { perTxLimit: '0.005', totalBudget: '20' } });
  await restrict(owner, { newPayees: 'ask' });
  const { agent } = await world.gateway(owner);
  expect(approvalIn(await agent.call(quote))).toMatchObject({
    reasons: ['NEW_PAYEE', 'PER_TX_LIMIT_EXCEEDED'],
  });
  await restrict(owner, { newPayees: 'ask', allowedServices: ['archive'] });
  expect((await agent.call(quote)).code).toBe('PAYMENT_UNSUPPORTED');
});

test.each([
  ['a paused mandate', { paused: true }, 'MANDATE_PAUSED'],
  ['a threshold', { approvalThreshold: '0.005' }, 'APPROVAL_THRESHOLD_EXCEEDED'],
  ['a period budget', { period: { every: 'day', budget: '0.005' } }, 'PERIOD_BUDGET_EXCEEDED'],
  ['a new payee', { newPayees: 'ask' }, 'NEW_PAYEE'],
  ['a list of services', { allowedServices: ['archive'] }, 'SERVICE_NOT_ALLOWED'],
])(
  'the record of a payment that %s stopped says so [gateway.report.metadata.reason]',
  async (_, policy, reason) => {
    const { owner, agent } = await restricted(policy);
    expect((await agent.call(quote)).ok).toBe(false);
    const records = await until(
      () => world.records(owner),
      (made) => made.length > 0,
    );
    expect(records).toMatchObject([{ serviceResult: 'reject', reason, toolName: 'get_quote' }]);
  },
);

test('while the mandate is paused nothing is paid; afterwards it goes on [gateway.paying.policy.paused]', async () => {
  const { owner, agent, spent } = await restricted({ paused: true });
  expect((await agent.call(quote)).code).toBe('MANDATE_NOT_FOUND');
  expect(await spent()).toBe(0n);
  await restrict(owner, {});
  expect((await agent.call(quote)).code).toBe('SUCCESS');
});
