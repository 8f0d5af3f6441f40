import { mint } from '@countersign/local/chain-accounts';
import { barePayer } from '@countersign/local/bare-payer';
import { newPrivateKey } from '@countersign/local/market';
import { connectUnguarded } from '@countersign/local/unguarded-agent';
import { Hono } from 'hono';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRelay } from './fixtures/relay.ts';
import { newContractAccount } from './fixtures/contract-account.ts';
import { coreTool } from './fixtures/core-tool.ts';
import { openExpressShop } from './fixtures/express-shop.ts';
import { type HonoShop, openHonoShop, priceIn } from './fixtures/hono-shop.ts';
import { jwsOffers, signsOffers, typedDataOffers } from './fixtures/offer-issuers.ts';
import { receiptsOf } from './fixtures/receipts-of.ts';
import { sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { openV1Shop } from './fixtures/v1-shop.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let agent: Awaited<ReturnType<World['gateway']>>['agent'];
let company: Awaited<ReturnType<typeof newContractAccount>>;
let stateDir: string;
const open: Pick<HonoShop, 'stop'>[] = [];
/** Signs offers for the merchant, and is not paid. */
const signer = newPrivateKey();

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  const payout = world.card.merchant.privateKey;
  const paid = { accepts: priceIn(world, '10000'), extensions: signsOffers };
  const app = new Hono()
    .get('/quote', (c) => c.text('sold by hono'))
    .get('/bare', (c) => c.text('sold bare'));
  const routes = { 'GET /quote': paid, 'GET /bare': { accepts: priceIn(world, '10000') } };
  const hono = await openHonoShop(world, routes, app, () => [typedDataOffers(payout)]);
  const express = await openExpressShop(
    world,
    { 'GET /quote': paid },
    (shop) => shop.get('/quote', (_, response) => void response.send('sold by express')),
    [jwsOffers(payout)],
  );
  const foreign = await openHonoShop(world, { 'GET /quote': paid }, app, () => [typedDataOffers(signer)]);
  const older = await openV1Shop(world);
  company = await newContractAccount(world);
  const itsPrice = priceIn(world, '10000', company.wallet.address);
  const its = (key: `0x${string}`) =>
    openHonoShop(world, { 'GET /quote': { ...paid, accepts: itsPrice } }, app, () => [typedDataOffers(key)]);
  const [contract, usurper] = [await its(company.wallet.privateKey), await its(signer)];
  open.push(hono, express, foreign, older, contract, usurper);
  const selling = { price: '0.01', cart: 'none' } as const;
  const v1Tool = sellTool(world.merchant, { ...selling, name: 'sell_v1', x402Version: 1 });
  const core = await world.service('core', [await coreTool(world, 'sell_core', [typedDataOffers(signer)])]);
  const resold = await world.service('resold', [
    await coreTool(world, 'resell', [typedDataOffers(world.card.merchant.privateKey)], 'sell_core'),
  ]);
  const relay = await openRelay(hono.origin);
  open.push(relay);
  const ours = await world.service('ours', [
    v1Tool,
    sellTool(world.merchant, { ...selling, name: 'sell_v2' }),
  ]);
  const endpoint = (origin: string, path = '/quote') => ({ endpoint: `${origin}${path}`, name: 'get_quote' });
  const gateway = await world.gateway(
    owner,
    { core, ours, resold },
    {
      OFFER_SIGNERS: `core=${privateKeyToAccount(signer).address}`,
      HTTP_SERVICES: JSON.stringify({
        hono: endpoint(hono.origin),
        bare: endpoint(hono.origin, '/bare'),
        relay: endpoint(relay.origin),
        express: endpoint(express.origin),
        foreign: endpoint(foreign.origin),
        contract: endpoint(contract.origin),
        usurper: endpoint(usurper.origin),
        older: { endpoint: `${older.origin}/look`, name: 'get_quote' },
      }),
    },
  );
  agent = gateway.agent;
  stateDir = gateway.stateDir;
});
afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop()));
  await world?.stop();
});

const ofOffer = { judged: 'offer', merchantReceipt: { kind: 'verified' } };

