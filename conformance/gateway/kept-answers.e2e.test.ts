import { connectAgent } from '@countersign/local/agent';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Gate, gate } from './fixtures/gate.ts';
import { callMessage, post } from './fixtures/http.ts';
import { leavers } from './fixtures/leaving.ts';
import { newStateDir, removeStateDirs, startMortalGateway } from './fixtures/mortal-gateway.ts';
import { openShop, type Shop } from './fixtures/paid-shop.ts';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
const open: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  await world?.stop();
  await removeStateDirs();
});

/** A shop that stops at the first payment, which has left the gateway then. */
const stoppingShop = (stop: Gate): Promise<Shop> =>
  openShop(world, {
    validSeconds: 60,
    onStep: async (step) => {
      if (step === 'verified') await stop.pass();
    },
  });

const spent = async (owner: Owner): Promise<bigint> =>
  100_000_000n - (await world.balance(owner.wallet.address));
const price = 10_000n;

/** A call whose caller cancels it once the payment has left; resolves when the gateway has all that it needs to know. */
async function callAndCancel(url: string, stop: Gate, input: object = sale): Promise<GatewayEnvelope> {
  const answer = post(url, callMessage('one', input));
  await stop.reached;
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
  stop.open();
  // Nobody listens; but who does anyway learns that the answer is kept by now.
  const { body } = await answer;
  return (JSON.parse(body) as { result: { structuredContent: GatewayEnvelope } }).result.structuredContent;
}

const transactionIn = ({ detail }: GatewayEnvelope): unknown => detail.paymentResponse?.['transaction'];

test.each([
  ['one gateway', {}],
  ['two gateways on one directory', { GATEWAY_STATE_DIR: 'shared' }],
  ['two gateways on one database', { GATEWAY_DATABASE_URL: 'shared' }],
])(
  'a second call with a running key joins it, at %s: one payment, one answer [gateway.paying.key.joins]',
  async (_, kind) => {
    const owner = await world.newOwner();
    const stop = gate();
    const shop = await stoppingShop(stop);
    const services = { shop: shop.url };
    const env = {
      ...('GATEWAY_STATE_DIR' in kind && { GATEWAY_STATE_DIR: await newStateDir() }),
      ...('GATEWAY_DATABASE_URL' in kind && { GATEWAY_DATABASE_URL: world.card.databaseUrl }),
    };
    const first = await world.gatewayProcess(owner, services, env);
    const second = Object.keys(env).length === 0 ? first : await world.gatewayProcess(owner, services, env);
    const call = { ...sale, idempotencyKey: 'one-running-key' };
    const answers = [first.agent.call(call)];
    await stop.reached;
    answers.push(second.agent.call(call));
    expect(await second.agent.call({ ...call, arguments: { n: 1 } })).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    stop.open();
    const [one, two] = await Promise.all(answers);
    expect(one).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(two).toEqual(one);
    expect(shop.settled.size).toBe(1);
    expect(await spent(owner)).toBe(price);
  },
);

test('one of two callers of a key leaves before it is paid: the other gets its answer [gateway.paying.key.joins]', async () => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await stoppingShop(stop);
  const { url, agent } = await world.gateway(owner, { shop: shop.url });
  const call = { ...sale, idempotencyKey: 'two-callers-one-left' };
  const left = post(url, callMessage('left', call));
  const stayed = agent.call(call);
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'left' } });
  await stop.reached;
  stop.open();
  expect((await stayed).code).toBe('SUCCESS');
  await left;
  expect(await spent(owner)).toBe(price);
});

test('the same key is given the same answer and settlement again, marked as replayed [gateway.paying.retry.stored-envelope]', async () => {
  const owner = await world.newOwner();
  const shop = await openShop(world);
  const { agent } = await world.gateway(owner, { shop: shop.url });
  const call = { ...sale, idempotencyKey: 'fetched-three-times' };
  const first = await agent.call(call);
  expect(first.detail).not.toHaveProperty('replayed');
  for (let n = 0; n < 2; n++)
    expect(await agent.call(call)).toEqual({ ...first, detail: { ...first.detail, replayed: true } });
  expect(await spent(owner)).toBe(price);
});

test('without a key: an answer that its caller never got goes to the next identical call, once [gateway.paying.kept.next-identical-call]', async () => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await stoppingShop(stop);
  const { url, agent } = await world.gateway(owner, { shop: shop.url });
  const lost = await callAndCancel(url, stop);
  const other = await agent.call({ ...sale, arguments: { n: 1 } });
  expect(other.detail).not.toHaveProperty('replayed');
  expect(await spent(owner)).toBe(2n * price);
  const next = await agent.call(sale);
  expect(next).toEqual({ ...lost, detail: { ...lost.detail, replayed: true } });
  expect(transactionIn(next)).toBe(transactionIn(lost));
  expect(await spent(owner)).toBe(2n * price);
  // Got by now: who asks once more wants it once more.
  expect((await agent.call(sale)).detail).not.toHaveProperty('replayed');
  expect(await spent(owner)).toBe(3n * price);
});

test.each(Object.entries(leavers))(
  '%s after the payment has left, and calls again while it is under way: it gets what was paid for [gateway.paying.kept.next-identical-call] [gateway.cancel.after-sending]',
  async (_, start) => {
    const owner = await world.newOwner();
    const stop = gate();
    const shop = await stoppingShop(stop);
    const services = { shop: shop.url };
    // Shared, so that who calls again may be another process.
    const env = { GATEWAY_STATE_DIR: await newStateDir() };
    const leaver = await start({ world, owner, services, env, closeLater: (close) => open.push(close) });
    const { agent } = await world.gatewayProcess(owner, services, env);
    leaver.call(sale);
    await stop.reached;
    await leaver.leave();
    const again = agent.call(sale);
    // It has begun to wait when it has asked for the price.
    stop.open();
    expect(await again).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true, replayed: true } });
    expect(await spent(owner)).toBe(price);
    // The report goes its own way, after the answer.
    await expect.poll(() => world.mandateOf(owner)).toMatchObject({ transactionCount: 1 });
  },
);

