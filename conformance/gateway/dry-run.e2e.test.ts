import { type PaidToolSpec, paidTool } from '@countersign/local/merchant/paid-tool';
import type { Tool } from '@countersign/local/merchant/tool';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { anyTool, startRawService } from './fixtures/raw-service.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
});
afterAll(() => world?.stop());

type Sale = Partial<PaidToolSpec<z.ZodObject>> & { readonly hint?: boolean };

/** A paid tool that writes down the `_meta` of each call that reaches it. */
function sale(heard: object[], { hint = false, ...changes }: Sale = {}): Tool {
  const spec: PaidToolSpec<z.ZodObject> = {
    name: 'sell',
    title: 'Sell',
    description: 'Sells',
    input: z.strictObject({ size: z.number().optional() }),
    run: () => ({ content: [{ type: 'text', text: 'sold' }] }),
    merchant: world.merchant,
    price: '0.01',
    ...(hint && { annotations: { paymentHint: true } as never }),
    ...changes,
  };
  const tool = paidTool(spec);
  return {
    definition: tool.definition,
    call: (args, meta) => {
      heard.push(meta);
      return tool.call(args, meta);
    },
  };
}

async function shop(changes: Sale = {}, payer = owner, env: Record<string, string> = {}) {
  const heard: object[] = [];
  const url = await world.service('shop', [sale(heard, changes)]);
  const gateway = await world.gateway(payer, { shop: url }, env);
  const call = (input: object = {}) => gateway.agent.call({ serviceId: 'shop', toolName: 'sell', ...input });
  return { heard, gateway, call, rehearse: (input: object = {}) => call({ ...input, dryRun: true }) };
}

/** Everything that a payment would leave behind. */
const traces = async (payer: Owner) => ({
  balance: await world.balance(payer.wallet.address),
  records: (await world.records(payer)).length,
  mandate: await world.mandateOf(payer),
});

test('a tool that was never tried is not called: PRICE_UNKNOWN, until it has asked for money once [gateway.code.price-unknown] [gateway.dry-run.known-paid-only] [gateway.dry-run.message]', async () => {
  const { heard, call, rehearse } = await shop();
  expect(await rehearse()).toMatchObject({
    ok: false,
    stage: 'tool_execution',
    code: 'PRICE_UNKNOWN',
    message: expect.stringMatching(/^dry run: /) as string,
    detail: { paymentMade: false, paymentContext: null },
  });
  expect(heard).toEqual([]);
  expect((await call()).code).toBe('SUCCESS');
  expect((await rehearse()).code).toBe('SUCCESS');
});

test('a free tool is never run by a dry run, not even after it was called', async () => {
  const service = await startRawService({ tools: () => ({ tools: [anyTool('pay_rent')] }) });
  const { agent } = await world.gateway(owner, { desk: service.url });
  const rent = { serviceId: 'desk', toolName: 'pay_rent' };
  expect((await agent.call({ ...rent, dryRun: true })).code).toBe('PRICE_UNKNOWN');
  expect((await agent.call(rent)).code).toBe('SUCCESS');
  expect((await agent.call({ ...rent, dryRun: true })).code).toBe('PRICE_UNKNOWN');
  expect(service.calls).toHaveLength(1);
  await service.stop();
});

test.each([
  ['an annotation', { annotations: { paymentHint: true } }],
  ['a price in _meta', { _meta: { x402: { accepts: [] } } }],
  ['a mark in _meta', { _meta: { x402: { paymentRequired: true } } }],
  ['the mark of another SDK', { _meta: { 'agents-x402/paymentRequired': true } }],
])(
  'a tool that says so by %s is asked for its price [gateway.dry-run.known-paid-only]',
  async (_by, mark) => {
    const service = await startRawService({ tools: () => ({ tools: [anyTool('sell', mark)] }) });
    const { agent } = await world.gateway(owner, { desk: service.url });
    await agent.call({ serviceId: 'desk', toolName: 'sell', dryRun: true });
    expect(service.calls).toHaveLength(1);
    await service.stop();
  },
);

