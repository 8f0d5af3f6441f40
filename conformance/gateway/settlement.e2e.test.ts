import { type HttpServer, startHttpServer } from '@countersign/local/http-server';
import { startGatewayProcess } from '@countersign/local/gateway-process';
import type { FacilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { paidTool } from '@countersign/local/merchant/paid-tool';
import { createLogger } from '@countersign/service/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
});
afterAll(() => world?.stop());

const hash = `0x${'ab'.repeat(32)}`;

/** A gateway in front of one tool whose merchant goes through this facilitator. */
async function behind(
  facilitator: Partial<FacilitatorClient>,
  env: Record<string, string> = {},
  payer = owner,
) {
  const merchant = { ...world.merchant, facilitator: { ...world.merchant.facilitator, ...facilitator } };
  const tool = paidTool({
    name: 'sell',
    title: 'Sell',
    description: 'Sells',
    input: z.object({}),
    run: () => ({ content: [{ type: 'text', text: 'sold' }] }),
    merchant,
    price: '0.01',
  });
  const gateway = await world.gateway(payer, { shop: await world.service('shop', [tool]) }, env);
  return {
    gateway,
    call: (input: object = {}) => gateway.agent.call({ serviceId: 'shop', toolName: 'sell', ...input }),
  };
}

test('a payer without money: the payment is refused and nothing moves [gateway.code.payment-rejected] [gateway.report.error]', async () => {
  const poor = await world.newOwner({ usdc: 0n });
  const { call } = await behind({}, {}, poor);
  const answer = await call();
  expect(answer).toMatchObject({
    ok: false,
    stage: 'payment_requested',
    code: 'PAYMENT_REJECTED',
    detail: { paymentMade: false },
  });
  const [record] = await until(
    () => world.records(poor),
    (records) => records.length === 1,
  );
  expect(record).toMatchObject({ serviceResult: 'error', txHash: null });
  expect(await world.mandateOf(poor)).toMatchObject({ usedAmount: '0' });
});

test('a settlement that failed is told, with what the facilitator said [gateway.code.settlement-failed]', async () => {
  const { call } = await behind({
    settle: async () => ({ success: false, transaction: '', errorReason: 'transaction_failed' }),
  });
  expect(await call()).toMatchObject({
    stage: 'payment_requested',
    code: 'SETTLEMENT_FAILED',
    detail: { paymentMade: false, paymentResponse: { success: false, errorReason: 'transaction_failed' } },
  });
});

test('a settlement that never happened on chain is not believed [gateway.code.payment-outcome-unknown] [gateway.paying.settled.receipt]', async () => {
  const settle = async () => ({
    success: true,
    transaction: hash,
    network: 'eip155:84532',
    payer: owner.wallet.address,
  });
  const { call } = await behind({ settle });
  const answer = await call();
  expect(answer).toMatchObject({
    ok: false,
    stage: 'payment_requested',
    code: 'PAYMENT_OUTCOME_UNKNOWN',
    detail: {
      paymentMade: false,
      paymentContext: { nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/), validBefore: expect.anything() },
    },
  });
});

test('somebody else’s payment is not taken for ours [gateway.paying.settled.trusted-answer]', async () => {
  const real = await (await behind({})).call();
  const transaction = String(real.detail.paymentResponse?.['transaction']);
  const { call } = await behind({
    settle: async () => ({
      success: true,
      transaction,
      network: 'eip155:84532',
      payer: owner.wallet.address,
    }),
  });
  expect(await call()).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
});

test('settlement_pending is no end [gateway.paying.settled.pending]', async () => {
  const { call } = await behind({
    settle: async () => ({ success: false, transaction: hash, errorReason: 'settlement_pending' }),
  });
  expect(await call()).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
});

