import { paidTool } from '@countersign/local/merchant/paid-tool';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { usdcUnits } from '@countersign/local/usdc-units';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let gateway: Awaited<ReturnType<World['gateway']>>;

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  gateway = await world.gateway(owner);
});
afterAll(() => world?.stop());

const recordsOnceThere = (count: number) =>
  until(
    () => world.records(owner),
    (records) => records.length >= count,
  );

test('a paid call settles on chain and answers inside the envelope [gateway.code.success.paid] [gateway.paying.x402-v2] [gateway.paying.on-chain] [gateway.envelope.fields] [gateway.envelope.detail.payment-response] [gateway.envelope.detail.payment-context] [gateway.report.pass] [gateway.report.pass-consumes] [gateway.report.exact-amount] [gateway.report.service-name] [gateway.report.screening]', async () => {
  const [before, earned] = await Promise.all([
    world.balance(owner.wallet.address),
    world.balance(world.merchant.address),
  ]);
  const answer = await gateway.agent.call(quote);

  expect(answer).toMatchObject({ ok: true, stage: 'tool_execution', code: 'SUCCESS' });
  expect(Object.keys(answer).sort()).toEqual([
    'code',
    'detail',
    'message',
    'ok',
    'stage',
    'timestamp',
    'traceId',
  ]);
  expect(Object.keys(answer.detail).sort()).toEqual([
    'assuranceResult',
    'complianceDecision',
    'downstreamContent',
    'downstreamStructuredContent',
    'payeeComplianceDecision',
    'paymentContext',
    'paymentMade',
    'paymentResponse',
    'serviceId',
    'toolName',
  ]);
  const { detail } = answer;
  expect(detail.paymentMade).toBe(true);
  expect(detail.paymentResponse).toMatchObject({
    success: true,
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    network: 'eip155:84532',
  });
  expect(detail.paymentContext).toMatchObject({
    x402Version: 2,
    scheme: 'exact',
    network: 'eip155:84532',
    asset: world.card.tokenAddress,
    amount: '10000',
    payTo: world.merchant.address,
    maxTimeoutSeconds: 60,
    amountDecimal: '0.01',
    currency: 'USDC',
    payer: owner.wallet.address,
    cartMandate: { total_amount: '0.01', currency: 'USDC' },
    nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(detail.complianceDecision).toMatchObject({
    counterparty: owner.wallet.address,
    passed: true,
    reasonCode: 'APPROVED',
    kycStatus: 'approved',
    kytDecision: 'pass',
    kytRiskLevel: 'low',
    kytRiskScore: 0,
  });
  expect(detail.payeeComplianceDecision).toMatchObject({
    counterparty: world.merchant.address,
    passed: true,
  });
  expect(detail.assuranceResult).toMatchObject({ passed: true, mandateId: owner.mandateId });

  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);
  expect(await world.balance(world.merchant.address)).toBe(earned + 10_000n);

  const [record] = await recordsOnceThere(1);
  expect(record).toMatchObject({
    serviceName: 'quotes',
    serviceResult: 'pass',
    chain: 'base-sepolia',
    txHash: detail.paymentResponse?.['transaction'],
    amount: '0.01',
    amountExact: '0.01',
    tokenSymbol: 'USDC',
    payer: owner.wallet.address,
    payee: world.merchant.address,
    payerKycResult: 1,
    payerKytResult: 1,
    payerKytRiskLevel: 0,
    payeeKycResult: 1,
    payeeKytResult: 1,
  });
  expect(await world.mandateOf(owner)).toMatchObject({ usedAmount: '0.01', transactionCount: 1 });
});

test('a service that speaks only SSE is paid too [gateway.downstream.auto]', async () => {
  const answer = await gateway.agent.call({
    serviceId: 'archive',
    toolName: 'fetch_article',
    arguments: { id: '7' },
  });
  expect(answer).toMatchObject({
    ok: true,
    detail: { paymentMade: true, paymentContext: { amountDecimal: '0.02' } },
  });
});

test('x402 v1 is paid [gateway.paying.x402-v1]', async () => {
  const { merchant } = world;
  const tool = paidTool({
    name: 'old',
    title: 'Old',
    description: 'A tool that speaks x402 v1',
    input: z.object({}),
    run: () => ({ content: [{ type: 'text', text: 'paid in the old way' }] }),
    merchant,
    price: '0.03',
    x402Version: 1,
  });
  const v1 = await world.gateway(owner, { old: await world.service('old', [tool]) });
  const answer = await v1.agent.call({ serviceId: 'old', toolName: 'old' });
  expect(answer).toMatchObject({
    ok: true,
    detail: {
      paymentMade: true,
      paymentContext: { x402Version: 1, network: 'base-sepolia' },
      downstreamContent: [{ text: 'paid in the old way' }],
    },
  });
});

test('a cart at the top level of extra is read [gateway.cart.fallback-location]', async () => {
  const { merchant } = world;
  const tool = paidTool({
    name: 'flat',
    title: 'Flat',
    description: 'Its cart lies at the top level',
    input: z.object({}),
    run: () => ({ content: [{ type: 'text', text: 'flat' }] }),
    merchant,
    price: '0.01',
    cart: 'top-level',
  });
  const flat = await world.gateway(owner, { flat: await world.service('flat', [tool]) });
  const answer = await flat.agent.call({ serviceId: 'flat', toolName: 'flat' });
  expect(answer).toMatchObject({
    ok: true,
    detail: { assuranceResult: { passed: true, mandateId: owner.mandateId } },
  });
});

test('a tool that fails after a settled payment says so, and is recorded as passed [gateway.code.downstream-tool-error.after-payment]', async () => {
  const before = await world.balance(owner.wallet.address);
  const answer = await gateway.agent.call({ serviceId: 'quotes', toolName: 'broken' });
  expect(answer).toMatchObject({
    ok: false,
    stage: 'tool_execution',
    code: 'DOWNSTREAM_TOOL_ERROR',
    detail: { paymentMade: true },
  });
  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);
  expect(await recordOf(answer)).toMatchObject({ serviceResult: 'pass' });
});

