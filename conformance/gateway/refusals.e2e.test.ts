import { newPrivateKey } from '@countersign/local/market';
import type { SharedGateway } from './fixtures/shared-process.ts';
import { createMerchant, type Merchant } from '@countersign/local/merchant/merchant';
import { paidTool } from '@countersign/local/merchant/paid-tool';
import type { PaymentRequired } from '@countersign/local/merchant/payment-required';
import type { Tool } from '@countersign/local/merchant/tool';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { lieAbout, type Lie, type LyingDashboard, startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
/** A service with one tool, which each test makes demand something else. */
let oddService: string;
let oddTool: Tool;
/** The owner's gateway before it. */
let atOddService: SharedGateway;
/** Between the gateways of this test and the dashboard: each test makes it lie in another way. */
let liar: LyingDashboard;
let lie: Lie;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  const { definition } = oddly(honest);
  const call: Tool['call'] = (args, meta) => oddTool.call(args, meta);
  oddService = await world.service('odd', [{ definition, call }]);
  atOddService = await world.gateway(owner, { odd: oddService });
  liar = await startLyingDashboard(world.card.dashboardUrl, (path, ask) => lie(path, ask));
});
afterAll(async () => {
  await world?.stop();
  await liar?.stop();
});

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };

type Change = (required: PaymentRequired) => PaymentRequired;

/** Changes `accepts[0].extra` of what the merchant demands. */
const inExtra =
  (change: (extra: Record<string, unknown>) => Record<string, unknown>): Change =>
  (required) => {
    const [first, ...others] = required.accepts;
    return {
      ...required,
      accepts: [
        { ...first, extra: change({ ...first?.extra }) } as PaymentRequired['accepts'][number],
        ...others,
      ],
    };
  };
const inCart = (change: Record<string, unknown>): Change =>
  inExtra((extra) => ({ ...extra, cartMandate: { ...(extra['cartMandate'] as object), ...change } }));

const oddly = (mutate: Change, merchant: Merchant = world.merchant): Tool =>
  paidTool({
    name: 'odd',
    title: 'Odd',
    description: 'Odd',
    input: z.object({}),
    run: () => ({ content: [{ type: 'text', text: 'sold' }] }),
    merchant,
    price: '0.01',
    mutate,
  });

/** One call of a tool whose merchant demands something odd. The balance of the payer must not change. */
async function demand(mutate: Change, about: { merchant?: Merchant; payer?: Owner } = {}) {
  const { merchant, payer = owner } = about;
  oddTool = oddly(mutate, merchant);
  const gateway = payer === owner ? atOddService : await world.gateway(payer, { odd: oddService });
  const before = await world.balance(payer.wallet.address);
  const answer = await gateway.agent.call({ serviceId: 'odd', toolName: 'odd' });
  expect(await world.balance(payer.wallet.address)).toBe(before);
  expect(answer.ok).toBe(false);
  expect(answer.detail.paymentMade).toBe(false);
  return answer;
}

/** A quote through a gateway whose dashboard lies. */
async function quoteWithLie(about: Lie, gateway = deceived()) {
  lie = about;
  const { agent } = await gateway;
  const before = await world.balance(owner.wallet.address);
  liar.asked.length = 0;
  const answer = await agent.call(quote);
  expect(await world.balance(owner.wallet.address)).toBe(before);
  // The dashboard was asked this time too: nothing is refused by what an earlier lie left behind.
  expect(liar.asked).toContain('/api/compliance/kyt/check');
  return { answer, asked: [...liar.asked] };
}

/** The owner's gateway before the dashboard that lies. */
const deceived = once(() => world.gateway(owner, null, { COMPLIANCE_BASE_URL: liar.url }));
const deceivedAndImpatient = once(() =>
  world.gateway(owner, null, { COMPLIANCE_BASE_URL: liar.url, COMPLIANCE_TIMEOUT_MS: '700' }),
);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

const honest: Change = (required) => required;
const vc = '/api/mandates/intent/vc';

test('no dashboard, no payment [gateway.code.compliance-not-configured] [gateway.compliance.fail-close]', async () => {
  for (const missing of ['COMPLIANCE_BASE_URL', 'COMPLIANCE_API_KEY']) {
    const gateway = await world.gateway(owner, null, { [missing]: '' });
    expect(await gateway.agent.call({ serviceId: 'quotes', toolName: 'ping' })).toMatchObject({ ok: true });
    expect(await gateway.agent.call(quote)).toMatchObject({
      ok: false,
      stage: 'compliance_check',
      code: 'COMPLIANCE_NOT_CONFIGURED',
      detail: { complianceDecision: { passed: false, reasonCode: 'COMPLIANCE_NOT_CONFIGURED' } },
    });
  }
});

