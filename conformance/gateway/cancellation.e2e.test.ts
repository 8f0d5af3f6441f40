import { connectAgent } from '@countersign/local/agent';
import { expectOk } from '@countersign/local/dashboard-account';
import { Client } from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { challenged } from './fixtures/approval.ts';
import { type Gate, gate } from './fixtures/gate.ts';
import { callMessage, envelopeIn, post } from './fixtures/http.ts';
import { leavers } from './fixtures/leaving.ts';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { openShop } from './fixtures/paid-shop.ts';
import { startRawService } from './fixtures/raw-service.ts';
import { sale } from './fixtures/sell-tool.ts';
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
afterAll(() => world?.stop());

/** A dashboard that stops the gateway where it asks for `path`. */
async function stoppingAt(path: string, stop: Gate): Promise<Readonly<Record<string, string>>> {
  const dashboard = await startLyingDashboard(world.card.dashboardUrl, async (asked, ask) => {
    const told = await ask();
    if (asked.split('?')[0] === path) await stop.pass();
    return told;
  });
  open.push(() => dashboard.stop());
  return { COMPLIANCE_BASE_URL: dashboard.url, COMPLIANCE_TIMEOUT_MS: '30000' };
}

const paths = {
  'the parties are screened': '/api/compliance/kyt/check',
  'the hold is placed': '/api/mandates/intent/hold',
};

/** Nothing moved, nothing is held, and the log says why. */
async function expectCancelled(owner: Owner, received: number): Promise<void> {
  const records = await until(
    () => world.records(owner),
    (all) => all.length > 0,
  );
  expect(records).toMatchObject([{ serviceResult: 'reject', txHash: null }]);
  const params = { id: String(records[0]?.id) };
  const record = await world.dashboard.getTransaction({ token: owner.token, params });
  expect(expectOk('read', record).transaction.metadata).toMatchObject({ code: 'CANCELLED' });
  expect(received).toBe(0);
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n);
  expect(await world.mandateOf(owner)).toMatchObject({ heldAmount: '0', usedAmount: '0' });
}

const everyWay = Object.entries(paths).flatMap(([when, path]) =>
  Object.entries(leavers).map(([who, start]) => ({ who, when, path, start })),
);

test.each(everyWay)(
  '$who while $when: nothing is signed or sent, the hold is released, and the record says CANCELLED [gateway.cancel.before-sending] [gateway.code.cancelled]',
  async ({ path, start }) => {
    const owner = await world.newOwner();
    let received = 0;
    const shop = await openShop(world, { onStep: () => void (received += 1) });
    const stop = gate();
    const env = await stoppingAt(path, stop);
    const services = { shop: shop.url };
    const leaver = await start({ world, owner, services, env, closeLater: (close) => open.push(close) });
    leaver.call(sale);
    await stop.reached;
    await leaver.leave();
    stop.open();
    await expectCancelled(owner, received);
  },
);

/** Holds the journal up, as a busy database would; `waiting` resolves when the gateway waits for it. */
async function lockJournal() {
  const client = new Client({ connectionString: world.card.databaseUrl });
  await client.connect();
  await client.query('begin; lock table gateway.payment in exclusive mode');
  return {
    waiting: () =>
      until(
        () =>
          client.query(
            `select from pg_locks where not granted and relation = 'gateway.payment'::regclass
               and database = (select oid from pg_database where datname = current_database())`,
          ),
        ({ rowCount }) => rowCount === 1,
      ),
    async unlock() {
      await client.query('rollback');
      await client.end();
    },
  };
}

test('cancelled while the journal is written: the entry is withdrawn, the approval usable, and the next call pays once [gateway.cancel.before-sending]', async () => {
  const owner = await world.newOwner({ mandate: { perTxLimit: '0.005', totalBudget: '0.01' } });
  let received = 0;
  const shop = await openShop(world, { onStep: () => void (received += 1) });
  const env = { GATEWAY_DATABASE_URL: world.card.databaseUrl };
  const { agent, url } = await world.gatewayProcess(owner, { shop: shop.url }, env);
  const paymentPayload = await challenged(agent, sale, privateKeyToAccount(owner.wallet.privateKey));
  const call = { ...sale, paymentPayload, idempotencyKey: 'cancelled-in-the-journal' };

  const journal = await lockJournal();
  const cancelled = post(url, callMessage('one', call));
  open.push(() => cancelled.catch(() => {}));
  await journal.waiting();
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
  await journal.unlock();
  expect(envelopeIn((await cancelled).body).code).toBe('CANCELLED');
  expect({ received, balance: await world.balance(owner.wallet.address) }).toEqual({
    received: 0,
    balance: 100_000_000n,
  });

  expect(await agent.call(call)).toMatchObject({ code: 'SUCCESS' });
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
});

test('cancelled while the service is asked: its call is cancelled too, and nothing is recorded [gateway.cancel.before-sending] [gateway.code.cancelled]', async () => {
  const owner = await world.newOwner();
  const desk = await startRawService({ call: () => {} });
  open.push(desk.stop);
  const { url } = await world.gateway(owner, { desk: desk.url });
  const call = post(url, callMessage('one', { serviceId: 'desk', toolName: 'echo' }));
  await until(
    async () => desk.calls,
    (calls) => calls.length === 1,
  );
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'one' } });
  expect(envelopeIn((await call).body).code).toBe('CANCELLED');
  const told = () => desk.seen.filter(({ body }) => body.includes('notifications/cancelled'));
  await until(
    async () => told().length,
    (n) => n === 1,
  );
  expect(await world.records(owner)).toEqual([]);
});

test('clients whose requests have the same ids cancel their own calls only [gateway.cancel.own-calls-only]', async () => {
  const owner = await world.newOwner();
  const shop = await openShop(world);
  const stop = gate();
  const env = await stoppingAt('/api/mandates/intent/hold', stop);
  const { url, agent } = await world.gatewayProcess(owner, { shop: shop.url }, env);
  const other = await connectAgent(url);
  open.push(() => other.close());
  const gone = new AbortController();
  const input = { name: 'call_service_tool', arguments: { ...sale } };
  const cancelled = agent.client.callTool(input, { signal: gone.signal }).catch(() => 'gone');
  const kept = other.call(sale);
  await stop.reached;
  gone.abort();
  expect(await cancelled).toBe('gone');
  await agent.client.ping();
  stop.open();
  expect(await kept).toMatchObject({ code: 'SUCCESS' });
  await until(
    () => world.records(owner),
    (all) => all.length === 2,
  );
  expect(await world.balance(owner.wallet.address)).toBe(100_000_000n - 10_000n);
});
