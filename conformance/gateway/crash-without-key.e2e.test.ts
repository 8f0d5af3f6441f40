import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { countersign } from '@countersign/local/countersign';
import type { HttpServer } from '@countersign/local/http-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { booksAgree, readBooks } from './fixtures/books.ts';
import { gate } from './fixtures/gate.ts';
import { callMessage, post } from './fixtures/http.ts';
import { startMiddleman } from './fixtures/middleman.ts';
import { newStateDir, removeStateDirs, startMortalGateway } from './fixtures/mortal-gateway.ts';
import { openShop, type Step } from './fixtures/paid-shop.ts';
import { sale } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
const open: HttpServer[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});
afterAll(async () => {
  await world?.stop();
  await removeStateDirs();
});

const price = 10_000n;
const spent = async (owner: Owner): Promise<bigint> =>
  100_000_000n - (await world.balance(owner.wallet.address));

/** What `countersign receipt verify` says of all receipts of a gateway. */
async function verifyReceipts(stateDir: string): Promise<string> {
  const run = async (...argv: readonly string[]) => {
    const { command, args } = countersign('receipt', ...argv);
    const env = { PATH: process.env['PATH'], GATEWAY_STATE_DIR: stateDir };
    return (await promisify(execFile)(command, [...args], { env })).stdout;
  };
  const file = join(stateDir, 'receipts.jsonl');
  await writeFile(file, await run('export'));
  return run('verify', file);
}

/** A call without a key whose gateway is killed while its caller waits, when the payment stands at `at`. */
async function killedAt(at: Step | 'lost on its way', env: Readonly<Record<string, string>>) {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await openShop(world, {
    validSeconds: 60,
    onStep: async (step) => {
      if (step === at) await stop.pass();
    },
  });
  const middleman = await startMiddleman(
    () => shop.url,
    async ({ ask, tell }) => {
      if (at !== 'lost on its way' || !(await stop.pass())) tell(await ask());
    },
  );
  open.push(middleman);
  const stateDir = await newStateDir();
  const gateway = await startMortalGateway(world, owner, {
    services: { shop: `${middleman.url}/mcp` },
    stateDir,
    env: { PAYMENT_TIMEOUT_MS: '60000', ...env },
  });
  const lost = post(await gateway.url(), callMessage('one', sale)).catch(() => null);
  await stop.reached;
  await gateway.kill();
  expect(await lost).toBeNull();
  stop.open();
  await gateway.restart();
  return { owner, shop, gateway, stateDir };
}

const states = [
  ['LMDB', () => ({})],
  ['PostgreSQL', () => ({ GATEWAY_DATABASE_URL: world.card.databaseUrl })],
] as const;

test.each(states)(
  'killed before the payment reached the merchant, in %s: the next identical call sends that payment and is answered [gateway.paying.kept.crash]',
  async (_, env) => {
    const { owner, gateway, shop, stateDir } = await killedAt('lost on its way', env());
    expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(shop.settled.size).toBe(1);
    expect(await spent(owner)).toBe(price);
    // That one has its answer: who asks once more buys once more.
    expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS' });
    expect(await spent(owner)).toBe(2n * price);
    expect(await verifyReceipts(stateDir)).toContain('2 receipts: signatures, chain and inputs hold');
  },
);

test.each(states)(
  'killed while the merchant settled, in %s: of two identical calls one learns it is paid, the other buys its own [gateway.paying.kept.crash]',
  async (_, env) => {
    const { owner, gateway } = await killedAt('verified', env());
    const answers = await Promise.all([gateway.call(sale), gateway.call(sale)]);
    const codes = new Set(answers.map((answer) => answer?.code));
    expect(codes).toEqual(new Set(['DOWNSTREAM_TOOL_ERROR', 'SUCCESS']));
    for (const answer of answers) expect(answer?.detail.paymentMade).toBe(true);
    expect(await spent(owner)).toBe(2n * price);
    const books = await until(
      () => readBooks(world, owner),
      (all) => booksAgree(all) && all.log === 2n * price,
    );
    expect(books).toMatchObject({ chain: 2n * price, mandate: 2n * price });
  },
);

test('found settled on chain before anybody called again: the next identical call is told so once, and pays nothing [gateway.paying.kept.crash]', async () => {
  const { owner, gateway } = await killedAt('verified', { PAYMENT_TIMEOUT_MS: '3000' });
  const counted = await until(
    () => world.mandateOf(owner),
    (mandate) => mandate?.transactionCount === 1,
  );
  expect(counted).toMatchObject({ usedAmount: '0.01', heldAmount: '0' });
  const told = await gateway.call(sale);
  expect(told).toMatchObject({
    code: 'DOWNSTREAM_TOOL_ERROR',
    message: expect.stringMatching(/^Paid 0\.01 USDC\. .*Calling again would be a second payment/) as string,
    detail: {
      serviceId: 'shop',
      toolName: 'sell',
      replayed: true,
      paymentMade: true,
      paymentResponse: { transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string },
    },
  });
  expect(await spent(owner)).toBe(price);
  expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS' });
  expect(await spent(owner)).toBe(2n * price);
});

test('what another gateway still waits for is not taken from it: an identical call there and here are two purchases [gateway.paying.kept.crash]', async () => {
  const owner = await world.newOwner();
  const stop = gate();
  const shop = await openShop(world, {
    validSeconds: 60,
    onStep: async (step) => {
      if (step === 'received') await stop.pass();
    },
  });
  const env = { GATEWAY_STATE_DIR: await newStateDir() };
  const one = await world.gatewayProcess(owner, { shop: shop.url }, env);
  const two = await world.gatewayProcess(owner, { shop: shop.url }, env);
  const first = one.agent.call(sale);
  await stop.reached;
  const second = await two.agent.call(sale);
  expect(second).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(second.detail).not.toHaveProperty('replayed');
  stop.open();
  expect(await first).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect(shop.settled.size).toBe(2);
  expect(await spent(owner)).toBe(2n * price);
});
