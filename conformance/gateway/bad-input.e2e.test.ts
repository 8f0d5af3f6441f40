import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keeping, sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { startWorld, type World } from './fixtures/world.ts';

// The table of bad input of issue 19: each has a code, and nothing is paid.
let world: World;
let token: string;
beforeAll(async () => {
  world = await startWorld();
  const site = { origin: new URL(world.card.dashboardUrl), chainId: world.card.chainId };
  ({ token } = await logIn(world.dashboard, world.card.operator, site));
});
afterAll(() => world?.stop());
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A shop of a payee that nobody knows, with a record that admits it until then. */
async function atShop({ validForMs = 86_400_000 } = {}) {
  const owner = await world.newOwner();
  const payee = await world.newMerchant({ registered: false });
  const signed: unknown[] = [];
  const tool = keeping(sellTool(payee, { cart: 'none' }), signed);
  const { agent } = await world.gateway(owner, { shop: await world.service('shop', [tool]) });
  const facts = (...addresses: readonly string[]) => ({
    legalName: 'Shop KG',
    domain: 'shop.example',
    addresses: addresses.map((address) => ({ address, networks: null })),
    validUntil: new Date(Date.now() + validForMs).toISOString(),
  });
  const create = (...addresses: readonly string[]) =>
    world.dashboard.createPayee({ token, body: facts(...addresses) });
  const { payee: record } = expectOk('admit', await create(payee.address));
  const vouching = async (address: string = payee.address) =>
    expectOk('of', await world.dashboard.payeeOfAddress({ token, params: { address } })).vouching;
  const refused = {
    code: 'PAYEE_KYC_NOT_APPROVED',
    stage: 'compliance_check',
    detail: { paymentMade: false },
  };
  return {
    owner,
    address: payee.address,
    record,
    facts,
    create,
    vouching,
    signed,
    refused,
    buy: () => agent.call(sale),
  };
}

test('a payee whose record names another address now is not paid at the old one [gateway.bad-input.payees]', async () => {
  const { address, record, facts, vouching, signed, refused, buy } = await atShop();
  expect(await buy()).toMatchObject({ ok: true });
  const other = (await world.newMerchant({ registered: false })).address;
  const body = { ...facts(other), version: record.version };
  expectOk('change', await world.dashboard.changePayee({ token, params: { id: record.id }, body }));
  expect(await buy()).toMatchObject(refused);
  expect(await vouching()).toBe('ADDRESS_CHANGED');
  expect(await vouching(other)).toBe('VOUCHED');
  expect([signed.length, await world.balance(address), await world.balance(other)]).toEqual([1, 10_000n, 0n]);
});

test('a payee whose record has expired is not paid, from the moment of its end [gateway.bad-input.payees]', async () => {
  const { address, vouching, signed, refused, buy } = await atShop({ validForMs: 3_000 });
  await until(vouching, (why) => why === 'RECORD_EXPIRED');
  expect(await buy()).toMatchObject(refused);
  expect([signed.length, await world.balance(address)]).toEqual([0, 0n]);
});

test('a payee whose domain has moved is not paid [gateway.bad-input.payees]', async () => {
  const { address, record, vouching, signed, refused, buy } = await atShop();
  // As the dashboard writes it down; a domain is asked by TLS at public addresses alone (dashboard.payees.domain.taken-back).
  const database = new Client({ connectionString: world.card.databaseUrl });
  await database.connect();
  open.push(() => database.end());
  const said = async (verdict: string, mark: string | null) => {
    await database.query(
      `insert into dashboard.payee_proof (payee_id, domain, address, verdict, checked_at, proved_at, mark, marked_at)
       values ($1, 'shop.example', $2, $3, now(), now(), $4, case when $4::text is not null then now() end)
       on conflict (payee_id, domain, address) do update set verdict = excluded.verdict, mark = excluded.mark, marked_at = excluded.marked_at`,
      [record.id, address, verdict, mark],
    );
  };
  await said('PROVED', null);
  expect(await buy()).toMatchObject({ ok: true });
  await said('REDIRECTED', 'DOMAIN_MOVED');
  expect(await buy()).toMatchObject(refused);
  expect(await vouching()).toBe('DOMAIN_MOVED');
  expect([signed.length, await world.balance(address)]).toEqual([1, 10_000n]);
});