/** The record of a payment, once it is reported. */
async function recordOf({ detail }: GatewayEnvelope) {
  const transaction = detail.paymentResponse?.['transaction'];
  const isOfIt = ({ txHash }: { readonly txHash: string | null }) => txHash === transaction;
  return (
    await until(
      () => world.records(owner),
      (all) => all.some(isOfIt),
    )
  ).find(isOfIt);
}

test('without a cart the mandate check is skipped, not failed [gateway.code.cart-mandate-missing]', async () => {
  const answer = await gateway.agent.call({ serviceId: 'quotes', toolName: 'no_cart' });
  expect(answer).toMatchObject({
    ok: true,
    detail: { paymentMade: true, assuranceResult: { passed: true, errorCode: 'CART_MANDATE_MISSING' } },
  });
  // It counts against the mandate all the same, which the next test must not see.
  expect(await recordOf(answer)).toMatchObject({ serviceResult: 'pass', amountExact: '0.01' });
});

test('a payment of a tenth of a cent consumes exactly that', async () => {
  const before = await world.mandateOf(owner);
  const answer = await gateway.agent.call({
    serviceId: 'quotes',
    toolName: 'get_tick',
    arguments: { symbol: 'ACME' },
  });
  expect(answer.ok).toBe(true);
  const after = await until(
    () => world.mandateOf(owner),
    (mandate) => mandate?.transactionCount !== before?.transactionCount,
  );
  expect(usdcUnits(after?.usedAmount ?? '') - usdcUnits(before?.usedAmount ?? '')).toBe(1_000n);
});

test('a free call is not a transaction [gateway.code.success.free] [gateway.report.free-call]', async () => {
  const before = (await world.records(owner)).length;
  const answer = await gateway.agent.call({ serviceId: 'quotes', toolName: 'ping' });
  expect(answer).toMatchObject({
    ok: true,
    code: 'SUCCESS',
    detail: { paymentMade: false, paymentContext: null },
  });
  await gateway.agent.call(quote);
  await recordsOnceThere(before + 1);
  expect((await world.records(owner)).length).toBe(before + 1);
});