test('three calls, each with a time-out shorter than the settlement, pay once [gateway.paying.kept.next-identical-call] [gateway.cancel.after-sending]', async () => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await stoppingShop(stop);
  const { agent } = await world.gateway(owner, { shop: shop.url });
  const impatient = () =>
    agent.client.callTool({ name: 'call_service_tool', arguments: { ...sale } }, { timeout: 2000 });
  for (let n = 0; n < 2; n++) await expect(impatient()).rejects.toThrow('timed out');
  const last = impatient();
  stop.open();
  expect((await last).structuredContent).toMatchObject({ code: 'SUCCESS', detail: { replayed: true } });
  expect(await spent(owner)).toBe(price);
});

test.each([
  ['with a key', { idempotencyKey: 'kept-through-a-crash' }],
  ['without a key', {}],
])('%s: a kept answer outlives kill -9 [gateway.paying.kept.durable]', async (_, more) => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await stoppingShop(stop);
  const call = { ...sale, ...more };
  const gateway = await startMortalGateway(world, owner, { services: { shop: shop.url } });
  const lost = await callAndCancel(await gateway.url(), stop, call);
  await gateway.kill();
  await gateway.restart();
  const again = await gateway.call(call);
  expect(again).toEqual({ ...lost, detail: { ...lost.detail, replayed: true } });
  expect(transactionIn(lost)).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await spent(owner)).toBe(price);
});

test('killed with a payment under way whose caller had left: the next identical call is told so, and pays nothing [gateway.paying.kept.durable]', async () => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await stoppingShop(stop);
  const services = { shop: shop.url };
  const stateDir = await newStateDir();
  const env = { PAYMENT_TIMEOUT_MS: '60000' };
  const gateway = await startMortalGateway(world, owner, { services, stateDir, env });
  const url = await gateway.url();
  const lost = post(url, callMessage('one', sale)).catch(() => null);
  await stop.reached;
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
  const { agent } = await world.gatewayProcess(owner, services, { GATEWAY_STATE_DIR: stateDir });
  const again = agent.call(sale);
  await gateway.kill();
  expect(await lost).toBeNull();
  stop.open();
  expect(await again).toMatchObject({
    code: 'PAYMENT_OUTCOME_UNKNOWN',
    detail: { replayed: true, paymentContext: { nonce: expect.stringMatching(/^0x/) as string } },
  });
  await until(
    () => spent(owner),
    (sum) => sum === price,
  );
  expect(shop.settled.size).toBe(1);
});

test('a call with a running key and another maximum is judged by its own [gateway.paying.key.joins]', async () => {
  const owner = await world.newOwner();
  const { agent } = await world.gateway(owner, {
    shop: await world.service('shop', [sellTool(world.merchant)]),
  });
  const call = { ...sale, idempotencyKey: 'two-maximums' };
  const answers = await Promise.all([agent.call({ ...call, maxAmount: '0.000001' }), agent.call(call)]);
  expect(answers.map(({ code }) => code)).toEqual(['PRICE_ABOVE_MAXIMUM', 'SUCCESS']);
  expect(await spent(owner)).toBe(price);
});

test('of an answer larger than 1 MiB the settlement is kept, and the message says that the content is not [gateway.paying.kept.bounded]', async () => {
  const owner = await world.newOwner();
  const run = () => ({
    content: [{ type: 'text' as const, text: 'x' }],
    structuredContent: { whole: 'x'.repeat(1024 * 1024) },
  });
  const { agent } = await world.gateway(owner, {
    shop: await world.service('shop', [sellTool(world.merchant, { run })]),
  });
  const call = { ...sale, idempotencyKey: 'too-large-to-keep' };
  const first = await agent.call(call);
  expect(first.detail.downstreamContent).toMatchObject([{ type: 'text' }]);
  const again = await agent.call(call);
  expect(again).toMatchObject({ code: 'SUCCESS', detail: { replayed: true, downstreamContent: null } });
  expect(again.detail.downstreamStructuredContent).toBeUndefined();
  expect(again.message).toContain('no longer kept');
  expect(transactionIn(again)).toBe(transactionIn(first));
  expect(await spent(owner)).toBe(price);
});

test('agents do not get each other’s lost answers [gateway.paying.kept.next-identical-call] [attack 21]', async () => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await stoppingShop(stop);
  const env = { GATEWAY_AUTH_TOKENS: 'alice:token-of-alice, bob:token-of-bob' };
  const { url, agent: alice } = await world.gateway(owner, { shop: shop.url }, env);
  const bob = await connectAgent(url, 'token-of-bob');
  open.push(() => bob.close());
  const gone = new AbortController();
  const input = { name: 'call_service_tool', arguments: { ...sale } };
  const lost = alice.client.callTool(input, { signal: gone.signal }).catch(() => 'lost');
  await stop.reached;
  gone.abort();
  expect(await lost).toBe('lost');
  await alice.client.ping();
  stop.open();
  expect((await bob.call(sale)).detail).not.toHaveProperty('replayed');
  expect((await alice.call(sale)).detail).toMatchObject({ replayed: true });
  expect(await spent(owner)).toBe(2n * price);
});
