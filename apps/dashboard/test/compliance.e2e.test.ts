import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
  type Wallet,
} from './dashboard.ts';
import { demoFile, importInto, sdnFile } from './sanctions.ts';

const operatorWallet = newWallet();
const operators = new Set([operatorWallet.address]);
const demoAddress = '0x00000000000000000000000000000000000bad01';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
  await importInto(dashboard, { from: demoFile, kind: 'demonstration' });
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const identity = { fullName: 'Ada Lovelace', country: 'GB', documentType: 'passport', documentNumber: 'X 1' };
const forbidden = { status: 403, code: 80000004, data: null };
const unavailable = { status: 500, code: 80000001, data: null };

const kyc = (by: Owner, walletAddress: string) =>
  dashboard.post('/api/kyc/check', { apiKey: by.apiKey, walletAddress });
const kytOn = (on: TestDashboard) => (by: { apiKey: string }, walletAddress: string, chain?: unknown) =>
  on.post('/api/compliance/kyt/check', { apiKey: by.apiKey, walletAddress, chain });
const kyt = (by: { apiKey: string }, walletAddress: string, chain?: unknown) =>
  kytOn(dashboard)(by, walletAddress, chain);
const submit = (owner: Owner, change: object = {}) =>
  dashboard.post('/api/kyc/submit', { ...identity, ...change }, owner.token);
const decide = (operator: Owner, id: string, body: object) =>
  dashboard.post(`/api/kyc/reviews/${id}/decide`, body, operator.token);
const reviews = async (operator: Owner, body: object = {}) =>
  (await dashboard.post('/api/kyc/reviews/list', body, operator.token)).data;
const asOperator = (wallet: Wallet = operatorWallet) => dashboard.newAccount(wallet);

test('an unknown wallet is pending, not an error [dashboard.kyc.check] [dashboard.kyc.unknown-wallet] [dashboard.public-key.any-counterparty]', async () => {
  const owner = await dashboard.newAccount();
  for (const walletAddress of [newWallet().address, owner.address]) {
    expect(await kyc(owner, walletAddress)).toMatchObject({
      status: 200,
      code: 80000000,
      data: { walletAddress, kycCompleted: false, kycStatus: 'pending' },
    });
  }
});

test('a submission waits for an operator, who approves or rejects it [dashboard.kyc.submit] [dashboard.kyc.status] [dashboard.kyc.reviews.list] [dashboard.kyc.reviews.decide]', async () => {
  const operator = await asOperator();
  for (const [decision, kycStatus] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ]) {
    const owner = await dashboard.newAccount();
    expect(await submit(owner)).toMatchObject({ status: 200, data: { kycStatus: 'pending' } });
    expect((await kyc(operator, owner.address)).data).toMatchObject({
      kycCompleted: false,
      kycStatus: 'pending',
    });
    const [review] = (await reviews(operator, { kycStatus: 'pending' })).data;
    expect(review).toMatchObject({
      ...identity,
      walletAddress: owner.address,
      kycStatus: 'pending',
      decidedAt: null,
    });
    const reply = await decide(operator, review.id, { decision, reason: 'looked at' });
    expect(reply).toMatchObject({
      status: 200,
      data: { review: { id: review.id, kycStatus, reason: 'looked at' } },
    });
    expect((await kyc(operator, owner.address)).data).toMatchObject({
      kycCompleted: decision === 'approve',
      kycStatus,
    });
    expect(await decide(operator, review.id, { decision, reason: 'again' })).toMatchObject({
      status: 409,
      code: 80000003,
    });
  }
});

test('after a rejection one may try again, otherwise not [dashboard.error.repeated-submit]', async () => {
  const [operator, owner] = [await asOperator(), await dashboard.newAccount()];
  await submit(owner);
  expect(await submit(owner)).toMatchObject({ status: 409, code: 80000003 });
  const [first] = (await reviews(operator)).data;
  await decide(operator, first.id, { decision: 'reject', reason: 'blurred' });
  expect(await submit(owner)).toMatchObject({ status: 200 });
  expect((await kyc(operator, owner.address)).data.kycStatus).toBe('pending');
  const [second] = (await reviews(operator)).data;
  await decide(operator, second.id, { decision: 'approve' });
  expect(await submit(owner)).toMatchObject({ status: 409 });
});

