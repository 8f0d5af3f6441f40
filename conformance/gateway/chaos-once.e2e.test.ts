import type { HttpServer } from '@countersign/local/http-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { booksAgree, readBooks } from './fixtures/books.ts';
import { type Gate, gate } from './fixtures/gate.ts';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { type Handling, startMiddleman, tellHalf } from './fixtures/middleman.ts';
import { removeStateDirs, startMortalGateway } from './fixtures/mortal-gateway.ts';
import { openShop, type Shop, type Step } from './fixtures/paid-shop.ts';
import { sale } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
const open: HttpServer[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => {
  for (const each of open.splice(0)) void each.stop();
});
afterAll(async () => {
  await world?.stop();
  await removeStateDirs();
});

const price = 10_000n;
const call = { ...sale, idempotencyKey: 'one-logical-call' };

/** Where the gateway dies: the parts around it that stop the call there. */
type Point = {
  readonly onStep?: (gate: Gate) => (step: Step) => Promise<void>;
  readonly handling?: (gate: Gate) => Handling;
  readonly dashboardPath?: string;
};

const atStep = (at: Step): Point => ({
  onStep: (gate) => async (step) => {
    if (step === at) await gate.pass();
  },
});

const points: Readonly<Record<string, Point>> = {
  'the hold is asked for': { dashboardPath: '/api/mandates/intent/hold' },
  'the payment has left and is lost on its way': {
    handling:
      (gate) =>
      async ({ ask, tell }) => {
        if (!(await gate.pass())) tell(await ask());
      },
  },
  'the merchant has received the payment': atStep('received'),
  'the merchant is about to settle': atStep('verified'),
  'the merchant has settled': atStep('settled'),
  'half of the answer has come': {
    handling:
      (gate) =>
      async ({ ask, tell, response }) => {
        const told = await ask();
        await tellHalf(response, told).catch(() => {});
        if (!(await gate.pass())) tell(told);
      },
  },
  'the report is on its way': { dashboardPath: '/api/transactions' },
};

async function surroundings({ onStep, handling, dashboardPath }: Point, stop: Gate) {
  // Long enough for a gateway to come back and send the same payment again.
  const shop = await openShop(world, { validSeconds: 60, ...(onStep && { onStep: onStep(stop) }) });
  const middleman = handling === undefined ? null : await startMiddleman(() => shop.url, handling(stop));
  if (middleman !== null) open.push(middleman);
  const dashboard = await startLyingDashboard(world.card.dashboardUrl, async (path, ask) => {
    if (path === dashboardPath) await stop.pass();
    return ask();
  });
  open.push(dashboard);
  const url = middleman === null ? shop.url : `${middleman.url}/mcp`;
  return { shop, services: { shop: url }, env: { COMPLIANCE_BASE_URL: dashboard.url } };
}

