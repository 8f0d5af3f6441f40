import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedShop } from './fixtures/guarded-shop.ts';
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

test('a payer without money: the payment is refused and nothing moves [gateway.code.payment-rejected] [gateway.report.error]', async () => {
  const poor = await world.newOwner({ usdc: 0n });
  const { call } = await guardedShop(world, poor);
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
  const { call } = await guardedShop(world, owner, {
    facilitator: {
      settle: async () => ({ success: false, transaction: '', errorReason: 'transaction_failed' }),
    },
  });
  expect(await call()).toMatchObject({
    stage: 'payment_requested',
    code: 'SETTLEMENT_FAILED',
    detail: { paymentMade: false, paymentResponse: { success: false, errorReason: 'transaction_failed' } },
  });
});

test('a settlement that never happened on chain is not believed [attack 25] [gateway.code.payment-outcome-unknown] [gateway.paying.settled.receipt]', async () => {
  const settle = async () => ({
    success: true,
    transaction: hash,
    network: 'eip155:84532',
    payer: owner.wallet.address,
  });
  const { call } = await guardedShop(world, owner, { facilitator: { settle } });
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

test('somebody else’s payment is not taken for ours [attack 25] [gateway.paying.settled.trusted-answer]', async () => {
  const real = await (await guardedShop(world, owner)).call();
  const transaction = String(real.detail.paymentResponse?.['transaction']);
  const { call } = await guardedShop(world, owner, {
    facilitator: {
      settle: async () => ({
        success: true,
        transaction,
        network: 'eip155:84532',
        payer: owner.wallet.address,
      }),
    },
  });
  expect(await call()).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
});

test('settlement_pending is no end [gateway.paying.settled.pending]', async () => {
  const { call } = await guardedShop(world, owner, {
    facilitator: {
      settle: async () => ({ success: false, transaction: hash, errorReason: 'settlement_pending' }),
    },
  });
  expect(await call()).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
});
