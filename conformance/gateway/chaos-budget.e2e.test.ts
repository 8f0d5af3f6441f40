import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksAgree, readBooks } from './fixtures/books.ts';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import {
  type MortalGateway,
  newStateDir,
  removeStateDirs,
  startMortalGateway,
} from './fixtures/mortal-gateway.ts';
import { openShop, type Shop } from './fixtures/paid-shop.ts';
import { sale } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world?.stop();
  await removeStateDirs();
});

const calls = 200;
const atOnce = 24;
const kills = 4;
/** 60 of the 200 payments fit. */
const budget = { perTxLimit: '0.01', totalBudget: '0.6' };
const budgetUnits = 600_000n;

/** How a dashboard answers for a path that it does not have. */
const noHolds = {
  status: 404,
  body: JSON.stringify({ code: 80000011, msg: 'not found', data: null, success: false }),
};

type Storm = {
  readonly shop: Shop;
  /** Two processes. */
  readonly gateways: readonly [MortalGateway, MortalGateway];
};

/** Kills one gateway after the other, each at some step of some payment, and starts it again at once. */
function reaper(gateways: () => Storm['gateways']) {
  let next = randomInt(5, 15);
  let steps = 0;
  let killed = 0;
  const reborn: Promise<void>[] = [];
  return {
    onStep() {
      steps += 1;
      if (steps < next || killed === kills) return;
      next = steps + randomInt(5, 25);
      const victim = gateways()[killed % 2 === 0 ? 0 : 1];
      killed += 1;
      reborn.push(victim.kill().then(victim.restart));
    },
    killed: () => killed,
    allReborn: () => Promise.all(reborn),
  };
}

/** Agents that lose their call with its gateway go on with the next one. */
async function callAll({ gateways }: Storm): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  let left = calls;
  const agent = async (gateway: MortalGateway): Promise<void> => {
    while (left-- > 0) {
      const code = (await gateway.call(sale))?.code ?? 'LOST';
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, i) => agent(gateways[i % 2 === 0 ? 0 : 1])));
  return codes;
}

async function storm(owner: Owner, dirs: readonly [string, string], env: Record<string, string>) {
  let gateways: Storm['gateways'] | undefined;
  const reaping = reaper(() => {
    if (gateways === undefined) throw new Error('no gateways yet');
    return gateways;
  });
  const shop = await openShop(world, { onStep: () => reaping.onStep() });
  const services = { shop: shop.url };
  // Two dozen payments at once take a busy machine longer than the others' three seconds.
  const patient = { PAYMENT_TIMEOUT_MS: '10000', ...env };
  gateways = [
    await startMortalGateway(world, owner, { services, env: patient, stateDir: dirs[0] }),
    await startMortalGateway(world, owner, { services, env: patient, stateDir: dirs[1] }),
  ];
  const codes = await callAll({ shop, gateways });
  await reaping.allReborn();
  await until(
    async () => shop.busy(),
    (busy) => busy === 0,
  );
  const books = await until(
    () => readBooks(world, owner),
    (all) => booksAgree(all) && all.hashes.length === shop.settled.size,
  );
  return { books, codes, killed: reaping.killed() };
}

function expectWithinBudget({ books, codes, killed }: Awaited<ReturnType<typeof storm>>): void {
  expect(killed).toBe(kills);
  expect(books.chain).toBeLessThanOrEqual(budgetUnits);
  expect(books.chain).toBe(BigInt(books.hashes.length) * 10_000n);
  // Not idle: payments were made, and more were asked for than the budget allows.
  expect([...codes.keys()]).toEqual(expect.arrayContaining(['SUCCESS', 'WALLET_APPROVAL_REQUIRED']));
}

test('200 calls through two gateways on one directory, killed at random: chain, log and mandate agree within the budget [gateway.paying.hold.concurrency]', async () => {
  const owner = await world.newOwner({ mandate: budget });
  const dir = await newStateDir();
  expectWithinBudget(await storm(owner, [dir, dir], {}));
});

test('the same over PostgreSQL, each gateway with a directory of its own [gateway.paying.hold.concurrency] [gateway.config.gateway-database-url]', async () => {
  const owner = await world.newOwner({ mandate: budget });
  const dirs = [await newStateDir(), await newStateDir()] as const;
  expectWithinBudget(await storm(owner, dirs, { GATEWAY_DATABASE_URL: world.card.databaseUrl }));
});

test.each([
  ['one directory', {}],
  ['PostgreSQL', { GATEWAY_DATABASE_URL: 'given' }],
])(
  'the same over %s at a dashboard without holds: the gateways’ own reservations keep the budget [gateway.paying.hold.endpoint-absent]',
  async (_, kind) => {
    const owner = await world.newOwner({ mandate: budget });
    const liar = await startLyingDashboard(world.card.dashboardUrl, (path, ask) =>
      path === '/api/mandates/intent/hold' ? noHolds : ask(),
    );
    const dir = await newStateDir();
    const shared = 'GATEWAY_DATABASE_URL' in kind;
    const dirs = [dir, shared ? await newStateDir() : dir] as const;
    const database = shared ? { GATEWAY_DATABASE_URL: world.card.databaseUrl } : {};
    expectWithinBudget(await storm(owner, dirs, { COMPLIANCE_BASE_URL: liar.url, ...database }));
    await liar.stop();
  },
);
