import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { startWorld, type World } from './fixtures/world.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await startWorld();
  const site = { origin: new URL(world.card.dashboardUrl ?? ''), chainId: world.card.chainId };
  ({ token } = await logIn(world.dashboard, world.card.operator, site));
});
afterAll(() => world?.stop());

/** A gateway in front of a shop whose payee nobody knows. */
async function atUnknownShop() {
  const owner = await world.newOwner();
  const merchant = await world.newMerchant({ registered: false });
  // An x402 service that never heard of us sends no cart.
  const tool = sellTool(merchant, { cart: 'none' });
  const { agent } = await world.gateway(owner, { shop: await world.service('shop', [tool]) });
  return { owner, merchant, buy: () => agent.call(sale) };
}

async function reviewOf(payee: string) {
  const { data } = expectOk(
    'list',
    await world.dashboard.listPayeeReviews({ token, body: { state: 'pending', limit: 100 } }),
  );
  return data.find((review) => review.payee === payee);
}

const record = (address: string) => ({
  legalName: 'Shop KG',
  domain: 'shop.example',
  addresses: [{ address, networks: null }],
  validUntil: new Date(Date.now() + 86_400_000).toISOString(),
});

test('an unknown payee is not paid and is reviewed; once an operator admits it, the next call pays [gateway.compliance.unknown-payee]', async () => {
  const { owner, merchant, buy } = await atUnknownShop();
  const before = await world.balance(owner.wallet.address);
  expect(await buy()).toMatchObject({
    ok: false,
    code: 'PAYEE_KYC_NOT_APPROVED',
    stage: 'compliance_check',
    detail: { paymentMade: false, payeeComplianceDecision: { passed: false, kycStatus: 'pending' } },
  });
  const review = await until(
    () => reviewOf(merchant.address),
    (found) => found !== undefined,
  );
  expect(review).toMatchObject({
    serviceName: 'shop',
    toolName: 'sell',
    amount: '0.01',
    tokenSymbol: 'USDC',
    kytResult: 1,
    refusals: 1,
  });
  expect(await world.balance(owner.wallet.address)).toBe(before);

  const created = await world.dashboard.createPayee({ token, body: record(merchant.address) });
  const { payee } = expectOk('admit', created);
  expect((await buy()).ok).toBe(true);
  expect(await world.balance(merchant.address)).toBe(10_000n);
  expect(await reviewOf(merchant.address)).toBeUndefined();

  expectOk(
    'withdraw',
    await world.dashboard.withdrawPayee({ token, params: { id: payee.id }, body: { reason: 'Closed' } }),
  );
  expect(await buy()).toMatchObject({ code: 'PAYEE_KYC_NOT_APPROVED', detail: { paymentMade: false } });
  expect(await world.balance(merchant.address)).toBe(10_000n);
});