test.each([
  [
    'fails',
    (): Lie => (path, ask) =>
      path === '/api/kyc/check' ? { status: 500, body: '{"code":80000001,"msg":"x","data":null}' } : ask(),
  ],
  [
    'answers HTML',
    (): Lie => (path, ask) =>
      path === '/api/compliance/kyt/check' ? { status: 200, body: '<html>' } : ask(),
  ],
  ['breaks off', (): Lie => (path, ask) => (path === '/api/kyc/check' ? null : ask())],
  [
    'never answers',
    (): Lie => (path, ask) => (path === '/api/kyc/check' ? new Promise<never>(() => {}) : ask()),
  ],
  [
    'names an unknown risk level',
    () => lieAbout('/api/compliance/kyt/check', (data: object) => ({ ...data, riskLevel: 'unknown' })),
  ],
  [
    'speaks of another wallet',
    () => lieAbout('/api/kyc/check', (data: object) => ({ ...data, walletAddress: world.merchant.address })),
  ],
])(
  'a screening look-up that %s refuses the payment [attack 27] [gateway.code.compliance-api-error] [gateway.config.compliance-timeout-ms]',
  async (_how, about) => {
    const { answer } = await quoteWithLie(about(), deceivedAndImpatient());
    expect(answer).toMatchObject({ ok: false, stage: 'compliance_check', code: 'COMPLIANCE_API_ERROR' });
  },
);

test('a payer without KYC is refused, and that is recorded [gateway.code.payer-kyc-not-approved] [gateway.report.reject.refusal]', async () => {
  const unknown = await world.newOwner({ kyc: false });
  const gateway = await world.gateway(unknown);
  const answer = await gateway.agent.call(quote);
  expect(answer).toMatchObject({
    stage: 'compliance_check',
    code: 'PAYER_KYC_NOT_APPROVED',
    detail: {
      complianceDecision: { passed: false, reasonCode: 'KYC_NOT_APPROVED', kycStatus: 'pending' },
      payeeComplianceDecision: { passed: true },
      assuranceResult: { passed: true },
    },
  });
  const [record] = await until(
    () => world.records(unknown),
    (records) => records.length === 1,
  );
  expect(record).toMatchObject({
    serviceResult: 'reject',
    payerKycResult: 0,
    payerKytResult: 1,
    payeeKycResult: 1,
    txHash: null,
  });
  expect(await world.mandateOf(unknown)).toMatchObject({ usedAmount: '0', transactionCount: 0 });
});

test('a payer on the deny list is refused: KYT before KYC [gateway.code.payer-kyt-rejected] [gateway.compliance.kyt-before-kyc]', async () => {
  const denied = await world.newOwner({ kyc: false });
  await world.deny(denied.wallet.address);
  const answer = await (await world.gateway(denied)).agent.call(quote);
  expect(answer).toMatchObject({
    code: 'PAYER_KYT_REJECTED',
    detail: {
      complianceDecision: {
        reasonCode: 'KYT_REJECTED',
        kytDecision: 'reject',
        kytRiskLevel: 'severe',
        kytRiskScore: 100,
      },
    },
  });
});

test('a payee without KYC is refused [gateway.code.payee-kyc-not-approved]', async () => {
  const answer = await demand(honest, {
    merchant: await world.newMerchant({ registered: true, kyc: false }),
  });
  expect(answer).toMatchObject({ stage: 'compliance_check', code: 'PAYEE_KYC_NOT_APPROVED' });
});

test('a payee on the deny list is refused; payer comes before payee [gateway.code.payee-kyt-rejected] [gateway.compliance.payer-before-payee]', async () => {
  const merchant = await world.newMerchant({ registered: true });
  await world.deny(merchant.address);
  expect(await demand(honest, { merchant })).toMatchObject({ code: 'PAYEE_KYT_REJECTED' });
  const unknown = await world.newOwner({ kyc: false });
  expect(await demand(honest, { merchant, payer: unknown })).toMatchObject({
    code: 'PAYER_KYC_NOT_APPROVED',
  });
});

