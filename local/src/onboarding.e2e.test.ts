import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAddress } from '@countersign/protocol/address';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionCard } from './connection-card.ts';
import { type Dashboard, expectOk, logIn } from './dashboard-account.ts';
import { newPrivateKey } from './market.ts';
import { signMandate } from './onboarding.ts';
import { keyBytes } from './private-key.ts';
import { type System, startSystem } from './system.ts';

let dir: string;
let system: System;
let card: ConnectionCard;
let dashboard: Dashboard;

const options = () => ({
  dir,
  portBase: 0,
  only: ['accounts'] as const,
  env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' },
});

const connect = (apiKey?: string | null) =>
  createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(String(card.dashboardUrl)),
    timeoutMs: 5000,
    ...(apiKey && { apiKey }),
  });

const newWallet = (privateKey = newPrivateKey()) => ({
  privateKey,
  address: addressOfPrivateKey(keyBytes(privateKey)),
});

const session = async (wallet: ConnectionCard['operator']) =>
  logIn(dashboard, wallet, { origin: new URL(String(card.dashboardUrl)), chainId: card.chainId });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'onboarding-'));
  system = await startSystem(options());
  card = system.card;
  dashboard = connect();
});

afterAll(async () => {
  await dashboard.close();
  await system.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('only what was asked for runs, and the card says so', () => {
  expect(card).toMatchObject({ gatewayUrl: null, rpcUrl: null, facilitatorUrl: null, services: [] });
});

test('owner and merchant have accounts with public keys and are approved [system.setup.accounts] [system.setup.kyc-approved] [system.setup.api-keys]', async () => {
  for (const party of [card.owner, card.merchant]) {
    const client = connect(party.apiKey);
    const body = { walletAddress: party.address };
    expect(expectOk('check', await client.kycCheck({ body })).kycStatus).toBe('approved');
    expect(expectOk('look up', await client.publicKey({ body })).publicKey).toMatch(/^0x04[0-9a-f]{128}$/);
    await client.close();
  }
});

test('the owner has one active mandate of 1 and 20, whose credential any API key of the owner can read [system.setup.demo-mandate]', async () => {
  const { token } = await session(card.owner);
  const active = expectOk('list', await dashboard.listMandates({ token, body: { status: 'active' } }));
  expect(active.data).toMatchObject([{ perTxLimit: '1', totalBudget: '20', usedAmount: '0' }]);

  const client = connect(card.owner.apiKey);
  const found = await client.mandateCredential({ body: { payerWalletAddress: card.owner.address } });
  await client.close();
  expect(found).toMatchObject({ kind: 'ok', data: { found: true, mandate: { id: active.data[0]?.id } } });
});

test('the operator reviews submissions, and its key sees every payer [system.setup.operator]', async () => {
  const { token } = await session(card.operator);
  const reviews = await dashboard.listKycReviews({ token, body: { kycStatus: 'approved' } });
  expect(expectOk('list', reviews).total).toBe(2);

  const client = connect(card.operatorApiKey);
  const found = await client.mandateCredential({ body: { payerWalletAddress: card.owner.address } });
  await client.close();
  expect(found).toMatchObject({ kind: 'ok', data: { found: true } });
});

test('the demonstration list rejects the address that is on it, and nobody else [system.setup.demonstration-list]', async () => {
  const client = connect(card.owner.apiKey);
  const decision = async (walletAddress: string) => {
    const address = parseAddress(walletAddress);
    if (address === null) throw new Error('no address');
    return expectOk('screen', await client.kytCheck({ body: { walletAddress: address } })).decision;
  };

  expect(await decision('0x00000000000000000000000000000000000bad01')).toBe('reject');
  expect(await decision(card.merchant.address)).toBe('pass');
  await client.close();
});

test('a new wallet that says it paid the demo merchant 4,999 USDC, all checks passed, stands apart from that log as a claim [dashboard.transactions.claim] [dashboard.transactions.claim.screenings]', async () => {
  const stranger = await session(newWallet());
  const made = await dashboard.createKey({ token: stranger.token, body: { name: 'mine' } });
  const client = connect(expectOk('make a key', made).apiKey);
  const passed = { payerKycResult: 1, payerKytResult: 1, payeeKycResult: 1, payeeKytResult: 1 } as const;
  const about = { serviceName: 'free money', chain: 'base-sepolia', amount: '4999', tokenSymbol: 'USDC' };
  const parties = { payer: stranger.wallet.address, payee: card.merchant.address };
  const body = {
    ...about,
    ...passed,
    ...parties,
    serviceResult: 'pass',
    txHash: `0x${'ab'.repeat(32)}`,
  } as const;
  expectOk('report', await client.reportTransaction({ body }));
  await client.close();

  const { token } = await session(card.merchant);
  const list = async (standing: 'counted' | 'claimed') =>
    expectOk('list', await dashboard.listTransactions({ token, query: { scope: 'myAll', standing } }));
  expect(await list('counted')).toMatchObject({ data: [], total: 0 });
  expect(await list('claimed')).toMatchObject({
    data: [
      {
        reportedBy: 'payer',
        verified: 'no',
        amountExact: '4999',
        payerKycResult: null,
        payeeKytResult: null,
      },
    ],
    total: 1,
  });
});

test('hundreds of logins a minute are no abuse here [system.setup.rate-limits]', async () => {
  // Elsewhere the thirty-first is refused.
  for (let count = 0; count < 40; count += 1) await session(card.owner);
});

test('a mandate that the owner made stays when the system starts again', async () => {
  const owner = await session(card.owner);
  const { token } = owner;
  const mine = { title: 'My own', perTxLimit: '0.5', totalBudget: '2', validDays: 7 };
  const drafted = expectOk('draft', await dashboard.createMandate({ token, body: mine })).mandate;
  const signature = signMandate(drafted, owner, card.chainId);
  expectOk('sign', await dashboard.signMandate({ token, body: { mandateId: drafted.id, signature } }));
  await dashboard.close();
  await system.stop();

  system = await startSystem(options());
  card = system.card;
  dashboard = connect();

  const again = await session(card.owner);
  const active = await dashboard.listMandates({ token: again.token, body: { status: 'active' } });
  expect(expectOk('list', active).data.map(({ title }) => title)).toEqual(['My own']);
});