test('two decisions at once: one counts', async () => {
  const [operator, owner] = [await asOperator(), await dashboard.newAccount()];
  await submit(owner);
  const [{ id }] = (await reviews(operator)).data;
  const replies = await Promise.all(
    ['approve', 'reject', 'approve', 'reject'].map((decision) =>
      decide(operator, id, { decision, reason: 'looked at' }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
});

test('country and document are real ones [dashboard.kyc.submit.values]', async () => {
  const owner = await dashboard.newAccount();
  for (const change of [
    { country: 'ZZ' },
    { country: 'gb' },
    { documentType: 'library_card' },
    { fullName: '' },
  ]) {
    expect(await submit(owner, change)).toMatchObject({ status: 400, code: 80000012 });
  }
  for (const documentType of ['passport', 'id_card', 'driving_licence']) {
    expect(await submit(await dashboard.newAccount(), { documentType })).toMatchObject({ status: 200 });
  }
});

test('reviews are for operators [dashboard.kyc.reviews.operators-only]', async () => {
  const owner = await dashboard.newAccount();
  expect(await dashboard.post('/api/kyc/reviews/list', {}, owner.token)).toMatchObject(forbidden);
  expect(await decide(owner, 'kyc_any', { decision: 'approve' })).toMatchObject(forbidden);
});

test('nobody decides about oneself [dashboard.kyc.reviews.not-oneself]', async () => {
  const operator = await asOperator();
  await submit(operator);
  const mine = (await reviews(operator)).data.find(
    (review: { walletAddress: string }) => review.walletAddress === operator.address,
  );
  expect(await decide(operator, mine.id, { decision: 'approve' })).toMatchObject(forbidden);
  expect((await kyc(operator, operator.address)).data.kycStatus).toBe('pending');
});

test('a review that does not exist is 404', async () => {
  expect(await decide(await asOperator(), 'kyc_unknown', { decision: 'approve' })).toMatchObject({
    status: 404,
    code: 80000011,
  });
});

test('a listed address is rejected, another passes [dashboard.kyt.check] [dashboard.kyt.decision] [dashboard.kyt.listed] [dashboard.kyt.not-listed] [dashboard.kyt.chain-default]', async () => {
  const owner = await dashboard.newAccount();
  const listed = await kyt(owner, demoAddress);
  expect(listed).toMatchObject({
    status: 200,
    data: { chain: 'ETH', decision: 'reject', riskLevel: 'severe', riskScore: 100 },
  });
  expect(listed.data.address.toLowerCase()).toBe(demoAddress);
  const clean = newWallet().address;
  expect((await kyt(owner, clean)).data).toEqual({
    address: clean,
    chain: 'ETH',
    decision: 'pass',
    riskLevel: 'low',
    riskScore: 0,
  });
});

test('known chains are echoed as sent, others refused [dashboard.kyt.chain-known] [dashboard.kyt.chain-unknown]', async () => {
  const owner = await dashboard.newAccount();
  const known = [
    'ETH',
    '1',
    'eip155:1',
    'base',
    '8453',
    'eip155:8453',
    'base-sepolia',
    '84532',
    'polygon',
    '137',
    'arbitrum',
    '42161',
    'optimism',
    'eip155:10',
  ];
  for (const chain of known) {
    expect(await kyt(owner, demoAddress, chain)).toMatchObject({
      status: 200,
      data: { chain, decision: 'reject' },
    });
  }
  for (const chain of ['solana', 'Base', '', 'eip155:2']) {
    expect(await kyt(owner, demoAddress, chain)).toMatchObject({ status: 400, code: 80000012 });
  }
});

test('operators deny an address and take that back [dashboard.kyt.deny-list.add] [dashboard.kyt.deny-list.remove]', async () => {
  const [operator, owner] = [await asOperator(), await dashboard.newAccount()];
  const { address } = newWallet();
  const change = (verb: string) =>
    dashboard.post(`/api/compliance/deny-list/${verb}`, { address, reason: 'fraud' }, operator.token);
  expect(await change('add')).toMatchObject({ status: 200, data: { address, reason: 'fraud' } });
  expect(await change('add')).toMatchObject({ status: 200 });
  expect((await kyt(owner, address)).data).toMatchObject({
    decision: 'reject',
    riskLevel: 'severe',
    riskScore: 100,
  });
  expect(await change('remove')).toMatchObject({ status: 200, data: { address } });
  expect((await kyt(owner, address)).data).toMatchObject({ decision: 'pass' });
  expect(await change('remove')).toMatchObject({ status: 404, code: 80000011 });
});

test('the deny list is for operators [dashboard.kyt.deny-list.operators-only]', async () => {
  const owner = await dashboard.newAccount();
  for (const verb of ['add', 'remove']) {
    const body = { address: newWallet().address, reason: 'x' };
    expect(await dashboard.post(`/api/compliance/deny-list/${verb}`, body, owner.token)).toMatchObject(
      forbidden,
    );
  }
});

test('without a list, or with a stale one, there is no answer and no pass [dashboard.kyt.no-list] [dashboard.kyt.stale-list] [dashboard.provider.failure] [dashboard.provider.embedded-default] [dashboard.listen.ready.screening]', async () => {
  const other = await openDashboardForTest({ operators });
  const owner = await other.newAccount();
  const { address } = newWallet();
  const screen = () => kytOn(other)(owner, address);
  const told = async () => (await other.request('GET', '/ready')).data.kyt;
  const ready = async () => (await other.request('GET', '/ready')).status;
  expect(await screen()).toMatchObject(unavailable);
  expect(await ready()).toBe(503);
  expect(await told()).toEqual({
    provider: 'ofac-sdn',
    source: null,
    listDate: null,
    addressCount: 0,
    fresh: false,
  });

  await importInto(other, {
    from: sdnFile('11/21/2026', ['0x7F367cC41522cE07553e823bf3be79A889DEbe1B']),
    kind: 'official',
  });
  expect(await screen()).toMatchObject({ status: 200, data: { decision: 'pass' } });
  expect(await told()).toMatchObject({
    source: 'ofac-sdn',
    listDate: '2026-11-21T00:00:00.000Z',
    addressCount: 1,
    fresh: true,
  });
  expect(await ready()).toBe(200);

  other.clock.now = new Date('2026-11-28T00:00:00.000Z');
  expect(await screen()).toMatchObject({ status: 200 });
  other.clock.advance(1);
  expect(await screen()).toMatchObject(unavailable);
  expect(await told()).toMatchObject({ fresh: false });
  expect(await ready()).toBe(503);

  // A demonstration list does not freshen OFAC's.
  await importInto(other, { from: demoFile, kind: 'demonstration' });
  expect(await screen()).toMatchObject(unavailable);
  expect(await told()).toMatchObject({ source: 'ofac-sdn', fresh: false });
});

test('an import replaces the list, and a bad file changes nothing', async () => {
  const other = await openDashboardForTest();
  const owner = await other.newAccount();
  const [old, young] = [newWallet().address, newWallet().address];
  const decisions = async () =>
    [await kytOn(other)(owner, old), await kytOn(other)(owner, young)].map(({ data }) => data.decision);
  const importOfficial = (date: string, addresses: string[]) =>
    importInto(other, { from: sdnFile(date, addresses), kind: 'official' });

  await importOfficial('11/19/2026', [old]);
  expect(await decisions()).toEqual(['reject', 'pass']);
  await importOfficial('11/20/2026', [young]);
  expect(await decisions()).toEqual(['pass', 'reject']);

  await expect(importOfficial('11/19/2026', [old])).rejects.toThrow(
    'older than the current one (2026-11-20)',
  );
  await expect(importOfficial('11/23/2026', [old])).rejects.toThrow('dated in the future');
  await expect(importOfficial('', [old])).rejects.toThrow('no publication date');
  await expect(importOfficial('11/21/2026', [])).rejects.toThrow('no EVM addresses');
  await expect(importInto(other, { from: demoFile, kind: 'official' })).rejects.toThrow(
    'no publication date',
  );
  await expect(importInto(other, { from: '/nowhere.xml', kind: 'official' })).rejects.toThrow('ENOENT');
  await expect(importInto(other, { from: 'http://example.com/sdn.xml', kind: 'official' })).rejects.toThrow(
    'https only',
  );
  await expect(importInto(other, { from: `${other.url}/health`, kind: 'official' })).rejects.toThrow(
    'not complete',
  );
  await expect(importInto(other, { from: `${other.url}/nowhere`, kind: 'official' })).rejects.toThrow(
    'answered 404',
  );
  expect(await decisions()).toEqual(['pass', 'reject']);
});
