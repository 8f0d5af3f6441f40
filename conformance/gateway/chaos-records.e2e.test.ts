import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksAgree, readBooks } from './fixtures/books.ts';
import { startMortalDashboard } from './fixtures/mortal-dashboard.ts';
import { removeStateDirs, startMortalGateway } from './fixtures/mortal-gateway.ts';
import { openShop } from './fixtures/paid-shop.ts';
import { sale } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { startWorld, type World } from './fixtures/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world?.stop();
  await removeStateDirs();
});

const deaths = 8;
const paymentsBetween = 4;
const agents = 6;

test('dashboard and gateway are killed in turn under load: in the end each settled payment has one record [gateway.report.outbox] [gateway.report.once]', async () => {
  const owner = await world.newOwner({ mandate: { perTxLimit: '0.01', totalBudget: '10' } });
  const shop = await openShop(world);
  const dashboard = await startMortalDashboard(world);
  const gateway = await startMortalGateway(world, owner, {
    services: { shop: shop.url },
    env: { COMPLIANCE_BASE_URL: dashboard.url, COMPLIANCE_TIMEOUT_MS: '2000' },
  });

  const over = new AbortController();
  const load = Array.from({ length: agents }, async () => {
    while (!over.signal.aborted) await gateway.call(sale);
  });
  for (let death = 0; death < deaths; death++) {
    const enough = shop.settled.size + paymentsBetween;
    await until(
      async () => shop.settled.size,
      (settled) => settled >= enough,
    );
    const victim = death % 2 === 0 ? dashboard : gateway;
    await victim.kill();
    await victim.restart();
  }
  over.abort();
  await Promise.all(load);
  await until(
    async () => shop.busy(),
    (busy) => busy === 0,
  );

  const books = await until(
    () => readBooks(world, owner),
    (all) => booksAgree(all) && all.hashes.length === shop.settled.size,
  );
  expect(books.chain).toBe(BigInt(shop.settled.size) * 10_000n);
  expect(new Set(books.hashes).size).toBe(shop.settled.size);
  expect(shop.settled.size).toBeGreaterThanOrEqual(deaths * paymentsBetween);
  await dashboard.stop();
});