test('settled, then silence: unknown, and the same key sends the same payment again, so that money moves once [gateway.paying.settle-then-hang] [gateway.paying.retry.same-payload] [gateway.paying.nonce.derived] [gateway.config.payment-timeout-ms]', async () => {
  let silent = true;
  const nonces = new Set<string>();
  const { settle } = world.merchant.facilitator;
  const { call } = await behind(
    {
      // A merchant that forgot the settlement: it would take a second payment for the same call.
      verify: async () => ({ isValid: true }),
      settle: async (order) => {
        nonces.add((order.payment['payload'] as { authorization: { nonce: string } }).authorization.nonce);
        const settled = await settle(order);
        if (silent) await new Promise(() => {});
        return settled;
      },
    },
    { PAYMENT_TIMEOUT_MS: '1500' },
  );
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
  const gateway = await world.gateway(payer, null, { COMPLIANCE_BASE_URL: liar.url });
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
  const next = await startGatewayProcess(
    {
      EVM_PRIVATE_KEY: payer.wallet.privateKey,
      DOWNSTREAM_MCP_URLS: `quotes=${world.card.services[0]?.url ?? ''}`,
      COMPLIANCE_BASE_URL: liar.url,
      COMPLIANCE_API_KEY: payer.apiKey,
      COMPLIANCE_CHAIN: 'base-sepolia',
      PAYMENT_NETWORKS: 'eip155:84532',
    },
    { stateDir: gateway.stateDir },
  );
  const records = await until(
    () => world.records(payer),
    (all) => all.length > 0,
  );
  expect(records).toMatchObject([
    { serviceResult: 'pass', txHash: answer.detail.paymentResponse?.['transaction'] },
  ]);
  await next.stop();
  await liar.stop();
});

const noHolds = { status: 404, body: JSON.stringify({ code: 80000011, msg: 'not found', data: null }) };

test('a dashboard without holds: money spent but not yet reported still counts against the budget [gateway.paying.hold.endpoint-absent]', async () => {
  const liar = await startLyingDashboard(world.card.dashboardUrl, (path, ask) => {
    if (path === '/api/mandates/intent/hold') return noHolds;
    return path === '/api/transactions' ? null : ask();
  });
  const payer = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.02' } });
  const gateway = await world.gateway(payer, null, { COMPLIANCE_BASE_URL: liar.url });
  const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'A' } };
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.agent.call(quote)));
  const codes = answers.map(({ code }) => code).toSorted();
  expect(codes).toEqual([...Array(2).fill('SUCCESS'), ...Array(6).fill('WALLET_APPROVAL_REQUIRED')]);
  expect(await world.balance(payer.wallet.address)).toBe(100_000_000n - 20_000n);
  await gateway.child.stop();
  await liar.stop();
});

test('the hold is placed before anything is signed, and the report turns it into usage [gateway.paying.hold.before-signing] [gateway.paying.hold.becomes-usage]', async () => {
  const payer = await world.newOwner();
  let sent = 0;
  const { settle } = world.merchant.facilitator;
  const held: unknown[] = [];
  const { call } = await behind(
    {
      settle: async (order) => {
        sent += 1;
        held.push((await world.mandateOf(payer))?.heldAmount);
        return settle(order);
      },
    },
    {},
    payer,
  );
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
  const { call } = await behind(
    { settle: async () => ({ success: false, transaction: '', errorReason: 'transaction_failed' }) },
    {},
    payer,
  );
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

test('a service that dies with the payment in its hands leaves the outcome unknown, and the next call works', async () => {
  const service: HttpServer = await startHttpServer(
    { host: '127.0.0.1', port: 0 },
    createLogger('dying', 'error'),
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const message = JSON.parse(Buffer.concat(chunks).toString()) as {
        id?: number;
        method: string;
        params?: { _meta?: Record<string, unknown> };
      };
      if (message.params?._meta?.['x402/payment'] !== undefined) return void response.destroy();
      if (message.id === undefined) return void response.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'dying', version: '1' },
        },
        'tools/list': { tools: [{ name: 'die', inputSchema: { type: 'object' } }] },
        'tools/call': demandOf(),
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: results[message.method] ?? {} }));
    },
  );
  const gateway = await world.gateway(owner, {
    dying: `${service.url}/mcp`,
    quotes: world.card.services[0]?.url ?? '',
  });
  expect(await gateway.agent.call({ serviceId: 'dying', toolName: 'die' })).toMatchObject({
    code: 'PAYMENT_OUTCOME_UNKNOWN',
  });
  expect(await gateway.agent.call({ serviceId: 'dying', toolName: 'die' })).toMatchObject({
    code: 'PAYMENT_OUTCOME_UNKNOWN',
  });
  expect(await gateway.agent.call({ serviceId: 'quotes', toolName: 'ping' })).toMatchObject({ ok: true });
  await service.stop();
});

