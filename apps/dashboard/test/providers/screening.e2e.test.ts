import { expect, onTestFinished, test, vi } from 'vitest';
import { main as evidenceMain } from '../../src/compliance/evidence-main.ts';
import { newWallet, openDashboardForTest, type TestDashboard } from '../dashboard.ts';
import { demoFile, importInto, sdnFile } from '../sanctions.ts';
import { chainalysis } from './chainalysis.ts';
import { persona } from './persona.ts';
import { sumsub } from './sumsub.ts';
import { openVendorWorldForTest, type VendorWorld } from './vendors.ts';

const unavailable = { status: 500, code: 80000001, data: null };
const minute = 60_000;
const both = { KYT_PROVIDER: 'ofac-sdn,chainalysis' };

const listing = (addresses: readonly string[]) =>
  ({ from: sdnFile('11/20/2026', addresses), kind: 'official' }) as const;
const decisionOf = async (world: VendorWorld, address: string) =>
  (await world.ask(address)).data?.decision ?? null;
const screen = (dashboard: TestDashboard, token: string, walletAddress: string) =>
  dashboard.post('/api/compliance/screen', { walletAddress }, token);

test('of several providers any reject wins, and a pass needs all of them [dashboard.kyt.several]', async () => {
  const world = await openVendorWorldForTest(chainalysis, both);
  const [listed, clean] = [newWallet().address, newWallet().address];
  // No list yet: one of two is missing.
  world.says({ risk: 'Severe' });
  expect(await decisionOf(world, await world.somebody())).toBe('reject');
  world.says({ risk: 'Low' });
  expect(await world.ask(await world.somebody())).toMatchObject(unavailable);

  await importInto(world.dashboard, listing([listed]));
  expect(await world.ask(listed)).toMatchObject({ data: { decision: 'reject', riskScore: 100 } });
  // The worse of two passes is told.
  expect(await world.ask(clean)).toMatchObject({ data: { decision: 'pass', riskScore: 10 } });
  world.server.fate = 'resets';
  expect(await decisionOf(world, listed)).toBe('reject');
  expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
});

test('KYT_REQUIRE=any passes by whoever answers, but never by nobody [dashboard.kyt.several]', async () => {
  const world = await openVendorWorldForTest(chainalysis, { ...both, KYT_REQUIRE: 'any' });
  world.says({ risk: 'Low' });
  expect(await decisionOf(world, await world.somebody())).toBe('pass');
  world.server.fate = 'resets';
  expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
});

test('while the vendor fails there is no screening, and so the dashboard is not ready; it is tried again by itself [dashboard.listen.ready.screening]', async () => {
  const world = await openVendorWorldForTest(chainalysis);
  const { dashboard } = world;
  const ready = async () => (await dashboard.request('GET', '/ready')).status;
  expect(await ready()).toBe(200);
  world.server.fate = 'resets';
  expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
  expect(await ready()).toBe(503);
  dashboard.clock.advance(minute / 2);
  expect(await ready()).toBe(200);

  const either = await openVendorWorldForTest(chainalysis, { ...both, KYT_REQUIRE: 'any' });
  await importInto(either.dashboard, listing([newWallet().address]));
  either.server.fate = 'resets';
  expect(await decisionOf(either, await either.somebody())).toBe('pass');
  expect((await either.dashboard.request('GET', '/ready')).status).toBe(200);
});

test('a vendor that is overloaded, refuses, is away or answers nonsense alone keeps it from being ready [dashboard.listen.ready.screening]', async () => {
  const world = await openVendorWorldForTest(chainalysis);
  const { dashboard } = world;
  const ready = async () => (await dashboard.request('GET', '/ready')).status;
  const fails = async () => expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
  const answers = async () => {
    dashboard.clock.advance(5 * minute);
    world.server.fate = 'answers';
    world.says({ risk: 'Low' });
    expect(await decisionOf(world, await world.somebody())).toBe('pass');
    expect(await ready()).toBe(200);
  };
  for (const fate of [{ status: 500, body: '{}' }, { status: 401, body: '{}' }, 'resets'] as const) {
    world.server.fate = fate;
    await fails();
    expect(await ready()).toBe(503);
    await answers();
  }

  // It is left alone for as long as it wishes, so nobody is screened for as long.
  world.server.fate = { status: 429, body: '{}', headers: { 'retry-after': '120' } };
  await fails();
  dashboard.clock.advance(2 * minute - 1);
  await fails();
  expect(await ready()).toBe(503);
  dashboard.clock.advance(1);
  expect(await ready()).toBe(200);
  await answers();

  // One answer without sense may be the doing of whoever is screened; five without a good one between are the vendor's.
  world.server.fate = { status: 200, body: '<html>Sorry</html>' };
  for (let n = 0; n < 4; n += 1) await fails();
  expect(await ready()).toBe(200);
  await fails();
  expect(await ready()).toBe(503);
  await answers();
});