test.each([
  ['@x402/hono, v2, offers as typed data', 'hono', 'get_quote', 'sold by hono', ofOffer],
  ['@x402/hono, v2, without offers', 'bare', 'get_quote', 'sold bare', { judged: 'requirement' }],
  ['@x402/express, v2, offers as JWS', 'express', 'get_quote', 'sold by express', ofOffer],
  ['@x402/core over MCP, v2, offers by an admitted key', 'core', 'sell_core', 'sold by sell_core', ofOffer],
  ['@x402/hono whose payee is a contract', 'contract', 'get_quote', 'sold by hono', ofOffer],
  ['v1 over HTTP', 'older', 'get_quote', 'found /look', { judged: 'requirement' }],
  ['v1 over MCP', 'ours', 'sell_v1', 'sold', { judged: 'requirement' }],
])(
  'the gateway pays %s within the mandate, and says what was judged [gateway.official-matrix.servers] [gateway.offer.official]',
  async (_, serviceId, toolName, text, context) => {
    const before = await world.balance(owner.wallet.address);
    const answer = await agent.call({ serviceId, toolName });
    expect(answer).toMatchObject({
      code: 'SUCCESS',
      detail: {
        paymentMade: true,
        paymentContext: context,
        assuranceResult: { passed: true, mandateId: owner.mandateId },
        downstreamContent: [{ type: 'text', text }],
      },
    });
    expect(before - (await world.balance(owner.wallet.address))).toBe(10_000n);
    const transaction = answer.detail.paymentResponse?.['transaction'];
    const records = await until(
      () => world.records(owner),
      (all) => all.some(({ txHash }) => txHash === transaction),
    );
    const [record] = records.filter(({ txHash }) => txHash === transaction);
    expect(record).toMatchObject({ serviceName: serviceId, serviceResult: 'pass', amount: '0.01' });
  },
);

test.each(['foreign', 'usurper'])(
  'an official merchant whose offers somebody else signs is paid nothing, nor is a contract: %s [gateway.offer.official]',
  async (serviceId) => {
    const before = await world.balance(owner.wallet.address);
    const answer = await agent.call({ serviceId, toolName: 'get_quote' });
    expect(answer).toMatchObject({
      code: 'MERCHANT_SIGNATURE_INVALID',
      message: expect.stringContaining('OFFER_SIGNERS'),
      detail: { paymentMade: false, paymentContext: { judged: 'offer' } },
    });
    expect(await world.balance(owner.wallet.address)).toBe(before);
  },
);

test.each([
  ['relay', 'get_quote'],
  ['resold', 'resell'],
])(
  'an official offer that another service shows, or for another tool, is paid nothing: %s [gateway.offer.elsewhere]',
  async (serviceId, toolName) => {
    const before = await world.balance(owner.wallet.address);
    expect(await agent.call({ serviceId, toolName })).toMatchObject({
      code: 'PAYMENT_REQUIREMENT_INVALID',
      message: expect.stringContaining('signed offer'),
      detail: { paymentMade: false },
    });
    expect(await world.balance(owner.wallet.address)).toBe(before);
  },
);

test('the receipts of all these calls are verified with nothing else at hand [gateway.offer.replayed] [gateway.receipt.verify.word]', async () => {
  const { stdout, lines, judged } = await receiptsOf(stateDir);
  const said = await judged(stdout);
  expect(said.code).toBe(0);
  expect(said.stdout).toContain(`1 receipt on the word of contract ${company.wallet.address}`);
  const offer = lines.find(({ receipt }) => receipt.serviceId === 'hono');
  expect(offer.receipt.trace.map(({ rule }: { rule: string }) => rule)).toEqual(
    expect.arrayContaining(['offer', 'offer-binding', 'offer-signature', 'merchant-receipt']),
  );
  const { signature } = offer.inputs.requirement.extensions['offer-receipt'].info.offers[0];
  const { code } = await judged(stdout.replaceAll(signature, `${signature.slice(0, -4)}0000`));
  expect(code).toBe(1);
});

test.each(['sell_v1', 'sell_v2'])(
  'the official client pays our service over MCP: %s [gateway.official-matrix.clients]',
  async (name) => {
    const payer = barePayer(newPrivateKey());
    await mint(world.card.rpcUrl, payer.address, 1_000_000n);
    const selling = sellTool(world.merchant, {
      name,
      cart: 'none',
      x402Version: name === 'sell_v1' ? 1 : 2,
    });
    const client = await connectUnguarded(await world.service('sample', [selling]), payer);
    expect(await client.buy(name)).toMatchObject({ content: [{ type: 'text', text: 'sold' }] });
    await client.close();
    expect(await world.balance(payer.address)).toBe(990_000n);
  },
);