/** What a merchant of 0.01 USDC answers an unpaid call. */
function demandOf() {
  const required = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'mcp://tool/die' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:84532',
        amount: '10000',
        asset: world.card.tokenAddress,
        payTo: world.merchant.address,
        maxTimeoutSeconds: 60,
        extra: { name: 'USDC', version: '2', cartMandate: world.merchant.cart('0.01') },
      },
    ],
  };
  return {
    isError: true,
    structuredContent: required,
    content: [{ type: 'text', text: JSON.stringify(required) }],
  };
}

test('settled, then silence: the chain tells, and the log has the payment in the end [gateway.paying.reconcile] [gateway.config.evm-rpc-url] [gateway.paying.hold.counts-when-used]', async () => {
  const payer = await world.newOwner();
  const { settle } = world.merchant.facilitator;
  const { call } = await behind(
    {
      settle: async (order) => {
        await settle(order);
        return new Promise<never>(() => {});
      },
    },
    { PAYMENT_TIMEOUT_MS: '1500' },
    payer,
  );
  const answer = await call();
  expect(answer.code).toBe('PAYMENT_OUTCOME_UNKNOWN');
  const records = await until(
    () => world.records(payer),
    (all) => all.some(({ serviceResult }) => serviceResult === 'pass'),
  );
  expect(records.map(({ serviceResult }) => serviceResult)).toEqual(['pass', 'error']);
  expect(records[0]?.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await world.mandateOf(payer)).toMatchObject({ usedAmount: '0.01', transactionCount: 1 });
});

test('killed after signing: the next gateway finds the payment on chain and reports it, once [gateway.paying.journal.before-sending]', async () => {
  const payer = await world.newOwner();
  const { settle } = world.merchant.facilitator;
  let settled = (): void => {};
  const hasSettled = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const { gateway, call } = await behind(
    {
      settle: async (order) => {
        await settle(order);
        settled();
        return new Promise<never>(() => {});
      },
    },
    { PAYMENT_TIMEOUT_MS: '2000' },
    payer,
  );
  const lost = call().catch(() => 'the agent lost its gateway');
  await hasSettled;
  process.kill(gateway.child.pid, 'SIGKILL');
  expect(await lost).toBe('the agent lost its gateway');

  const next = await startGatewayProcess(
    {
      EVM_PRIVATE_KEY: payer.wallet.privateKey,
      DOWNSTREAM_MCP_URLS: `quotes=${world.card.services[0]?.url ?? ''}`,
      COMPLIANCE_BASE_URL: world.card.dashboardUrl,
      COMPLIANCE_API_KEY: payer.apiKey,
      COMPLIANCE_CHAIN: 'base-sepolia',
      PAYMENT_NETWORKS: 'eip155:84532',
      EVM_RPC_URL: world.card.rpcUrl,
      PAYMENT_TIMEOUT_MS: '2000',
    },
    { stateDir: gateway.stateDir },
  );
  const records = await until(
    () => world.records(payer),
    (all) => all.length > 0,
  );
  expect(records).toMatchObject([{ serviceResult: 'pass' }]);
  expect(await world.mandateOf(payer)).toMatchObject({ usedAmount: '0.01' });
  expect(await world.balance(payer.wallet.address)).toBe(100_000_000n - 10_000n);
  await next.stop();
});