test.each([
  ['medium', 'reject'],
  ['high', 'pass'],
])('KYT_REJECT_AT=%s: a medium risk is a %s [dashboard.kyt.reject-at]', async (KYT_REJECT_AT, decision) => {
  const world = await openVendorWorldForTest(chainalysis, { KYT_REJECT_AT });
  world.says({ risk: 'Medium' });
  expect(await decisionOf(world, await world.somebody())).toBe(decision);
});

test('a denied address is rejected by any provider, and told to none [dashboard.kyt.deny-list.any-provider] [dashboard.kyt.deny-list.list]', async () => {
  const world = await openVendorWorldForTest(chainalysis);
  const { dashboard } = world;
  const operatorWallet = newWallet();
  const other = await openDashboardForTest({
    ...dashboard.config,
    operators: new Set([operatorWallet.address]),
  });
  const operator = await other.newAccount(operatorWallet);
  const [first, second] = [newWallet().address, newWallet().address];
  const add = (address: string, reason: string) =>
    other.post('/api/compliance/deny-list/add', { address, reason }, operator.token);
  const list = (body: object, token = operator.token) =>
    other.post('/api/compliance/deny-list/list', body, token);

  expect((await list({})).data).toEqual({ data: [], total: 0, page: 1, limit: 20 });
  await add(first, 'fraud');
  other.clock.advance(1);
  await add(second, 'theft');
  const before = world.server.received.length;
  expect(await world.ask(first)).toMatchObject({
    data: { decision: 'reject', riskLevel: 'severe', riskScore: 100 },
  });
  expect(world.server.received.length).toBe(before);

  const entry = { address: second, reason: 'theft', addedBy: operator.address, firstWord: null };
  expect((await list({ limit: 1 })).data).toEqual({
    data: [{ ...entry, createdAt: other.clock.now.toISOString() }],
    total: 2,
    page: 1,
    limit: 1,
  });
  expect((await list({ page: 2, limit: 1 })).data.data).toMatchObject([{ address: first }]);
  expect(await list({}, (await other.newAccount()).token)).toMatchObject({ status: 403, code: 80000004 });
});

test('a pass is remembered for an hour and a reject for 5 minutes, by all processes together [dashboard.provider.memory]', async () => {
  const world = await openVendorWorldForTest(chainalysis);
  const { dashboard, server, caller } = world;
  const [clean, risky] = [newWallet().address, newWallet().address];
  world.says({ risk: 'Low' });
  await world.ask(clean);
  world.says({ risk: 'Severe' });
  await world.ask(risky);

  const other = await openDashboardForTest(dashboard.config);
  server.fate = 'resets';
  const elsewhere = (walletAddress: string) =>
    other.post('/api/compliance/kyt/check', { apiKey: caller.apiKey, walletAddress });
  expect((await elsewhere(clean)).data.decision).toBe('pass');
  other.clock.advance(5 * minute - 1);
  expect((await elsewhere(risky)).data.decision).toBe('reject');
  other.clock.advance(1);
  expect(await elsewhere(risky)).toMatchObject(unavailable);
  other.clock.advance(55 * minute - 1);
  expect((await elsewhere(clean)).data.decision).toBe('pass');
  other.clock.advance(1);
  expect(await elsewhere(clean)).toMatchObject(unavailable);
});

test('a person who is approved is asked about once an hour, one who waits every half minute [dashboard.provider.memory]', async () => {
  const world = await openVendorWorldForTest(sumsub);
  const meaning = (what: string) => sumsub.meanings.find(([name]) => name === what)?.[1];
  const person = await world.somebody();
  world.says(meaning('in review'));
  expect((await world.ask(person)).data.kycStatus).toBe('pending');
  world.says(meaning('green'));
  expect((await world.ask(person)).data.kycStatus).toBe('pending');
  world.dashboard.clock.advance(minute / 2);
  expect((await world.ask(person)).data.kycStatus).toBe('approved');
  world.says(meaning('red for good'));
  world.dashboard.clock.advance(59 * minute);
  expect((await world.ask(person)).data.kycStatus).toBe('approved');
  world.dashboard.clock.advance(minute);
  expect((await world.ask(person)).data.kycStatus).toBe('rejected');
});