/** One transfer on chain, one record of it, and the budget charged with it. */
async function expectPaidOnce(owner: Owner, shop: Shop): Promise<void> {
  await until(
    async () => shop.busy(),
    (busy) => busy === 0,
  );
  const books = await until(
    () => readBooks(world, owner),
    (all) => booksAgree(all) && all.hashes.length > 0,
  );
  expect(books).toMatchObject({ chain: price, log: price, mandate: price });
  expect(books.hashes).toEqual([expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
}

/** What may truly be said of a payment that was made, or of which nobody can know yet whether it was. */
const truthful = ['SUCCESS', 'DOWNSTREAM_TOOL_ERROR', 'PAYMENT_OUTCOME_UNKNOWN'];

test.each(Object.entries(points))(
  'killed when %s, and called again with the same key: money moves once, and the log tells it [gateway.paying.journal.before-sending] [gateway.paying.retry.same-payload]',
  async (_, point) => {
    const owner = await world.newOwner();
    const stop = gate();
    const { shop, services, env } = await surroundings(point, stop);
    const gateway = await startMortalGateway(world, owner, { services, env });

    const first = gateway.call(call);
    await stop.reached;
    await gateway.kill();
    stop.open();
    // Only the report comes after the answer.
    expect([undefined, 'SUCCESS']).toContain((await first)?.code);
    await gateway.restart();

    const second = await gateway.call(call);
    expect(truthful).toContain(second?.code);
    await expectPaidOnce(owner, shop);
    // By now it is known: the same key tells so again and again, and pays no more.
    const third = await gateway.call(call);
    expect(third?.detail.paymentMade).toBe(true);
    await expectPaidOnce(owner, shop);
  },
);

type Betrayal = {
  readonly handling: Handling;
  /** What the first call is told; where the chain is asked, that the money is gone. */
  readonly told: 'PAYMENT_OUTCOME_UNKNOWN' | 'DOWNSTREAM_TOOL_ERROR';
};
const unknown = (handling: Handling): Betrayal => ({ handling, told: 'PAYMENT_OUTCOME_UNKNOWN' });
const hang: Handling = async ({ ask }) => void (await ask());

/** How a service can betray a payment that it has settled. */
const betrayals: Readonly<Record<string, Betrayal>> = {
  hangs: unknown(hang),
  'drops the connection': unknown(async ({ ask, response }) => {
    await ask();
    response.destroy();
  }),
  'answers garbage': unknown(async ({ ask, tell }) =>
    tell({ ...(await ask()), body: '<html>Service Temporarily Unavailable' }),
  ),
  'answers nonsense in JSON-RPC': unknown(async ({ ask, tell }) => {
    const told = await ask();
    const { id } = JSON.parse(told.body) as { id: number };
    tell({ ...told, body: JSON.stringify({ jsonrpc: '2.0', id, result: { content: 42 } }) });
  }),
  'answers 500': unknown(async ({ ask, tell }) => tell({ ...(await ask()), status: 500 })),
  'asks for money again': {
    handling: async ({ ask, askUnpaid, tell }) => {
      await ask();
      tell(await askUnpaid());
    },
    told: 'DOWNSTREAM_TOOL_ERROR',
  },
};

/** Whoever hangs is waited for; whoever answers does so in time, also on a busy machine. */
const patience = (handling: Handling) => ({ PAYMENT_TIMEOUT_MS: handling === hang ? '1500' : '10000' });

test.each(Object.entries(betrayals))(
  'a service that settles and then %s: never paid twice, and the truth in the end [gateway.paying.settle-then-hang] [gateway.paying.reconcile]',
  async (_, { handling, told }) => {
    const owner = await world.newOwner();
    const shop = await openShop(world);
    const middleman = await startMiddleman(() => shop.url, handling);
    open.push(middleman);
    const services = { shop: `${middleman.url}/mcp` };
    const gateway = await startMortalGateway(world, owner, { services, env: patience(handling) });
    const first = await gateway.call(call);
    expect(first).toMatchObject({
      code: told,
      detail: { paymentMade: told === 'DOWNSTREAM_TOOL_ERROR' },
    });
    expect(truthful).toContain((await gateway.call(call))?.code);
    await expectPaidOnce(owner, shop);
  },
);

test.each([
  ['denies it', { success: false, transaction: '', errorReason: 'transaction_failed' }],
  ['gives no answer', null],
])(
  'a facilitator that settles and then %s: never paid twice, and the truth in the end [gateway.paying.settle-then-hang]',
  async (_, lie) => {
    const owner = await world.newOwner();
    const shop = await openShop(world, { onSettled: async () => lie });
    const gateway = await startMortalGateway(world, owner, { services: { shop: shop.url } });
    const first = await gateway.call(call);
    expect(first?.code).toBe(lie === null ? 'PAYMENT_OUTCOME_UNKNOWN' : 'DOWNSTREAM_TOOL_ERROR');
    expect(first?.detail.paymentMade).toBe(lie !== null);
    await gateway.call(call);
    await expectPaidOnce(owner, shop);
  },
);

test('a service that settles, hangs, and asks less for the same call gets nothing more, and the sum that moved is recorded [gateway.paying.retry.same-payload]', async () => {
  const owner = await world.newOwner();
  const dear = await openShop(world);
  const cheap = await openShop(world, { price: '0.005' });
  let shop = dear;
  const middleman = await startMiddleman(
    () => shop.url,
    async (parts) => (shop === dear ? hang(parts) : parts.tell(await parts.ask())),
  );
  open.push(middleman);
  const services = { shop: `${middleman.url}/mcp` };
  const gateway = await startMortalGateway(world, owner, { services, env: patience(hang) });
  expect((await gateway.call(call))?.code).toBe('PAYMENT_OUTCOME_UNKNOWN');
  shop = cheap;
  expect((await gateway.call(call))?.code).toBe('PAYMENT_OUTCOME_UNKNOWN');
  await expectPaidOnce(owner, dear);
  // Also when its fate is known.
  expect((await gateway.call(call))?.code).toBe('PAYMENT_OUTCOME_UNKNOWN');
  await expectPaidOnce(owner, dear);
  expect(cheap.settled.size).toBe(0);
});