test('of two records that claim one address the second is none, and its other address is not paid [gateway.bad-input.payees]', async () => {
  const first = await atShop();
  const second = await atShop();
  expectOk(
    'withdraw',
    await world.dashboard.withdrawPayee({
      token,
      params: { id: second.record.id },
      body: { reason: 'Again' },
    }),
  );
  expect(await second.create(second.address, first.address)).toMatchObject({
    kind: 'refused',
    status: 409,
    code: 'REPEATED_SUBMIT',
    data: { reason: 'ADDRESS_CLAIMED', address: first.address, payeeId: first.record.id },
  });
  expect(await second.buy()).toMatchObject(second.refused);
  expect([second.signed.length, await world.balance(second.address)]).toEqual([0, 0n]);
  expect(await first.buy()).toMatchObject({ ok: true });
});

type Answer = (response: ServerResponse) => void;

/** An HTTP service that asks like this, and what it saw of payments. */
async function asking(ask: Answer) {
  const payments: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    const paid = headers['payment-signature'] ?? headers['x-payment'];
    if (paid !== undefined) payments.push(paid);
    ask(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/quote`, payments };
}

const asked =
  (change: (entry: object) => readonly object[]): Answer =>
  (response) => {
    const { card, merchant } = world;
    const entry = {
      scheme: 'exact',
      network: `eip155:${card.chainId}`,
      asset: card.tokenAddress,
      amount: '10000',
      payTo: merchant.address,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    };
    const text = JSON.stringify({ x402Version: 2, resource: { url: '/quote' }, accepts: change(entry) });
    response.writeHead(402, { 'content-type': 'application/json' }).end(text);
  };
const ten = (entry: object, first: object) => [
  { ...entry, ...first },
  ...Array.from({ length: 9 }, () => entry),
];

test.each<[string, Answer, string]>([
  ['a 402 without a body', (response) => response.writeHead(402).end(), 'PAYMENT_REQUIREMENT_INVALID'],
  [
    'ten schemes, of which the first is none of ours',
    asked((entry) => ten(entry, { scheme: 'later' })),
    'PAYMENT_UNSUPPORTED',
  ],
  [
    'a price in the decimals of another token',
    asked((entry) => [{ ...entry, amount: '10000000000000000' }]),
    'PAYMENT_UNSUPPORTED',
  ],
  [
    'a price that says how many decimals its token had',
    asked((entry) => [{ ...entry, amount: '10000000', extra: { name: 'USDC', version: '2', decimals: 9 } }]),
    // By the token’s own decimals it is ten USDC, which is the owner’s to decide.
    'WALLET_APPROVAL_REQUIRED',
  ],
])('%s has a code, and nothing is signed [gateway.bad-input.demands]', async (_, ask, code) => {
  const { owner, service, buy } = await atHttpShop(ask);
  const before = await world.balance(owner.wallet.address);
  expect(await buy()).toMatchObject({ ok: false, code, detail: { paymentMade: false } });
  expect(service.payments).toEqual([]);
  expect(await world.balance(owner.wallet.address)).toBe(before);
});

test('the control: what the same shop asks honestly is signed, once [gateway.bad-input.demands]', async () => {
  const { service, buy } = await atHttpShop(asked((entry) => [entry]));
  expect(await buy()).toMatchObject({ ok: false, code: 'PAYMENT_REJECTED' });
  expect(service.payments).toHaveLength(1);
});

async function atHttpShop(ask: Answer) {
  const owner = await world.newOwner();
  const service = await asking(ask);
  const HTTP_SERVICES = JSON.stringify({
    shop: { endpoint: service.url, name: 'quote', inputSchema: { type: 'object' } },
  });
  const { agent } = await world.gateway(owner, {}, { HTTP_SERVICES });
  return { owner, service, buy: () => agent.call({ serviceId: 'shop', toolName: 'quote' }) };
}