test('above the limit of one transaction the decision returns to the owner, and nothing moves [gateway.code.wallet-approval-required] [gateway.code.per-tx-limit-exceeded] [gateway.challenge.approval] [gateway.challenge.typed-data] [gateway.challenge.typed-data.expires-at] [gateway.report.reject.challenge] [gateway.assurance.budget.escalates]', async () => {
  const before = await world.balance(owner.wallet.address);
  const count = (await world.records(owner)).length;
  const raw = await gateway.agent.client.callTool({
    name: 'call_service_tool',
    arguments: { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } },
  });
  expect(raw.isError ?? false).toBe(false);
  expect(raw.structuredContent).toMatchObject({
    ok: false,
    stage: 'payment_required',
    code: 'WALLET_APPROVAL_REQUIRED',
    detail: {
      paymentMade: false,
      assuranceResult: { passed: false, errorCode: 'PER_TX_LIMIT_EXCEEDED' },
      paymentContext: {
        approval: {
          approvalId: expect.any(String),
          reason: 'PER_TX_LIMIT_EXCEEDED',
          typedData: {
            domain: { name: 'Platform Payment Mandate', version: '1', chainId: 84532 },
            primaryType: 'PaymentMandate',
            message: {
              serviceId: 'quotes',
              toolName: 'get_report',
              payer: owner.wallet.address,
              payTo: world.merchant.address,
              asset: world.card.tokenAddress,
              amount: '5000000',
            },
          },
        },
      },
    },
  });
  const { approval } = (
    raw.structuredContent as {
      detail: {
        paymentContext: { approval: { expiresAt: string; typedData: { message: { expiresAt: string } } } };
      };
    }
  ).detail.paymentContext;
  expect(approval.typedData.message.expiresAt).toBe(approval.expiresAt);
  expect(await world.balance(owner.wallet.address)).toBe(before);
  const records = await recordsOnceThere(count + 1);
  expect(records[0]).toMatchObject({ serviceResult: 'reject', amount: '5.00', txHash: null });
});

test('sixteen agents at once share one mandate and never spend more than it holds [gateway.code.total-budget-exceeded] [gateway.paying.hold.concurrency]', async () => {
  // Room for five and a half: were it used up to the end, a late call would rightly find no live mandate at all.
  const poor = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.055' } });
  const shared = await world.gateway(poor);
  const answers = await Promise.all(Array.from({ length: 16 }, () => shared.agent.call(quote)));
  const codes = answers.map(({ code }) => code);
  expect(codes.filter((code) => code === 'SUCCESS').length).toBe(5);
  expect(codes.filter((code) => code === 'WALLET_APPROVAL_REQUIRED').length).toBe(11);
  const refused = answers.find(({ code }) => code === 'WALLET_APPROVAL_REQUIRED');
  expect(refused?.detail.assuranceResult).toMatchObject({
    passed: false,
    errorCode: 'TOTAL_BUDGET_EXCEEDED',
  });
  expect(await world.balance(poor.wallet.address)).toBe(100_000_000n - 50_000n);
  const mandate = await until(
    () => world.mandateOf(poor),
    (found) => found?.transactionCount === 5,
  );
  expect(mandate).toMatchObject({ usedAmount: '0.05', remainingBudget: '0.005', status: 'active' });
});

test('one idempotency key pays once, and answers another call with IDEMPOTENCY_CONFLICT [gateway.code.idempotency-conflict] [gateway.paying.retry.stored-envelope]', async () => {
  const before = await world.balance(owner.wallet.address);
  const first = await gateway.agent.call({ ...quote, idempotencyKey: 'the-same-call' });
  const again = await gateway.agent.call({ ...quote, idempotencyKey: 'the-same-call' });
  expect(first.ok).toBe(true);
  expect(again).toEqual({ ...first, detail: { ...first.detail, replayed: true } });
  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);
  const other = await gateway.agent.call({
    ...quote,
    arguments: { symbol: 'OTHER' },
    idempotencyKey: 'the-same-call',
  });
  expect(other).toMatchObject({ ok: false, stage: 'tool_execution', code: 'IDEMPOTENCY_CONFLICT' });
  expect(await world.balance(owner.wallet.address)).toBe(before - 10_000n);
});
