import type { HttpServer } from '@countersign/local/http-server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Gate, gate } from './fixtures/gate.ts';
import { callMessage, post } from './fixtures/http.ts';
import { startMiddleman } from './fixtures/middleman.ts';
import { type MortalGateway, removeStateDirs, startMortalGateway } from './fixtures/mortal-gateway.ts';
import { keeping, sale, sellTool } from './fixtures/sell-tool.ts';
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

/** A shop behind a line that loses a paid call for each of these gates, and passes all others on. */
async function shopBehind(gates: readonly Gate[]) {
  const owner = await world.newOwner();
  const payments: unknown[] = [];
  const selling = keeping(sellTool(world.merchant), payments);
  let isFree = false;
  const tool: typeof selling = {
    definition: selling.definition,
    call: (...asked) =>
      isFree ? Promise.resolve({ content: [{ type: 'text', text: 'free' }] }) : selling.call(...asked),
  };
  const url = await world.service('shop', [tool]);
  const middleman = await startMiddleman(
    () => url,
    async ({ ask, tell }) => {
      for (const each of gates) if (await each.pass()) return;
      tell(await ask());
    },
  );
  open.push(middleman);
  const gateway = await startMortalGateway(world, owner, {
    services: { shop: `${middleman.url}/mcp` },
    env: { PAYMENT_TIMEOUT_MS: '60000' },
  });
  const turn = (free: boolean): void => {
    isFree = free;
  };
  return { owner, gateway, payments, turn };
}

/** A call without a key whose gateway is killed when its payment has come to the gate. */
async function callAndKill(gateway: MortalGateway, at: Gate): Promise<void> {
  const lost = post(await gateway.url(), callMessage('one', sale)).catch(() => null);
  await at.reached;
  await gateway.kill();
  expect(await lost).toBeNull();
  at.open();
  await gateway.restart();
}

test('the gateway that sent it again is killed too: the third still sends that very payment [gateway.paying.kept.crash]', async () => {
  const gates = [gate(), gate()] as const;
  const { owner, gateway, payments } = await shopBehind(gates);
  for (const each of gates) await callAndKill(gateway, each);
  expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect([payments.length, await spent(owner)]).toEqual([1, price]);
});

test('a tool that was free a moment ago, and asks for money now: its payment is taken over as any other [gateway.paying.kept.crash]', async () => {
  const at = gate();
  const { owner, gateway, payments, turn } = await shopBehind([at]);
  turn(true);
  expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: false } });
  turn(false);
  await callAndKill(gateway, at);
  turn(true);
  expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: false } });
  turn(false);
  expect(await gateway.call(sale)).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
  expect([payments.length, await spent(owner)]).toEqual([1, price]);
});
