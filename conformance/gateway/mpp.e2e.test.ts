import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GreedyShop, openGreedyShop } from './fixtures/greedy-shop.ts';
import { type MppxShop, openMppxShop } from './fixtures/mppx-shop.ts';
import { receiptsOf } from './fixtures/receipts-of.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let alone: MppxShop;
let both: MppxShop;
let greedy: GreedyShop;
let gateway: Awaited<ReturnType<World['gateway']>>;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  alone = await openMppxShop(world, true);
  both = await openMppxShop(world, false);
  greedy = await openGreedyShop(world);
  gateway = await gatewayOf('exact,mpp');
});
afterAll(async () => {
  await Promise.all([alone, both, greedy].map((shop) => shop?.stop()));
  await world?.stop();
});

const gatewayOf = (schemes: string) =>
  world.gateway(
    owner,
    {},
    {
      PAYMENT_SCHEMES: schemes,
      HTTP_SERVICES: JSON.stringify({
        alone: { endpoint: `${alone.origin}/quote`, name: 'get_quote' },
        lost: { endpoint: `${alone.origin}/lost`, name: 'get_quote' },
        greedy: { endpoint: `${greedy.origin}/{challenge}`, name: 'get_quote' },
        both: { endpoint: `${both.origin}/quote`, name: 'get_quote' },
      }),
    },
  );

test.each([
  ['alone', () => alone, 'authorization'],
  ['both', () => both, 'payment-signature'],
])(
  'an official merchant of MPP is paid within the mandate: %s [gateway.mpp.official]',
  async (serviceId, shop, header) => {
    const before = await world.balance(owner.wallet.address);
    const answer = await gateway.agent.call({ serviceId, toolName: 'get_quote' });
    expect(answer).toMatchObject({
      code: 'SUCCESS',
      detail: {
        paymentMade: true,
        paymentContext: { judged: 'requirement', amountDecimal: '0.01' },
        assuranceResult: { passed: true, mandateId: owner.mandateId },
        downstreamContent: [{ type: 'text', text: 'sold by mppx' }],
      },
    });
    expect(shop().payments.map(({ by }) => by)).toEqual([header]);
    expect(before - (await world.balance(owner.wallet.address))).toBe(10_000n);
    const transaction = answer.detail.paymentResponse?.['transaction'];
    const records = await until(
      () => world.records(owner),
      (all) => all.some(({ txHash }) => txHash === transaction),
    );
    expect(records.find(({ txHash }) => txHash === transaction)).toMatchObject({
      serviceName: serviceId,
      serviceResult: 'pass',
      amount: '0.01',
    });
  },
);

test('one key pays a challenge once, whatever the next challenge is [gateway.mpp.once]', async () => {
  const before = await world.balance(owner.wallet.address);
  const call = { serviceId: 'alone', toolName: 'get_quote', idempotencyKey: 'one quote' };
  const first = await gateway.agent.call(call);
  expect(first).toMatchObject({ code: 'SUCCESS' });
  expect(await gateway.agent.call(call)).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentResponse: first.detail.paymentResponse },
  });
  expect(before - (await world.balance(owner.wallet.address))).toBe(10_000n);
});

test('where an answer is lost the same key sends the same payment, though the challenge is another [gateway.mpp.once]', async () => {
  const before = await world.balance(owner.wallet.address);
  const seen = alone.payments.length;
  const call = { serviceId: 'lost', toolName: 'get_quote', idempotencyKey: 'a lost quote' };
  expect(await gateway.agent.call(call)).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(await gateway.agent.call(call)).toMatchObject({
    code: 'DOWNSTREAM_TOOL_ERROR',
    detail: { paymentMade: true },
  });
  const [first, second, ...more] = alone.payments.slice(seen);
  expect(second).toEqual(first);
  expect(more).toEqual([]);
  expect(before - (await world.balance(owner.wallet.address))).toBe(10_000n);
});

test('one challenge is paid once, whoever asks, and another is another payment [gateway.mpp.once-a-challenge]', async () => {
  const buy = (challenge: string) =>
    gateway.agent.call({ serviceId: 'greedy', toolName: 'get_quote', arguments: { challenge } });
  expect(await buy('one')).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(await buy('one')).toMatchObject({
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('paid before'),
    detail: { paymentMade: false },
  });
  expect(greedy.payments).toHaveLength(1);
  expect(await buy('another')).toMatchObject({ code: 'PAYMENT_OUTCOME_UNKNOWN' });
  expect(greedy.payments).toHaveLength(2);
});

test('the receipts of these calls are verified with nothing else at hand [gateway.mpp.replayed]', async () => {
  const { stdout, lines, judged } = await receiptsOf(gateway.stateDir);
  expect((await judged(stdout)).code).toBe(0);
  const { inputs } = lines.find(({ receipt }) => receipt.serviceId === 'alone');
  const { id } = inputs.requirement.challenges[0];
  const changed = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
  expect((await judged(stdout.replaceAll(id, changed))).code).toBe(1);
});

test('without mpp in PAYMENT_SCHEMES a challenge is no price [gateway.mpp.opt-in]', async () => {
  const { agent } = await gatewayOf('exact');
  const before = await world.balance(owner.wallet.address);
  expect(await agent.call({ serviceId: 'alone', toolName: 'get_quote' })).toMatchObject({
    code: 'PAYMENT_REQUIREMENT_INVALID',
    detail: { paymentMade: false },
  });
  expect(await agent.call({ serviceId: 'both', toolName: 'get_quote' })).toMatchObject({ code: 'SUCCESS' });
  expect(before - (await world.balance(owner.wallet.address))).toBe(10_000n);
});
