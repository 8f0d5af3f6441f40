import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Gate, gate } from './fixtures/gate.ts';
import { callMessage, envelopeIn, post } from './fixtures/http.ts';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { openShop } from './fixtures/paid-shop.ts';
import { sale } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { startWorld, type World } from './fixtures/world.ts';

let world: World;
const open: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => world?.stop());

/** A dashboard that hears of holds what `hears` lets through, and whose word on a hold waits for the test. */
async function dashboardThat(hears: (body: object) => object, heldBack: Gate): Promise<string> {
  const between = await startLyingDashboard(world.card.dashboardUrl, async (path, ask) => {
    const isOfHolds = path === '/api/mandates/intent/hold' || path === '/api/mandates/intent/release';
    const told = await ask(isOfHolds ? hears : undefined);
    if (path === '/api/mandates/intent/hold') await heldBack.pass();
    return told;
  });
  open.push(() => between.stop());
  return between.url;
}

/** As a gateway of before asks. */
function withoutHolder(body: { readonly holder?: unknown }): object {
  const { holder: _, ...rest } = body;
  return rest;
}

/**
 * Two gateways, each on a state directory of its own, have the same call under the same key: one has sent its payment, the
 * other is cancelled while it is told that the hold stands. Gives what the mandate says then, and how two more calls end.
 */
async function oneOfTwoIsCancelled(hears: (body: object) => object) {
  const payer = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '0.025' } });
  const sold = gate();
  const shop = await openShop(world, {
    onStep: async (step) => {
      if (step === 'verified') await sold.pass();
    },
  });
  const heldBack = gate();
  const services = { shop: shop.url };
  const stays = await world.gateway(payer, services);
  const env = { COMPLIANCE_BASE_URL: await dashboardThat(hears, heldBack), COMPLIANCE_TIMEOUT_MS: '30000' };
  const leaves = await world.gateway(payer, services, env);
  const call = { ...sale, idempotencyKey: 'the same everywhere' };

  const bought = stays.agent.call(call);
  await sold.reached;
  const cancelled = post(leaves.url, callMessage('one', call));
  await heldBack.reached;
  await post(leaves.url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
  heldBack.open();
  expect(envelopeIn((await cancelled).body).code).toBe('CANCELLED');
  const mandate = await world.mandateOf(payer);
  const others = [await leaves.agent.call(sale), await leaves.agent.call(sale)].map(({ code }) => code);
  sold.open();
  const answer = (await bought).code;
  const settled = await until(
    () => world.mandateOf(payer),
    (found) => found?.transactionCount === shop.settled.size,
  );
  return { mandate, others, answer, settled };
}

test('of two gateways with one key one cancels: the hold of the other stands, and what it holds is not spent again [gateway.paying.hold.own-release] [dashboard.hold.holders]', async () => {
  const { mandate, others, answer, settled } = await oneOfTwoIsCancelled((body) => body);
  expect(mandate).toMatchObject({ heldAmount: '0.01', usedAmount: '0', remainingBudget: '0.015' });
  expect({ others, answer }).toEqual({ others: ['SUCCESS', 'WALLET_APPROVAL_REQUIRED'], answer: 'SUCCESS' });
  expect(settled).toMatchObject({ usedAmount: '0.02', heldAmount: '0', remainingBudget: '0.005' });
});

test('the control: a release that names no holder ends the hold of both, and the budget of 0.025 pays 0.03', async () => {
  const { mandate, others, answer, settled } = await oneOfTwoIsCancelled(withoutHolder);
  expect(mandate).toMatchObject({ heldAmount: '0', usedAmount: '0', remainingBudget: '0.025' });
  expect({ others, answer }).toEqual({ others: ['SUCCESS', 'SUCCESS'], answer: 'SUCCESS' });
  expect(settled).toMatchObject({ usedAmount: '0.03', heldAmount: '0' });
});