test('both checks fail: compliance is named, both results are shown [gateway.compliance.both-failures-shown]', async () => {
  const unknown = await world.newOwner({ kyc: false, mandate: null });
  const answer = await (await world.gateway(unknown)).agent.call(quote);
  expect(answer).toMatchObject({
    code: 'PAYER_KYC_NOT_APPROVED',
    detail: {
      complianceDecision: { passed: false },
      assuranceResult: { passed: false, errorCode: 'MANDATE_NOT_FOUND' },
    },
  });
});

test('a cart that somebody else signed is refused, and nothing later is asked [gateway.code.merchant-signature-invalid] [gateway.assurance.short-circuit]', async () => {
  const forger = createMerchant({ ...world.merchant, privateKey: newPrivateKey() });
  const answer = await demand(inCart({ merchant_signature: forger.cart('0.01').merchant_signature }));
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'MERCHANT_SIGNATURE_INVALID' });

  const { answer: lied, asked } = await quoteWithLie(
    lieAbout('/api/accounts/public-key', (data: object) => ({
      ...data,
      publicKey: `0x04${'ab'.repeat(64)}`,
    })),
  );
  expect(lied.code).toBe('MERCHANT_SIGNATURE_INVALID');
  expect(asked).not.toContain(vc);
});

test('a merchant without an account is refused [gateway.code.merchant-not-registered]', async () => {
  const privateKey = newPrivateKey();
  const stranger = createMerchant({ ...world.merchant, privateKey });
  const signed = {
    ...stranger.cart('0.01'),
    merchant_address: addressOfPrivateKey(Buffer.from(privateKey.slice(2), 'hex')),
  };
  expect(await demand(inCart(signed))).toMatchObject({
    stage: 'assurance_check',
    code: 'MERCHANT_NOT_REGISTERED',
  });
});

test.each([
  ['without a signature', { merchant_signature: undefined }],
  ['with a number for its amount', { total_amount: 0.01 }],
  ['with NaN for its amount', { total_amount: 'NaN' }],
  ['with an exponent', { total_amount: '1e-2' }],
  ['without a payee', { pay_to: undefined }],
])(
  'a cart %s is invalid, never missing [gateway.code.cart-mandate-invalid] [gateway.cart.required-fields]',
  async (_how, change) => {
    expect(await demand(inCart(change))).toMatchObject({
      stage: 'assurance_check',
      code: 'CART_MANDATE_INVALID',
    });
  },
);

test('a cart for another amount is refused [gateway.code.cart-mandate-mismatch.amount]', async () => {
  const cart = world.merchant.cart('0.001');
  expect(await demand(inExtra((extra) => ({ ...extra, cartMandate: cart })))).toMatchObject({
    stage: 'assurance_check',
    code: 'CART_MANDATE_MISMATCH',
  });
});

test('money for somebody else than the cart says is refused [gateway.code.cart-mandate-mismatch.pay-to]', async () => {
  const other = await world.newMerchant({ registered: true });
  const answer = await demand((required) => ({
    ...required,
    accepts: required.accepts.map((entry) => ({ ...entry, payTo: other.address })),
  }));
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'CART_MANDATE_MISMATCH' });
});

test('a credential that is not the owner’s is refused [gateway.code.vc-proof-invalid]', async () => {
  type Found = {
    vcJson: { credentialSubject: { budgetConstraints: { perTransactionLimit: { amount: string } } } };
  };
  const { answer } = await quoteWithLie(
    lieAbout(vc, (data: Found) => {
      data.vcJson.credentialSubject.budgetConstraints.perTransactionLimit.amount = '1000';
      return data;
    }),
  );
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'VC_PROOF_INVALID' });
});

test('an owner without a mandate is refused [gateway.code.mandate-not-found]', async () => {
  const free = await world.newOwner({ mandate: null });
  const answer = await (await world.gateway(free)).agent.call(quote);
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'MANDATE_NOT_FOUND' });
});

test.each(['exhausted', 'revoked', 'pending'])(
  'a mandate that is %s counts as none [gateway.code.mandate-not-found.dead-mandate]',
  async (status) => {
    const { answer } = await quoteWithLie(
      lieAbout(vc, (data: { mandate: object }) => ({ ...data, mandate: { ...data.mandate, status } })),
    );
    expect(answer).toMatchObject({ code: 'MANDATE_NOT_FOUND' });
  },
);

