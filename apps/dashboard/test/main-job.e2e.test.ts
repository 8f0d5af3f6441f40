import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

test('an owner logs in, signs a mandate, a gateway looks it up, reports a payment, and the owner reads it', async () => {
  const owner = await dashboard.newAccount();
  const mandateId = await dashboard.newMandate(owner);

  const vc = await dashboard.post('/api/mandates/intent/vc', {
    apiKey: owner.apiKey,
    payerWalletAddress: owner.address,
  });
  expect(vc).toMatchObject({
    status: 200,
    code: 80000000,
    data: { found: true, remainingBudget: '20', usagePercent: 0 },
  });
  expect(dashboardRoutes.mandateCredential.data.parse(vc.data)).toBeTruthy();
  expect(vc.data.mandate).toMatchObject({
    id: mandateId,
    perTxLimit: '1',
    totalBudget: '20',
    usedAmount: '0',
    status: 'active',
  });

  const report = await dashboard.post('/api/transactions', {
    apiKey: owner.apiKey,
    ...paymentOf(owner.address, { amount: '0.001', intentMandateId: mandateId, txHash: '0xabc' }),
  });
  expect(report).toMatchObject({ status: 201, code: 80000000, data: { id: expect.any(Number) } });

  const after = await dashboard.post('/api/mandates/intent/vc', {
    apiKey: owner.apiKey,
    payerWalletAddress: owner.address,
  });
  expect(after.data).toMatchObject({
    remainingBudget: '19.999',
    usagePercent: 0.01,
    mandate: { usedAmount: '0.001', transactionCount: 1 },
  });

  const list = await dashboard.request('GET', '/api/transactions?scope=myAll', { token: owner.token });
  expect(list).toMatchObject({ status: 200, data: { total: 1, page: 1, limit: 20 } });
  expect(list.data.data[0]).toMatchObject({
    id: report.data.id,
    amount: '0.00',
    amountExact: '0.001',
    payer: owner.address,
  });
  expect(dashboardRoutes.listTransactions.data.parse(list.data)).toBeTruthy();
});
