import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { newPrivateKey } from '@countersign/local/market';
import type { Tool } from '@countersign/local/merchant/tool';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalIn, challenged } from './fixtures/approval.ts';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let wallet: LocalAccount;
let gateway: Awaited<ReturnType<World['gateway']>>;

const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  wallet = privateKeyToAccount(owner.wallet.privateKey);
  gateway = await world.gateway(owner);
});
afterAll(() => world?.stop());

test('what the owner approved is paid once, counts as usage, and no second time [gateway.approval.payload] [gateway.approval.signer.owner] [gateway.approval.limits-waived] [gateway.approval.once] [gateway.approval.counts-as-usage] [gateway.code.approval-already-used]', async () => {
  const before = await world.balance(owner.wallet.address);
  const paymentPayload = await challenged(gateway.agent, report, wallet);
  const paid = await gateway.agent.call({ ...report, paymentPayload });
  expect(paid).toMatchObject({ ok: true, code: 'SUCCESS', detail: { paymentMade: true } });
  expect(await world.balance(owner.wallet.address)).toBe(before - 5_000_000n);
  const mandate = await until(
    () => world.mandateOf(owner),
    (found) => found?.transactionCount === 1,
  );
  expect(mandate?.usedAmount).toBe('5');

  const again = await gateway.agent.call({ ...report, paymentPayload });
  expect(again).toMatchObject({ ok: false, stage: 'payment_required', code: 'APPROVAL_ALREADY_USED' });
  expect(await world.balance(owner.wallet.address)).toBe(before - 5_000_000n);
});

test('sixteen calls with one approval pay once', async () => {
  const before = await world.balance(owner.wallet.address);
  const paymentPayload = await challenged(gateway.agent, report, wallet);
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => gateway.agent.call({ ...report, paymentPayload })),
  );
  expect(answers.filter(({ ok }) => ok).length).toBe(1);
  expect(await world.balance(owner.wallet.address)).toBe(before - 5_000_000n);
});

test('an approval is for one service, tool and argument, and by the owner’s wallet [gateway.approval.bound.service-and-tool] [gateway.approval.bound.arguments] [gateway.code.payment-payload-invalid]', async () => {
  const before = await world.balance(owner.wallet.address);
  const paymentPayload = await challenged(gateway.agent, report, wallet);
  const refused = async (input: object) => (await gateway.agent.call({ ...report, ...input })).code;
  expect(await refused({ paymentPayload, arguments: { symbol: 'OTHER' } })).toBe('PAYMENT_PAYLOAD_INVALID');
  expect(await refused({ paymentPayload, toolName: 'get_quote' })).toBe('PAYMENT_PAYLOAD_INVALID');
  const stranger = privateKeyToAccount(newPrivateKey());
  expect(await refused({ paymentPayload: await challenged(gateway.agent, report, stranger) })).toBe(
    'PAYMENT_PAYLOAD_INVALID',
  );
  expect(await refused({ paymentPayload: { ...paymentPayload, approvalId: 'apr_unknown' } })).toBe(
    'PAYMENT_PAYLOAD_INVALID',
  );
  expect(await world.balance(owner.wallet.address)).toBe(before);
});

test('garbage for an approval gets an envelope [gateway.call.payment-payload-loose]', async () => {
  for (const paymentPayload of ['yes', 7, [], {}, { approvalId: 1 }, { approvalId: 'x', signature: {} }]) {
    const answer = await gateway.agent.call({ ...report, paymentPayload });
    expect(answer).toMatchObject({ ok: false, stage: 'payment_required', code: 'PAYMENT_PAYLOAD_INVALID' });
  }
});

test('a further approver may approve, if the gateway names it [gateway.approval.signer.approver] [gateway.config.approver-addresses]', async () => {
  const key = newPrivateKey();
  const approver = addressOfPrivateKey(Buffer.from(key.slice(2), 'hex'));
  const named = await world.gateway(owner, null, { APPROVER_ADDRESSES: approver });
  const paymentPayload = await challenged(named.agent, report, privateKeyToAccount(key));
  expect(await named.agent.call({ ...report, paymentPayload })).toMatchObject({ ok: true });
});

test('a price that changed after the approval gives a new challenge [gateway.approval.price-changed] [gateway.approval.bound.payment]', async () => {
  let price = '2';
  const tool = () => sellTool(world.merchant, { price });
  const moving: Tool = { definition: tool().definition, call: (...call) => tool().call(...call) };
  const shop = await world.gateway(owner, { shop: await world.service('shop', [moving]) });
  const paymentPayload = await challenged(shop.agent, sale, wallet);
  price = '3';
  const before = await world.balance(owner.wallet.address);
  const answer = await shop.agent.call({ ...sale, paymentPayload });
  expect(approvalIn(answer).approvalId).not.toBe(paymentPayload.approvalId);
  expect(await world.balance(owner.wallet.address)).toBe(before);
});

test('after an approval every other check still holds [gateway.approval.checks-again]', async () => {
  const suspect = await world.newOwner();
  const theirs = await world.gateway(suspect);
  const signer = privateKeyToAccount(suspect.wallet.privateKey);
  const paymentPayload = await challenged(theirs.agent, report, signer);
  await world.deny(suspect.wallet.address);
  const answer = await theirs.agent.call({ ...report, paymentPayload });
  expect(answer).toMatchObject({ ok: false, code: 'PAYER_KYT_REJECTED' });
});
