import { expectOk } from '@countersign/local/dashboard-account';
import { usdcUnits } from '@countersign/local/usdc-units';
import { Client } from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalIn, challenged } from './fixtures/approval.ts';
import { lieAbout, startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type About = {
  readonly price?: string;
  readonly mandate?: { readonly perTxLimit: string; readonly totalBudget: string } | null;
  readonly env?: Readonly<Record<string, string>>;
};

/** An agent at a merchant that sends no cart, and what it has cost its owner so far. */
async function atCartlessShop({ price = '0.5', mandate, env = {} }: About = {}) {
  const owner = await world.newOwner(mandate === undefined ? {} : { mandate });
  const shop = await world.service('shop', [sellTool(world.merchant, { price, cart: 'none' })]);
  const guarded = async (more: Readonly<Record<string, string>>) =>
    (await world.gateway(owner, { shop }, more)).agent;
  const before = await world.balance(owner.wallet.address);
  const spent = async () => before - (await world.balance(owner.wallet.address));
  const agent = await guarded(env);
  return { owner, agent, guarded, spent, call: (input: object = {}) => agent.call({ ...sale, ...input }) };
}

const skipped = { passed: true, errorCode: 'CART_MANDATE_MISSING' };
const noPolicy = {
  paused: false,
  period: null,
  allowedMerchants: null,
  allowedServices: null,
  approvalThreshold: null,
};

async function restrict({ token, mandateId }: Owner, policy: object) {
  const body = { mandateId: mandateId ?? '', policy: { ...noPolicy, ...policy } };
  expectOk('set the policy', await world.dashboard.setMandatePolicy({ token, body }));
}

async function revoke({ token }: Owner) {
  expectOk('revoke', await world.dashboard.revokeMandate({ token, body: {} }));
}

test('a merchant that omits its cart takes no more than the mandate; told to skip, it took all [gateway.cart-policy.budget] [gateway.config.cart-policy]', async () => {
  const mandate = { perTxLimit: '1', totalBudget: '2.5' };
  const { owner, call, guarded, spent } = await atCartlessShop({ price: '1', mandate });
  for (const n of [1, 2]) {
    expect(await call()).toMatchObject({
      ok: true,
      detail: { paymentMade: true, assuranceResult: { ...skipped, mandateId: owner.mandateId } },
    });
    const counted = await until(
      () => world.mandateOf(owner),
      (found) => found?.transactionCount === n,
    );
    expect(counted).toMatchObject({ usedAmount: `${n}`, heldAmount: '0' });
  }
  expect(await call()).toMatchObject({
    code: 'WALLET_APPROVAL_REQUIRED',
    detail: { paymentMade: false, assuranceResult: { passed: false, errorCode: 'TOTAL_BUDGET_EXCEEDED' } },
  });
  expect(await spent()).toBe(usdcUnits('2'));

  const trusting = await guarded({ CART_POLICY: 'skip' });
  const answer = await trusting.call(sale);
  expect(answer).toMatchObject({ ok: true, detail: { assuranceResult: skipped } });
  expect(answer.detail.assuranceResult).not.toHaveProperty('mandateId');
  expect(await spent()).toBe(usdcUnits('3'));
});

test('thirty such calls at once keep to the mandate [gateway.cart-policy.budget]', async () => {
  const mandate = { perTxLimit: '1', totalBudget: '2.5' };
  const { call, spent } = await atCartlessShop({ price: '1', mandate });
  const answers = await Promise.all(Array.from({ length: 30 }, () => call()));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
  expect(await spent()).toBe(usdcUnits('2'));
});

test('above the limit of one payment the owner is asked; what the owner signs is paid and counted [gateway.cart-policy.budget]', async () => {
  const { owner, agent, call, spent } = await atCartlessShop({ price: '5' });
  const answer = await call();
  expect(answer.detail.assuranceResult).toMatchObject({ errorCode: 'PER_TX_LIMIT_EXCEEDED' });
  expect(approvalIn(answer)).toBeDefined();
  const paymentPayload = await challenged(agent, sale, privateKeyToAccount(owner.wallet.privateKey));
  expect((await call({ paymentPayload })).ok).toBe(true);
  expect(await spent()).toBe(usdcUnits('5'));
  const counted = await until(
    () => world.mandateOf(owner),
    (found) => found?.transactionCount === 1,
  );
  expect(counted?.usedAmount).toBe('5');
});

test('within the mandate the cap for payments without one does not hold [gateway.cart-policy.budget]', async () => {
  const mandate = { perTxLimit: '3', totalBudget: '20' };
  const { call, spent } = await atCartlessShop({ price: '2', mandate });
  expect((await call()).ok).toBe(true);
  expect(await spent()).toBe(usdcUnits('2'));
});

test.each([
  ['a merchant list', { allowedMerchants: [`0x${'11'.repeat(20)}`] }, 'PAYMENT_UNSUPPORTED'],
  ['a service list', { allowedServices: ['archive'] }, 'PAYMENT_UNSUPPORTED'],
  ['a threshold', { approvalThreshold: '0.4' }, 'WALLET_APPROVAL_REQUIRED'],
  ['a period’s budget', { period: { every: 'day', budget: '0.4' } }, 'WALLET_APPROVAL_REQUIRED'],
  ['a pause', { paused: true }, 'MANDATE_NOT_FOUND'],
])('%s beside the mandate binds without a cart too [gateway.cart-policy.rules]', async (_, policy, code) => {
  const { owner, call, spent } = await atCartlessShop();
  await restrict(owner, policy);
  expect((await call()).code).toBe(code);
  expect(await spent()).toBe(0n);
  await restrict(owner, {});
  expect((await call()).ok).toBe(true);
});

/** A day has passed. */
async function expire({ mandateId }: Owner) {
  const client = new Client({ connectionString: world.card.databaseUrl });
  await client.connect();
  const expired = `update dashboard.mandate set expires_at = now() - interval '1 second' where id = $1`;
  expect((await client.query(expired, [mandateId])).rowCount).toBe(1);
  await client.end();
}

const ends: Readonly<Record<string, (owner: Owner) => Promise<void>>> = {
  revoked: revoke,
  expired: expire,
  async deleted(owner) {
    await revoke(owner);
    const body = { mandateId: owner.mandateId ?? '' };
    expectOk('delete', await world.dashboard.deleteMandate({ token: owner.token, body }));
  },
  async 'put up for a new signature'({ token, mandateId }) {
    const body = { mandateId: mandateId ?? '', totalBudget: '30' };
    expectOk('update', await world.dashboard.updateMandate({ token, body }));
  },
  async 'used up'({ token, apiKey, mandateId, wallet }) {
    const reportOf = (txHash: string) => ({
      apiKey,
      serviceName: 'shop',
      serviceResult: 'pass' as const,
      chain: 'base-sepolia',
      amount: '20',
      payer: wallet.address,
      intentMandateId: mandateId ?? '',
      txHash,
    });
    const body = reportOf(`0x${Buffer.from(wallet.address).toString('hex').slice(0, 64)}`);
    expectOk('report', await world.dashboard.reportTransaction({ token, body }));
  },
};

test.each(Object.keys(ends))(
  'with its only mandate %s a wallet pays nothing; told to skip, it paid [gateway.cart-policy.ended]',
  async (end) => {
    const { owner, call, guarded, spent } = await atCartlessShop();
    await ends[end]?.(owner);
    const code = end === 'expired' ? 'MANDATE_EXPIRED' : 'MANDATE_NOT_FOUND';
    expect(await call()).toMatchObject({
      ok: false,
      stage: 'assurance_check',
      code,
      detail: { paymentMade: false, assuranceResult: { passed: false, errorCode: code } },
    });
    expect(await spent()).toBe(0n);
    expect((await (await guarded({ CART_POLICY: 'skip' })).call(sale)).ok).toBe(true);
    expect(await spent()).toBe(usdcUnits('0.5'));
  },
);

test('a wallet that never had a mandate pays without, under the caps of a payment and of a day [gateway.cart-policy.never] [gateway.config.payment-unmandated-daily]', async () => {
  const { owner, call, guarded, spent } = await atCartlessShop({
    mandate: null,
    env: { PAYMENT_UNMANDATED_DAILY: '1.2' },
  });
  const { token } = owner;
  // A draft that nobody has signed is no mandate.
  const draft = { title: 'Draft', perTxLimit: '0.1', totalBudget: '0.1', validDays: 1 };
  expectOk('draft', await world.dashboard.createMandate({ token, body: draft }));
  expect(await call()).toMatchObject({ ok: true, detail: { assuranceResult: skipped } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => call()));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(answers.find(({ ok }) => !ok)).toMatchObject({
    stage: 'payment_required',
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('PAYMENT_UNMANDATED_DAILY'),
    detail: { paymentMade: false },
  });
  expect(await spent()).toBe(usdcUnits('1'));

  const strict = await guarded({ PAYMENT_UNMANDATED_MAX_AMOUNT: '0.49' });
  expect((await strict.call(sale)).code).toBe('PAYMENT_UNSUPPORTED');
  expect(await spent()).toBe(usdcUnits('1'));
});

test('ten a day, unless the owner says otherwise [gateway.config.payment-unmandated-daily]', async () => {
  const { call, spent } = await atCartlessShop({ price: '1', mandate: null });
  const answers = await Promise.all(Array.from({ length: 12 }, () => call()));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
  expect(await spent()).toBe(usdcUnits('10'));
});

test('of a dashboard that does not tell, or tells of no mandate to a foreign key, nothing is concluded [gateway.cart-policy.no-guess]', async () => {
  const { owner, guarded, spent } = await atCartlessShop({ mandate: null });
  const path = '/api/mandates/intent/vc';
  const silent = await startLyingDashboard(
    world.card.dashboardUrl,
    lieAbout(path, (data: { hadMandate: boolean }) => ({ ...data, hadMandate: undefined })),
  );
  const unsure = await guarded({ COMPLIANCE_BASE_URL: silent.url });
  expect((await unsure.call(sale)).code).toBe('MANDATE_NOT_FOUND');
  await silent.stop();
  const stranger = await world.newOwner();
  const foreign = await world.gateway(owner, null, { COMPLIANCE_API_KEY: stranger.apiKey });
  const answer = await foreign.agent.call({ serviceId: 'quotes', toolName: 'no_cart' });
  expect(answer.code).toBe('MANDATE_NOT_FOUND');
  expect(await spent()).toBe(0n);
});

test('CART_POLICY=require pays nobody who sends no cart [gateway.cart-policy.require]', async () => {
  const { call, spent } = await atCartlessShop({ env: { CART_POLICY: 'require' } });
  expect(await call()).toMatchObject({
    code: 'PAYMENT_UNSUPPORTED',
    message: expect.stringContaining('CART_POLICY requires one'),
  });
  expect(await spent()).toBe(0n);
});
