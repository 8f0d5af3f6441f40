import { expectOk } from '@countersign/local/dashboard-account';
import { paidTool } from '@countersign/local/merchant/paid-tool';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startWorld, type World } from './fixtures/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const identity = {
  fullName: 'Test Person',
  country: 'DE',
  documentType: 'passport',
  documentNumber: 'X 1',
} as const;

test('a payer whose approval is withdrawn pays nothing from the next call on, also while something new waits [gateway.compliance.withdrawn]', async () => {
  const owner = await world.newOwner();
  const gateway = await world.gateway(owner);
  const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };
  expect((await gateway.agent.call(quote)).ok).toBe(true);
  const before = await world.balance(owner.wallet.address);
  const refused = (kycStatus: string) => ({
    ok: false,
    code: 'PAYER_KYC_NOT_APPROVED',
    stage: 'compliance_check',
    detail: { paymentMade: false, complianceDecision: { passed: false, kycStatus } },
  });

  await world.withdraw(owner.wallet.address);
  // Many at once: none has an answer that is older than the withdrawal.
  const answers = await Promise.all(Array.from({ length: 5 }, () => gateway.agent.call(quote)));
  for (const answer of answers) expect(answer).toMatchObject(refused('rejected'));
  const { token } = owner;
  expectOk('submit', await world.dashboard.submitKyc({ token, body: identity }));
  expect(await gateway.agent.call(quote)).toMatchObject(refused('pending'));
  expect(await world.balance(owner.wallet.address)).toBe(before);
  await world.restore(owner.wallet.address);
  expect((await gateway.agent.call(quote)).ok).toBe(true);
});

test('a payee whose approval is withdrawn is paid nothing from the next call on [gateway.compliance.withdrawn]', async () => {
  const owner = await world.newOwner();
  const merchant = await world.newMerchant({ registered: true });
  const tool = paidTool({
    name: 'sell',
    title: 'Sell',
    description: 'Sells',
    input: z.object({}),
    run: () => ({ content: [] }),
    merchant,
    price: '0.01',
  });
  const gateway = await world.gateway(owner, { shop: await world.service('shop', [tool]) });
  const call = { serviceId: 'shop', toolName: 'sell' };
  expect((await gateway.agent.call(call)).ok).toBe(true);
  await world.withdraw(merchant.address);
  expect(await gateway.agent.call(call)).toMatchObject({
    code: 'PAYEE_KYC_NOT_APPROVED',
    detail: { paymentMade: false, payeeComplianceDecision: { passed: false, kycStatus: 'rejected' } },
  });
  expect(await world.balance(merchant.address)).toBe(10_000n);
});
