import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedShop } from './fixtures/guarded-shop.ts';
import { lieAbout, startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
});
afterAll(() => world?.stop());

const noHolds = { status: 404, body: JSON.stringify({ code: 80000011, msg: 'not found', data: null }) };

test('a dashboard without holds: money spent but not yet reported still counts against the budget [gateway.paying.hold.endpoint-absent]', async () => {
  const liar = await startLyingDashboard(world.card.dashboardUrl, (path, ask) => {
    if (path === '/api/mandates/intent/hold') return noHolds;
    return path === '/api/transactions' ? null : ask();
  });
  const payer = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.02' } });
  const gateway = await world.gatewayProcess(payer, null, { COMPLIANCE_BASE_URL: liar.url });
  const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'A' } };
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.agent.call(quote)));
  const codes = answers.map(({ code }) => code).toSorted();
  expect(codes).toEqual([...Array(2).fill('SUCCESS'), ...Array(6).fill('WALLET_APPROVAL_REQUIRED')]);
  expect(await world.balance(payer.wallet.address)).toBe(100_000_000n - 20_000n);
  await gateway.child.stop();
  await liar.stop();
});

test('a hold that the dashboard says has run out counts at the gateway, whatever it asked for [gateway.paying.hold.until]', async () => {
  const lies = {
    '/api/mandates/intent/hold': { expiresAt: new Date(Date.now() - 1000).toISOString() },
    '/api/mandates/intent/vc': { remainingBudget: '0.01' },
  };
  const liar = await startLyingDashboard(world.card.dashboardUrl, async (path, ask) => {
    if (path === '/api/transactions') return null;
    const lie = Object.entries(lies).find(([about]) => about === path)?.[1];
    return lie === undefined ? ask() : lieAbout(path, (data: object) => ({ ...data, ...lie }))(path, ask);
  });
  const payer = await world.newOwner();
  const gateway = await world.gatewayProcess(payer, null, { COMPLIANCE_BASE_URL: liar.url });
  const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'A' } };
  const first = await gateway.agent.call(quote);
  const second = await gateway.agent.call(quote);
  expect([first.code, second.code]).toEqual(['SUCCESS', 'WALLET_APPROVAL_REQUIRED']);
  await gateway.child.stop();
  await liar.stop();
});

test('the hold is placed before anything is signed, and the report turns it into usage [gateway.paying.hold.before-signing] [gateway.paying.hold.becomes-usage]', async () => {
  const payer = await world.newOwner();
  let sent = 0;
  const { settle } = world.merchant.facilitator;
  const held: unknown[] = [];
  const { call } = await guardedShop(world, payer, {
    facilitator: {
      settle: async (order) => {
        sent += 1;
        held.push((await world.mandateOf(payer))?.heldAmount);
        return settle(order);
      },
    },
  });
  expect((await call()).ok).toBe(true);
  expect({ sent, held }).toEqual({ sent: 1, held: ['0.01'] });
  const mandate = await until(
    () => world.mandateOf(payer),
    (found) => found?.transactionCount === 1,
  );
  expect(mandate).toMatchObject({ heldAmount: '0', usedAmount: '0.01', remainingBudget: '19.99' });
});

test('after doubt the hold stays [gateway.paying.hold.stays-after-doubt]', async () => {
  const payer = await world.newOwner();
  const settle = async () => ({ success: false, transaction: '', errorReason: 'transaction_failed' });
  const { call } = await guardedShop(world, payer, { facilitator: { settle } });
  expect((await call()).code).toBe('SETTLEMENT_FAILED');
  await until(
    () => world.records(payer),
    (all) => all.length === 1,
  );
  expect(await world.mandateOf(payer)).toMatchObject({
    heldAmount: '0.01',
    usedAmount: '0',
    remainingBudget: '19.99',
  });
});

test.each([
  [80000057, 'WALLET_APPROVAL_REQUIRED'],
  [80000056, 'WALLET_APPROVAL_REQUIRED'],
  [80000054, 'MANDATE_EXPIRED'],
  [80000055, 'MANDATE_NOT_FOUND'],
])(
  'a hold refused with %i ends in %s, and nothing is signed [gateway.paying.hold.refused]',
  async (code, ending) => {
    const liar = await startLyingDashboard(world.card.dashboardUrl, (path, ask) =>
      path === '/api/mandates/intent/hold'
        ? { status: 400, body: JSON.stringify({ code, msg: 'no', data: null }) }
        : ask(),
    );
    const gateway = await world.gateway(owner, null, { COMPLIANCE_BASE_URL: liar.url });
    const before = await world.balance(owner.wallet.address);
    const answer = await gateway.agent.call({
      serviceId: 'quotes',
      toolName: 'get_quote',
      arguments: { symbol: 'A' },
    });
    expect(answer.code).toBe(ending);
    expect(await world.balance(owner.wallet.address)).toBe(before);
    await liar.stop();
  },
);