test('a dry run of what would be paid: the price is judged, and nothing is signed, held, paid, reported or written down [gateway.dry-run.moves-nothing] [gateway.dry-run.outcome]', async () => {
  const payer = await world.newOwner();
  const liar = await startLyingDashboard(world.card.dashboardUrl, (_, ask) => ask());
  const { heard, rehearse, call } = await shop({ hint: true }, payer, { COMPLIANCE_BASE_URL: liar.url });
  const before = await traces(payer);
  const answer = await rehearse({ idempotencyKey: 'dry-and-then-real' });
  expect(answer).toMatchObject({
    ok: true,
    stage: 'tool_execution',
    code: 'SUCCESS',
    message: 'dry run: 0.01 USDC would be paid.',
    detail: {
      paymentMade: false,
      paymentResponse: null,
      downstreamContent: null,
      complianceDecision: { passed: true },
      assuranceResult: { passed: true },
      paymentContext: { amount: '10000', payTo: world.merchant.address },
    },
  });
  for (const key of ['nonce', 'validBefore', 'receiptId', 'approval'])
    expect(answer.detail.paymentContext).not.toHaveProperty(key);
  expect(heard.map((meta) => Object.keys(meta))).toEqual([['traceparent']]);
  expect(new Set(liar.asked)).toEqual(
    new Set([
      '/api/kyc/check',
      '/api/compliance/kyt/check',
      '/api/accounts/public-key',
      '/api/mandates/intent/vc',
    ]),
  );
  expect(await traces(payer)).toEqual(before);

  // The control: the same call, meant, leaves all of it; and its record is the first there is.
  expect(await call({ idempotencyKey: 'dry-and-then-real' })).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: true },
  });
  await until(
    () => traces(payer),
    ({ records }) => records === 1,
  );
  expect(await world.balance(payer.wallet.address)).toBe(before.balance - 10_000n);
  expect(await rehearse({ idempotencyKey: 'dry-and-then-real' })).toMatchObject({
    code: 'SUCCESS',
    detail: { paymentMade: false },
  });
  await liar.stop();
});

const noKyc = () => world.newOwner({ kyc: false });
const poorMandate = () => world.newOwner({ mandate: { perTxLimit: '0.001', totalBudget: '20' } });
const noMandate = () => world.newOwner({ mandate: null });
const same = async () => owner;
const foreign: Sale['mutate'] = (required) => ({
  ...required,
  accepts: required.accepts.map((entry) => ({ ...entry, network: 'eip155:1' })),
});
const empty: Sale['mutate'] = (required) => ({ ...required, accepts: [] });

test.each<[code: string, payer: () => Promise<Owner>, sale: Sale, input?: object]>([
  ['SUCCESS', same, {}],
  ['WALLET_APPROVAL_REQUIRED', poorMandate, {}],
  ['MANDATE_NOT_FOUND', noMandate, {}],
  ['PAYER_KYC_NOT_APPROVED', noKyc, {}],
  ['PRICE_ABOVE_MAXIMUM', same, {}, { maxAmount: '0.009999' }],
  ['PAYMENT_UNSUPPORTED', same, { mutate: foreign }],
  ['PAYMENT_REQUIREMENT_INVALID', same, { mutate: empty }],
  ['INVALID_ARGUMENTS', same, {}, { arguments: { size: 'large' } }],
  ['TOOL_NOT_FOUND', same, {}, { toolName: 'give' }],
  ['SERVICE_NOT_FOUND', same, {}, { serviceId: 'nobody' }],
  ['PAYMENT_PAYLOAD_INVALID', same, {}, { paymentPayload: { approvalId: 'apr_x', signature: '0x' } }],
])(
  'what ends in %s ends so in a dry run, which leaves nothing [gateway.dry-run.outcome] [gateway.dry-run.message] [gateway.dry-run.moves-nothing]',
  async (code, newPayer, changes, input = {}) => {
    const payer = await newPayer();
    const { call, rehearse } = await shop({ hint: true, ...changes }, payer);
    const before = await traces(payer);
    const dry = await rehearse(input);
    expect(await traces(payer)).toEqual(before);
    const { ok, stage } = await call(input);
    expect(dry).toMatchObject({ ok, stage, code, message: expect.stringMatching(/^dry run: /) as string });
    expect(dry.detail.paymentMade).toBe(false);
    expect(dry.detail.paymentContext ?? {}).not.toHaveProperty('approval');
    expect(dry.detail.paymentContext ?? {}).not.toHaveProperty('receiptId');
  },
);

test('without a dashboard a dry run says so', async () => {
  const { rehearse } = await shop({ hint: true }, owner, { COMPLIANCE_API_KEY: '' });
  expect(await rehearse()).toMatchObject({ stage: 'compliance_check', code: 'COMPLIANCE_NOT_CONFIGURED' });
});