/** What the command prints about somebody, in the dashboard's own database. */
async function evidenceOf(world: VendorWorld, about: string, EVIDENCE_KEY: string | null) {
  const { storage } = world.dashboard.config;
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  const DATABASE_URL = storage.kind === 'given' ? storage.url : '';
  await evidenceMain([about], { DATABASE_URL, ...(EVIDENCE_KEY !== null && { EVIDENCE_KEY }) });
  spy.mockRestore();
  return lines.map((line) => JSON.parse(line));
}

const keyOf = ({ dashboard }: VendorWorld): string => {
  const { evidenceKey } = dashboard.config;
  return evidenceKey.kind === 'given' ? evidenceKey.key.toString('base64') : '';
};

test('every answer is kept as it came, sealed, and can be shown again [dashboard.provider.evidence] [dashboard.provider.evidence.read]', async () => {
  const world = await openVendorWorldForTest(chainalysis, both);
  const address = newWallet().address;
  await importInto(world.dashboard, listing([newWallet().address]));
  world.says({ risk: 'High', riskReason: 'a reason that nobody else may read' });
  await world.ask(address);
  world.dashboard.clock.advance(6 * minute);
  world.server.fate = { status: 500, body: { message: 'broken' } };
  await world.ask(address);

  const rows = await evidenceOf(world, address, keyOf(world));
  const of = (provider: string) => rows.filter((row) => row.provider === provider);
  expect(of('ofac-sdn')).toMatchObject([
    { verdict: 'pass', source: 'ofac-sdn', listDate: '2026-11-20T00:00:00.000Z', answer: null },
  ]);
  expect(of('chainalysis')).toMatchObject([
    { verdict: 'unavailable', why: 'http: HTTP 500', answer: '{"message":"broken"}' },
    { verdict: 'reject', riskLevel: 'high', requestId: 'req-1', listDate: null },
  ]);
  const answer = JSON.parse(of('chainalysis')[1].answer);
  expect(answer).toMatchObject({ address, riskReason: 'a reason that nobody else may read' });

  const sealed = await evidenceOf(world, address, null);
  expect(JSON.stringify(sealed)).not.toContain('nobody else');
  expect(sealed.find(({ provider }) => provider === 'chainalysis').answer).toMatch(
    /^sealed under the key [0-9a-f]{16}$/,
  );
});

test('of a person’s file only the verdict and its place are kept [dashboard.provider.evidence]', async () => {
  const world = await openVendorWorldForTest(persona);
  world.says({ status: 'approved', 'name-first': 'Ada' });
  const owner = await world.dashboard.newAccount();
  await world.ask(owner.address);
  expect(await evidenceOf(world, owner.account.id, keyOf(world))).toMatchObject([
    { kind: 'kyc', provider: 'persona', verdict: 'approved', requestId: 'inq_1', answer: null },
  ]);
});

test('our own list’s evidence is a row an hour, and one more when it changes [dashboard.provider.evidence]', async () => {
  const world = await openVendorWorldForTest(chainalysis, { KYT_PROVIDER: 'ofac-sdn' });
  const address = newWallet().address;
  const verdicts = async () => (await evidenceOf(world, address, null)).map(({ verdict }) => verdict);
  await importInto(world.dashboard, listing([newWallet().address]));
  for (let n = 0; n < 3; n++) await world.ask(address);
  expect(await verdicts()).toEqual(['pass']);
  await importInto(world.dashboard, listing([address]));
  for (let n = 0; n < 3; n++) await world.ask(address);
  expect(await verdicts()).toEqual(['reject', 'pass']);
  world.dashboard.clock.advance(60 * minute);
  await world.ask(address);
  expect(await verdicts()).toEqual(['reject', 'reject', 'pass']);
});

test('an owner screens an address, and sees who says so [dashboard.kyt.screen]', async () => {
  const world = await openVendorWorldForTest(chainalysis, both);
  const { dashboard, caller } = world;
  const [listed, clean] = [newWallet().address, newWallet().address];
  await importInto(dashboard, listing([listed]));
  world.says({ risk: 'Low' });
  const at = dashboard.clock.now.toISOString();
  const risk = (decision: string, riskLevel: string, riskScore: number) => ({
    decision,
    riskLevel,
    riskScore,
  });
  expect((await screen(dashboard, caller.token, listed)).data).toEqual({
    address: listed,
    chain: 'ETH',
    ...risk('reject', 'severe', 100),
    source: 'ofac-sdn',
    listDate: '2026-11-20T00:00:00.000Z',
    at,
  });
  expect((await screen(dashboard, caller.token, clean)).data).toEqual({
    address: clean,
    chain: 'ETH',
    ...risk('pass', 'low', 10),
    source: 'chainalysis',
    listDate: null,
    at,
  });
  expect(await screen(dashboard, 'nobody', clean)).toMatchObject({ status: 401 });
  dashboard.clock.advance(10 * minute);
  // What is remembered says when it was asked.
  expect((await screen(dashboard, caller.token, clean)).data.at).toBe(at);
});

