import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedShopAlone } from './fixtures/guarded-shop.ts';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { startRawService } from './fixtures/raw-service.ts';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
});
afterAll(() => world?.stop());

test('settled, then silence: unknown, and the same key sends the same payment again, so that money moves once [gateway.paying.settle-then-hang] [gateway.paying.retry.same-payload] [gateway.paying.nonce.derived] [gateway.config.payment-timeout-ms]', async () => {
  let silent = true;
  const nonces = new Set<string>();
  const { settle } = world.merchant.facilitator;
  const { call } = await guardedShopAlone(world, owner, {
    facilitator: {
      // A merchant that forgot the settlement: it would take a second payment for the same call.
      verify: async () => ({ isValid: true }),
      settle: async (order) => {
        nonces.add((order.payment['payload'] as { authorization: { nonce: string } }).authorization.nonce);
        const settled = await settle(order);
        if (silent) await new Promise(() => {});
        return settled;
      },
    },
    env: { PAYMENT_TIMEOUT_MS: '1500' },
  });
  const before = await world.balance(owner.wallet.address);
  const input = { idempotencyKey: 'settled-then-silent' };
  expect(await call(input)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);
  silent = false;
  await call(input);
  expect(nonces.size).toBe(1);
  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);
});

test('a dashboard that is away when the money has moved gets its record later, once, also from the next gateway [gateway.report.outbox] [gateway.report.once] [gateway.report.failure-harmless] [gateway.report.fire-and-forget] [gateway.config.gateway-state-dir]', async () => {
  let away = true;
  const liar = await startLyingDashboard(world.card.dashboardUrl, (path, ask) =>
    away && path === '/api/transactions' ? null : ask(),
  );
  const payer = await world.newOwner();
  const gateway = await world.gatewayProcess(payer, null, { COMPLIANCE_BASE_URL: liar.url });
  const started = performance.now();
  const answer = await gateway.agent.call({
    serviceId: 'quotes',
    toolName: 'get_quote',
    arguments: { symbol: 'ACME' },
  });
  expect(answer.ok).toBe(true);
  expect(performance.now() - started).toBeLessThan(4000);
  expect(await world.records(payer)).toEqual([]);

  await gateway.child.stop();
  away = false;
  await world.gatewayProcess(payer, null, {
    COMPLIANCE_BASE_URL: liar.url,
    GATEWAY_STATE_DIR: gateway.stateDir,
  });
  const records = await until(
    () => world.records(payer),
    (all) => all.length > 0,
  );
  expect(records).toMatchObject([
    { serviceResult: 'pass', txHash: answer.detail.paymentResponse?.['transaction'] },
  ]);
  await liar.stop();
});

test('a service that dies with the payment in its hands leaves the outcome unknown, and the next call works', async () => {
  const demand = await sellTool(world.merchant).call({}, {});
  const service = await startRawService({
    tools: () => ({ tools: [{ name: sale.toolName, inputSchema: { type: 'object' } }] }),
    call: ({ params }, reply) => {
      if (params?._meta?.['x402/payment'] === undefined) reply.result(demand);
      else reply.response.destroy();
    },
  });
  const gateway = await world.gatewayProcess(owner, {
    shop: service.url,
    quotes: world.card.services[0]?.url ?? '',
  });
  for (let n = 0; n < 2; n++)
    expect(await gateway.agent.call(sale)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(await gateway.agent.call({ serviceId: 'quotes', toolName: 'ping' })).toMatchObject({ ok: true });
  await service.stop();
});

test('settled, then silence: the chain tells, and the log has the payment in the end [gateway.paying.reconcile] [gateway.config.evm-rpc-url] [gateway.paying.hold.counts-when-used]', async () => {
  const payer = await world.newOwner();
  const { settle } = world.merchant.facilitator;
  const { call } = await guardedShopAlone(world, payer, {
    facilitator: {
      settle: async (order) => {
        await settle(order);
        return new Promise<never>(() => {});
      },
    },
    env: { PAYMENT_TIMEOUT_MS: '1500' },
  });
  const answer = await call();
  expect(answer.code).toBe('PAYMENT_OUTCOME_UNKNOWN');
  const records = await until(
    () => world.records(payer),
    // The report of doubt is a step of the same payment, which is one record.
    (all) => all.length > 0 && all.every(({ serviceResult }) => serviceResult === 'pass'),
  );
  expect(records).toHaveLength(1);
  expect(records[0]?.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(records[0]?.reason).toBe('SUCCESS');
  expect(await world.mandateOf(payer)).toMatchObject({ usedAmount: '0.01', transactionCount: 1 });
});

test('killed after signing: the next gateway finds the payment on chain and reports it, once [gateway.paying.journal.before-sending]', async () => {
  const payer = await world.newOwner();
  const { settle } = world.merchant.facilitator;
  let settled = (): void => {};
  const hasSettled = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const impatient = { PAYMENT_TIMEOUT_MS: '2000' };
  const { gateway, call } = await guardedShopAlone(world, payer, {
    facilitator: {
      settle: async (order) => {
        await settle(order);
        settled();
        return new Promise<never>(() => {});
      },
    },
    env: impatient,
  });
  const lost = call().catch(() => 'the agent lost its gateway');
  await hasSettled;
  process.kill(gateway.child.pid, 'SIGKILL');
  expect(await lost).toBe('the agent lost its gateway');

  await world.gatewayProcess(payer, null, { ...impatient, GATEWAY_STATE_DIR: gateway.stateDir });
  const records = await until(
    () => world.records(payer),
    (all) => all.length > 0,
  );
  expect(records).toMatchObject([{ serviceResult: 'pass' }]);
  expect(await world.mandateOf(payer)).toMatchObject({ usedAmount: '0.01' });
  expect(await world.balance(payer.wallet.address)).toBe(100_000_000n - 10_000n);
});
