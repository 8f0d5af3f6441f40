import { createLogger } from '@countersign/service/logger';
import { freePort } from '@countersign/service/free-port';
import type { PaymentPayload } from '@x402/core/types';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { barePayer } from './bare-payer.ts';
import { callRpc } from './json-rpc.ts';
import { balanceOf, mint } from './chain-accounts.ts';
import { startFacilitator } from './facilitator.ts';
import { type Market, newPrivateKey, startMarket } from './market.ts';
import { facilitatorClient } from './merchant/facilitator-client.ts';
import { type PaymentRequired, paymentRequired, type Requirement } from './merchant/payment-required.ts';

let market: Market;
const payer = barePayer(newPrivateKey());

beforeAll(async () => {
  market = await startMarket();
  await mint(market.chain.rpcUrl, payer.address, 1_000_000_000n);
});
afterAll(() => market.stop());

const sale = { toolName: 'test', description: 'A test', price: '0.01', cart: 'none' } as const;
const demand = (x402Version: 1 | 2): PaymentRequired =>
  paymentRequired(market.merchant, { ...sale, x402Version });
const first = ({ accepts: [requirement] }: PaymentRequired): Requirement => {
  if (requirement === undefined) throw new Error('a demand without a requirement');
  return requirement;
};
const balances = async (): Promise<bigint[]> =>
  Promise.all([payer.address, market.merchant.address].map((who) => balanceOf(market.chain.rpcUrl, who)));
const settle = (payment: PaymentPayload, required: PaymentRequired) =>
  market.merchant.facilitator.settle({ payment: { ...payment }, requirement: first(required) });
const verify = (payment: PaymentPayload, required: PaymentRequired) =>
  market.merchant.facilitator.verify({ payment: { ...payment }, requirement: first(required) });

const post = async (path: string, body: string) => {
  const response = await fetch(`${market.facilitator.url}${path}`, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
};

test('it supports scheme exact on its chain, by the names of both protocol versions [system.start.facilitator]', async () => {
  const supported = await (await fetch(`${market.facilitator.url}/supported`)).json();
  expect(supported).toMatchObject({
    kinds: [
      { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    ],
    signers: { 'eip155:*': [expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)] },
  });
});

test.each([1, 2] as const)(
  'a payment of x402 v%i is verified, then settled to the last unit',
  async (version) => {
    const required = demand(version);
    const payment = await payer.sign(required);
    const [paid = 0n, earned = 0n] = await balances();

    expect(await verify(payment, required)).toMatchObject({ isValid: true, payer: payer.address });
    expect(await settle(payment, required)).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      network: first(required).network,
      payer: payer.address,
    });
    expect(await balances()).toEqual([paid - 10_000n, earned + 10_000n]);
  },
);

test('20 payments at once all settle, also while another is sent five times', async () => {
  const required = demand(2);
  const twenty = await Promise.all(Array.from({ length: 20 }, () => payer.sign(required)));
  const replayed = await payer.sign(required);
  const [paid = 0n, earned = 0n] = await balances();

  const [settled, replays] = await Promise.all([
    Promise.all(twenty.map((payment) => settle(payment, required))),
    Promise.all([1, 2, 3, 4, 5].map(() => settle(replayed, required))),
  ]);
  expect(settled.filter((outcome) => outcome?.success)).toHaveLength(20);
  expect(replays.filter((outcome) => outcome?.success)).toHaveLength(1);
  expect(await balances()).toEqual([paid - 210_000n, earned + 210_000n]);
});

test('what the chain leaves lying is sent again for more, and told by the hash that was mined', async () => {
  const { rpcUrl } = market.chain;
  const required = demand(2);
  const payments = [await payer.sign(required), await payer.sign(required)];
  const [paid = 0n] = await balances();

  await callRpc(rpcUrl, 'evm_setAutomine', [false]);
  const settling = payments.map((payment) => settle(payment, required));
  const lying = await waiting(rpcUrl, (fees) => fees.length === 2);
  const raised = await waiting(rpcUrl, ([first = 0n]) => first > (lying[0] ?? 0n));
  expect(raised[1], 'only the one that holds up the others').toBe(lying[1]);
  await callRpc(rpcUrl, 'evm_setAutomine', [true]);
  await callRpc(rpcUrl, 'evm_mine', []);

  for (const outcome of await Promise.all(settling)) {
    const transaction = outcome?.transaction;
    expect(await callRpc(rpcUrl, 'eth_getTransactionReceipt', [transaction])).toMatchObject({
      status: '0x1',
    });
  }
  const [left] = await balances();
  expect(left).toBe(paid - 20_000n);
});

/** The highest fees of what waits to be mined, in the order of its nonces, once they are as asked. */
async function waiting(rpcUrl: string, asked: (fees: readonly bigint[]) => boolean): Promise<bigint[]> {
  return vi.waitFor(
    async () => {
      const { pending } = (await callRpc(rpcUrl, 'txpool_content', [])) as TransactionPool;
      const [ofFacilitator = {}] = Object.values(pending);
      const fees = Object.values(ofFacilitator).map(({ maxFeePerGas }) => BigInt(maxFeePerGas));
      expect(asked(fees), `fees ${fees.join()}`).toBe(true);
      return fees;
    },
    { timeout: 20_000 },
  );
}
type TransactionPool = { pending: Record<string, Record<string, { maxFeePerGas: string }>> };

test('a payment that was used, is too small, or that nobody can pay, is refused with the reason', async () => {
  const required = demand(2);
  const used = await payer.sign(required);
  await settle(used, required);
  expect((await verify(used, required))?.invalidReason).toMatch(/nonce_already_used$/);
  expect(await settle(used, required)).toMatchObject({ success: false, transaction: '' });

  const dearer = paymentRequired(market.merchant, { ...sale, price: '0.02', x402Version: 2 });
  expect((await verify(await payer.sign(required), dearer))?.invalidReason).toMatch(/value_mismatch$/);

  const beggar = barePayer(newPrivateKey());
  expect((await verify(await beggar.sign(required), required))?.invalidReason).toMatch(
    /insufficient_balance$/,
  );
});

test('what is no payment is answered 400, and an unknown path 404', async () => {
  const refusal = { isValid: false, invalidReason: 'invalid_payload' };
  expect(await post('/verify', 'garbage')).toEqual({ status: 400, body: refusal });
  expect(await post('/verify', '{"paymentPayload":{}}')).toEqual({ status: 400, body: refusal });
  expect(await post('/settle', '[]')).toMatchObject({
    status: 400,
    body: { success: false, transaction: '' },
  });
  expect(await post('/nowhere', '{}')).toMatchObject({ status: 404 });
});

test('health says whether the right chain answers; while none does, payments are answered with an error', async () => {
  expect((await fetch(`${market.facilitator.url}/health`)).status).toBe(200);
  const rpcUrl = new URL(`http://127.0.0.1:${await freePort()}`);
  const local = { host: '127.0.0.1', port: 0, privateKey: newPrivateKey(), chainId: 84532 };
  const alone = await startFacilitator(
    { ...local, rpcUrl, exportsTraces: false },
    createLogger('facilitator', 'silent'),
  );

  expect((await fetch(`${alone.url}/health`)).status).toBe(503);
  const required = demand(2);
  const order = { payment: { ...(await payer.sign(required)) }, requirement: first(required) };
  expect(await facilitatorClient(alone.url).verify(order)).toMatchObject({ isValid: false });
  expect(await facilitatorClient(alone.url).settle(order)).toMatchObject({ success: false });
  await alone.stop();
});