test('a demonstration list is never told to be OFAC’s', async () => {
  const dashboard = await openDashboardForTest();
  await importInto(dashboard, { from: demoFile, kind: 'demonstration' });
  const { token } = await dashboard.newAccount();
  const { data } = await screen(dashboard, token, '0x00000000000000000000000000000000000bad01');
  expect(data).toMatchObject({ decision: 'reject', source: 'demonstration' });
});

test('every provider is named with its state [dashboard.provider.states] [dashboard.listen.ready]', async () => {
  const world = await openVendorWorldForTest(chainalysis, both);
  const { dashboard, caller } = world;
  const states = async ({ token } = caller) =>
    (await dashboard.request('GET', '/api/compliance/providers', { token })).data;
  const kyc = { provider: 'review-queue', state: 'up' };
  const vendor = { provider: 'chainalysis', state: 'up', listDate: null };
  expect(await states()).toEqual({
    kyc,
    kyb: null,
    kyt: [{ provider: 'ofac-sdn', state: 'down', listDate: null }, vendor],
  });
  await importInto(dashboard, listing([newWallet().address]));
  const listDate = '2026-11-20T00:00:00.000Z';
  expect((await states()).kyt).toEqual([{ provider: 'ofac-sdn', state: 'up', listDate }, vendor]);
  dashboard.clock.now = new Date('2026-11-27T00:00:00.001Z');
  const later = await dashboard.newAccount(caller.wallet);
  expect((await states(later)).kyt).toEqual([{ provider: 'ofac-sdn', state: 'stale', listDate }, vendor]);
  expect((await dashboard.request('GET', '/ready')).data).toMatchObject({
    kyc: { provider: 'review-queue' },
    kyt: { provider: 'ofac-sdn,chainalysis', source: 'ofac-sdn', listDate, fresh: false },
  });
});

/** Nobody has decided anything here. */
const nothing = { review: null, validUntil: null, renewableFrom: null, withdrawal: null };

test('an owner sees the own identity’s way through the queue [dashboard.kyc.own-status]', async () => {
  const operatorWallet = newWallet();
  const dashboard = await openDashboardForTest({ operators: new Set([operatorWallet.address]) });
  const [owner, operator] = [await dashboard.newAccount(), await dashboard.newAccount(operatorWallet)];
  const status = async () => (await dashboard.request('GET', '/api/kyc/status', { token: owner.token })).data;
  expect(await status()).toEqual({ kycStatus: 'pending', submitted: false, ...nothing });
  const identity = { fullName: 'Ada', country: 'GB', documentType: 'passport', documentNumber: 'X 1' };
  await dashboard.post('/api/kyc/submit', identity, owner.token);
  const waiting = await status();
  expect(waiting).toMatchObject({
    kycStatus: 'pending',
    submitted: true,
    review: { ...identity, reason: null },
  });
  const decision = { decision: 'reject', reason: 'blurred' };
  await dashboard.post(`/api/kyc/reviews/${waiting.review.id}/decide`, decision, operator.token);
  expect(await status()).toMatchObject({
    kycStatus: 'rejected',
    submitted: true,
    review: { kycStatus: 'rejected', reason: 'blurred' },
  });
});

test('where a vendor verifies identities, nobody hands in documents here [dashboard.kyc.submit.vendor] [dashboard.kyc.own-status]', async () => {
  const world = await openVendorWorldForTest(sumsub);
  const { dashboard, caller } = world;
  const status = async () =>
    (await dashboard.request('GET', '/api/kyc/status', { token: caller.token })).data;
  world.says(null);
  expect(await status()).toEqual({ kycStatus: 'pending', submitted: false, ...nothing });
  dashboard.clock.advance(minute);
  world.says(sumsub.meanings[1]?.[1]);
  expect(await status()).toEqual({ kycStatus: 'approved', submitted: true, ...nothing });
  const identity = { fullName: 'Ada', country: 'GB', documentType: 'passport', documentNumber: 'X 1' };
  expect(await dashboard.post('/api/kyc/submit', identity, caller.token)).toMatchObject({
    status: 404,
    code: 80000011,
    msg: 'identities are verified by sumsub: begin at /api/kyc/begin',
  });
});
