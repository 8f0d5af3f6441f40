import { expectOk } from '@countersign/local/dashboard-account';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalIn } from './fixtures/approval.ts';
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

test('while the mandate is paused nothing is paid; afterwards it goes on [gateway.paying.policy.paused]', async () => {
  const { owner, agent, spent } = await restricted({ paused: true });
  expect((await agent.call(quote)).code).toBe('MANDATE_NOT_FOUND');
  expect(await spent()).toBe(0n);
  await restrict(owner, {});
  expect((await agent.call(quote)).code).toBe('SUCCESS');
});