test('an expired mandate is refused [gateway.code.mandate-expired]', async () => {
  const { answer } = await quoteWithLie((path, ask) =>
    path === vc
      ? {
          status: 404,
          body: JSON.stringify({
            code: 80000053,
            msg: 'MANDATE_EXPIRED',
            data: { found: false, mandate: null, remainingBudget: null, usagePercent: null, vcJson: null },
          }),
        }
      : ask(),
  );
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'MANDATE_EXPIRED' });
});

test('a dashboard that raises a limit on its own is found out [gateway.code.mandate-tampered] [gateway.assurance.raised-limit]', async () => {
  const { answer } = await quoteWithLie(
    lieAbout(vc, (data: { mandate: object }) => ({
      ...data,
      mandate: { ...data.mandate, perTxLimit: '100' },
    })),
  );
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'MANDATE_TAMPERED' });
});

test('a dashboard that fails on the mandate is no permission [gateway.code.assurance-api-error]', async () => {
  const { answer } = await quoteWithLie((path, ask) => (path === vc ? { status: 503, body: 'busy' } : ask()));
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'ASSURANCE_API_ERROR' });
});

test('what we do not pay is refused before anybody is looked up [gateway.code.payment-unsupported] [gateway.demand.judged-first]', async () => {
  const answer = await demand((required) => ({
    ...required,
    accepts: required.accepts.map((entry) => ({ ...entry, network: 'eip155:1' })),
  }));
  expect(answer).toMatchObject({
    stage: 'payment_required',
    code: 'PAYMENT_UNSUPPORTED',
    detail: { complianceDecision: null, assuranceResult: null },
  });
});

test('an honest second entry does not help a first that we do not pay [gateway.demand.first-entry-only]', async () => {
  const answer = await demand((required) => {
    const [first] = required.accepts;
    return {
      ...required,
      accepts: [
        { ...first, network: 'eip155:999' } as PaymentRequired['accepts'][number],
        ...required.accepts,
      ],
    };
  });
  expect(answer.code).toBe('PAYMENT_UNSUPPORTED');
});

test('a demand without sense is told apart [attack 29] [gateway.code.payment-requirement-invalid]', async () => {
  const answer = await demand((required) => ({
    ...required,
    accepts: Array.from({ length: 10_000 }, () => required.accepts[0] as never),
  }));
  expect(answer).toMatchObject({ stage: 'payment_required', code: 'PAYMENT_REQUIREMENT_INVALID' });
});

test('a price that stands twice and differs is refused [gateway.code.payment-requirement-invalid.copies-differ]', async () => {
  const tool = {
    definition: { name: 'two-faced', inputSchema: { type: 'object' as const } },
    call: async () => ({
      isError: true,
      structuredContent: { x402Version: 2, accepts: [{ amount: '1' }] },
      content: [
        { type: 'text' as const, text: JSON.stringify({ x402Version: 2, accepts: [{ amount: '1000000' }] }) },
      ],
    }),
  };
  const gateway = await world.gateway(owner, { odd: await world.service('odd', [tool]) });
  expect(await gateway.agent.call({ serviceId: 'odd', toolName: 'two-faced' })).toMatchObject({
    code: 'PAYMENT_REQUIREMENT_INVALID',
  });
});

test('policies for services without a cart [gateway.config.cart-mandate-missing-policy.challenge] [gateway.config.cart-mandate-missing-policy.reject] [gateway.config.cart-mandate-missing-policy.per-service] [gateway.config.payment-unmandated-max-amount]', async () => {
  const call = { serviceId: 'quotes', toolName: 'no_cart' };
  const withPolicy = async (env: Record<string, string>, payer = owner) =>
    (await (await world.gateway(payer, null, env)).agent.call(call)).code;
  expect(await withPolicy({ CART_MANDATE_MISSING_POLICY: 'challenge' })).toBe('WALLET_APPROVAL_REQUIRED');
  expect(await withPolicy({ CART_MANDATE_MISSING_POLICY: 'reject' })).toBe('PAYMENT_UNSUPPORTED');
  expect(await withPolicy({ CART_MANDATE_MISSING_POLICY: 'skip,quotes=reject' })).toBe('PAYMENT_UNSUPPORTED');
  expect(await withPolicy({ PAYMENT_UNMANDATED_MAX_AMOUNT: '0.001', CART_POLICY: 'skip' })).toBe(
    'PAYMENT_UNSUPPORTED',
  );
  const unmandated = await world.newOwner({ mandate: null });
  expect(await withPolicy({ PAYMENT_UNMANDATED_MAX_AMOUNT: '0.001' }, unmandated)).toBe(
    'PAYMENT_UNSUPPORTED',
  );
});
