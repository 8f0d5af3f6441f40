import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  demoMandate,
  type Json,
  newWallet,
  openDashboard,
  openDashboardForTest,
  paymentOf,
  type TestDashboard,
} from './dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const day = 24 * 60 * 60_000;
const notFound = { status: 404, code: 80000053 };
const expired = { status: 400, code: 80000054 };
const exhausted = { status: 400, code: 80000055 };

const revoke = (owner: Owner, mandateId?: string) =>
  dashboard.post('/api/mandates/intent/revoke', { mandateId }, owner.token);
const prepare = (owner: Owner, mandateId: string) =>
  dashboard.post('/api/mandates/intent/prepare-sign', { mandateId }, owner.token);
const list = async (owner: Owner, body: object = {}) =>
  (await dashboard.post('/api/mandates/intent/list', body, owner.token)).data;
const statusOf = async (owner: Owner, id: string): Promise<string> =>
  (await list(owner)).data.find((mandate: Json) => mandate.id === id)?.status;
const spend = (owner: Owner, intentMandateId: string, amount: string) =>
  dashboard.post('/api/transactions', {
    apiKey: owner.apiKey,
    ...paymentOf(owner.address, { amount, intentMandateId }),
  });

/** A mandate in each end state, and the drafts from which each was signed. */
async function exhaustedMandate(owner: Owner) {
  const id = await dashboard.newMandate(owner, { totalBudget: '1' });
  await spend(owner, id, '1');
  return id;
}

test('create drafts a pending mandate with all its fields [dashboard.mandate.transition.create] [dashboard.mandate.create.body] [dashboard.mandate.create.data] [dashboard.mandate.fields.identity] [dashboard.mandate.fields.amounts] [dashboard.mandate.fields.usage] [dashboard.mandate.fields.signature] [dashboard.mandate.fields.ours]', async () => {
  const owner = await dashboard.newAccount();
  const data = await dashboard.draftMandate(owner.token);
  expect(Object.keys(data)).toEqual(['mandateId', 'unsignedCredential', 'typedData', 'mandate']);
  expect(dashboardRoutes.createMandate.data.safeParse(data).error).toBeUndefined();
  expect(data.mandate).toEqual({
    id: data.mandateId,
    accountId: owner.account.id,
    agentWallet: null,
    title: demoMandate.title,
    perTxLimit: '1',
    totalBudget: '20',
    usedAmount: '0',
    heldAmount: '0',
    remainingBudget: '20',
    transactionCount: 0,
    lastUsedAt: null,
    signature: null,
    vcJson: null,
    status: 'pending',
    expiresAt: new Date(dashboard.clock.now.getTime() + 30 * day).toISOString(),
    createdAt: dashboard.clock.now.toISOString(),
    policy: {
      paused: false,
      period: null,
      allowedMerchants: null,
      allowedServices: null,
      approvalThreshold: null,
      newPayees: 'pay',
    },
  });
});

test('times have milliseconds, and the expiry is signed as it stands [dashboard.mandate.times] [dashboard.mandate.create.expires-at]', async () => {
  const owner = await dashboard.newAccount();
  const { mandate, typedData } = await dashboard.draftMandate(owner.token, { validDays: 365 });
  for (const time of [mandate.expiresAt, mandate.createdAt])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(typedData.message.expiresAt).toBe(mandate.expiresAt);
  expect(new Date(mandate.expiresAt).getTime() - dashboard.clock.now.getTime()).toBe(365 * day);
});

test('decimals are canonical and exact to the last of 36 digits [dashboard.mandate.canonical-decimals] [dashboard.mandate.amount-range]', async () => {
  const owner = await dashboard.newAccount();
  const largest = `${'9'.repeat(18)}.${'9'.repeat(18)}`;
  const smallest = `0.${'0'.repeat(17)}1`;
  const exact = await dashboard.draftMandate(owner.token, { perTxLimit: smallest, totalBudget: largest });
  expect(exact.mandate).toMatchObject({
    perTxLimit: smallest,
    totalBudget: largest,
    remainingBudget: largest,
  });
  const { mandate, typedData } = await dashboard.draftMandate(owner.token, {
    perTxLimit: '1.50',
    totalBudget: '100.00',
  });
  expect(mandate).toMatchObject({ perTxLimit: '1.5', totalBudget: '100' });
  expect(typedData.message).toMatchObject({ perTxLimit: '1.5', totalBudget: '100' });
  const reply = await dashboard.post(
    '/api/mandates/intent/create',
    { ...demoMandate, totalBudget: `1${largest}` },
    owner.token,
  );
  expect(reply).toMatchObject({ status: 400, code: 80000012 });
});

test('a limit above the budget makes nothing [dashboard.error.intent-per-tx-exceeded]', async () => {
  const owner = await dashboard.newAccount();
  const body = { ...demoMandate, perTxLimit: '20.000000000000000001' };
  expect(await dashboard.post('/api/mandates/intent/create', body, owner.token)).toMatchObject({
    status: 400,
    code: 80000056,
  });
  expect((await list(owner)).total).toBe(0);
  expect(
    await dashboard.post('/api/mandates/intent/create', { ...body, perTxLimit: '20' }, owner.token),
  ).toMatchObject({ status: 200 });
});

test('typed data is for the settlement chain, 8453 unless told otherwise [dashboard.mandate.chain-id]', async () => {
  const owner = await dashboard.newAccount();
  expect((await dashboard.draftMandate(owner.token)).typedData.domain.chainId).toBe(8453);
  const other = await openDashboardForTest({ chainId: 84532 });
  const there = (await other.loginReply(owner.wallet, { chainId: 84532 })).data;
  expect((await other.draftMandate(there.token)).typedData.domain.chainId).toBe(84532);
});

test('the owner’s signature makes it active [dashboard.mandate.transition.sign] [dashboard.mandate.sign.data] [dashboard.mandate.typed-data-ready]', async () => {
  const owner = await dashboard.newAccount();
  const draft = await dashboard.draftMandate(owner.token);
  const reply = await dashboard.signMandate(owner, draft);
  expect(reply).toMatchObject({ status: 200, code: 80000000 });
  expect(dashboardRoutes.signMandate.data.safeParse(reply.data).error).toBeUndefined();
  const { mandate } = reply.data;
  expect(mandate).toMatchObject({
    id: draft.mandateId,
    status: 'active',
    signature: owner.wallet.signTypedData(draft.typedData),
  });
  expect(mandate.vcJson).toMatchObject({
    ...draft.unsignedCredential,
    proof: { proofValue: mandate.signature },
  });
});

test('prepare-sign gives what create gave [dashboard.mandate.prepare-sign]', async () => {
  const owner = await dashboard.newAccount();
  const draft = await dashboard.draftMandate(owner.token);
  dashboard.clock.advance(60_000);
  const reply = await prepare(owner, draft.mandateId);
  expect(reply).toMatchObject({ status: 200 });
  expect(reply.data).toEqual(draft);
  expect(await dashboard.signMandate(owner, reply.data)).toMatchObject({ status: 200 });
  expect(await prepare(owner, draft.mandateId)).toMatchObject({ status: 409, code: 80000003 });
});

test('another wallet’s signature, or one over other limits, changes nothing [dashboard.mandate.sign.wrong-signer] [dashboard.error.unauthorized-operation]', async () => {
  const owner = await dashboard.newAccount();
  const { mandateId, typedData } = await dashboard.draftMandate(owner.token);
  const { typedData: richer } = await dashboard.draftMandate(owner.token, { totalBudget: '1000' });
  const good = owner.wallet.signTypedData(typedData);
  const bad = [
    newWallet().signTypedData(typedData),
    owner.wallet.signTypedData(richer),
    '0x',
    '',
    `${good}00`,
    good.slice(0, -2),
  ];
  for (const signature of bad) {
    const reply = await dashboard.post('/api/mandates/intent/sign', { mandateId, signature }, owner.token);
    expect(reply).toMatchObject({ status: 403, code: 80000004, data: null });
  }
  expect(await statusOf(owner, mandateId)).toBe('pending');
});

test('signing again what is active is 409 [dashboard.mandate.sign.already-active] [dashboard.error.repeated-submit]', async () => {
  const owner = await dashboard.newAccount();
  const draft = await dashboard.draftMandate(owner.token);
  await dashboard.signMandate(owner, draft);
  expect(await dashboard.signMandate(owner, draft)).toMatchObject({ status: 409, code: 80000003 });
});

test('no ended mandate can be signed or comes back to life [dashboard.mandate.sign.wrong-state] [dashboard.mandate.end-state.never-active] [dashboard.error.mandate-not-found] [dashboard.error.mandate-expired] [dashboard.error.mandate-exhausted]', async () => {
  const owner = await dashboard.newAccount();
  const lapsed = await dashboard.draftMandate(owner.token, { validDays: 1 });
  const [first, second] = [
    await dashboard.draftMandate(owner.token),
    await dashboard.draftMandate(owner.token, { totalBudget: '1' }),
  ];
  await dashboard.signMandate(owner, first);
  await dashboard.signMandate(owner, second);
  await spend(owner, second.mandateId, '1');
  dashboard.clock.advance(day);
  const token = (await dashboard.loginReply(owner.wallet)).data.token;
  const later = { ...owner, token };
  for (const [draft, refusal, status] of [
    [first, notFound, 'revoked'],
    [lapsed, expired, 'expired'],
    [second, exhausted, 'exhausted'],
  ] as const) {
    expect(await dashboard.signMandate(later, draft)).toMatchObject(refusal);
    expect(await prepare(later, draft.mandateId)).toMatchObject(refusal);
    expect(await statusOf(later, draft.mandateId)).toBe(status);
  }
});

test('a newer mandate revokes the active one and leaves ended ones as they are [dashboard.mandate.transition.sign-revokes-other] [dashboard.mandate.end-state.stays]', async () => {
  let owner = await dashboard.newAccount();
  const used = await exhaustedMandate(owner);
  const short = await dashboard.newMandate(owner, { validDays: 1 });
  dashboard.clock.advance(day);
  owner = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
  const long = await dashboard.newMandate(owner);
  expect([await statusOf(owner, used), await statusOf(owner, short), await statusOf(owner, long)]).toEqual([
    'exhausted',
    'expired',
    'active',
  ]);
  const newest = await dashboard.newMandate(owner);
  expect([await statusOf(owner, used), await statusOf(owner, short)]).toEqual(['exhausted', 'expired']);
  expect([await statusOf(owner, long), await statusOf(owner, newest)]).toEqual(['revoked', 'active']);
});

test('twenty signed at once leave exactly one active [dashboard.mandate.one-active] [dashboard.mandate.one-active.concurrent-sign]', async () => {
  const owner = await dashboard.newAccount();
  const drafts = await Promise.all(Array.from({ length: 20 }, () => dashboard.draftMandate(owner.token)));
  const replies = await Promise.all(drafts.map((draft) => dashboard.signMandate(owner, draft)));
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { data } = await list(owner, { limit: 100 });
  const states = data.map(({ status }: Json) => status).sort();
  expect(states).toEqual(['active', ...Array(19).fill('revoked')]);
});

test('the database itself refuses a second active mandate [dashboard.mandate.one-active.constraint]', async () => {
  const owner = await dashboard.newAccount();
  const first = await dashboard.newMandate(owner);
  const second = await dashboard.newMandate(owner);
  const { storage } = dashboard.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  const attempt = client.query(`update dashboard.mandate set status = 'active' where id = $1`, [first]);
  await expect(attempt).rejects.toThrow('mandate_one_active');
  await client.end();
  expect(await statusOf(owner, second)).toBe('active');
});

test('revoke ends the active mandate, by name or not [dashboard.mandate.transition.revoke] [dashboard.mandate.revoke.data]', async () => {
  const owner = await dashboard.newAccount();
  const first = await dashboard.newMandate(owner);
  expect(await revoke(owner)).toMatchObject({
    status: 200,
    data: { mandate: { id: first, status: 'revoked' } },
  });
  const second = await dashboard.newMandate(owner);
  expect(await revoke(owner, second)).toMatchObject({
    status: 200,
    data: { mandate: { id: second, status: 'revoked' } },
  });
});

test('revoke without an active one is 404 [dashboard.mandate.revoke.none-active] [dashboard.error.mandate-not-found]', async () => {
  const owner = await dashboard.newAccount();
  const { mandateId } = await dashboard.draftMandate(owner.token);
  expect(await revoke(owner)).toMatchObject(notFound);
  expect(await revoke(owner, mandateId)).toMatchObject(notFound);
  const active = await dashboard.newMandate(owner);
  await revoke(owner);
  expect(await revoke(owner, active)).toMatchObject(notFound);
  expect(await revoke(owner, 'mdt_unknown')).toMatchObject(notFound);
});

test('revoke of an ended mandate tells its end [dashboard.mandate.revoke.ended] [dashboard.error.mandate-expired] [dashboard.error.mandate-exhausted]', async () => {
  let owner = await dashboard.newAccount();
  expect(await revoke(owner, await exhaustedMandate(owner))).toMatchObject(exhausted);
  const short = await dashboard.newMandate(owner, { validDays: 1 });
  dashboard.clock.advance(day);
  owner = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
  expect(await revoke(owner, short)).toMatchObject(expired);
  expect(await revoke(owner)).toMatchObject(notFound);
});

test('a mandate expires at its very moment, by the clock alone [dashboard.mandate.transition.expired] [dashboard.mandate.states]', async () => {
  let owner = await dashboard.newAccount();
  const id = await dashboard.newMandate(owner, { validDays: 1 });
  dashboard.clock.advance(day - 1);
  owner = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
  expect(await statusOf(owner, id)).toBe('active');
  dashboard.clock.advance(1);
  expect(await statusOf(owner, id)).toBe('expired');
  expect((await list(owner, { status: 'expired' })).total).toBe(1);
  expect((await list(owner, { status: 'active' })).total).toBe(0);
});

test('the list is newest first, in pages, and by status [dashboard.mandate.list]', async () => {
  const owner = await dashboard.newAccount();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(await dashboard.newMandate(owner));
  const page = async (body: object) => {
    const { data, ...rest } = await list(owner, body);
    return { ids: data.map(({ id }: Json) => id), ...rest };
  };
  expect(await page({})).toEqual({ ids, total: 5, page: 1, limit: 20 });
  expect(await page({ page: 2, limit: 2 })).toEqual({ ids: ids.slice(2, 4), total: 5, page: 2, limit: 2 });
  expect(await page({ status: 'active' })).toEqual({ ids: ids.slice(0, 1), total: 1, page: 1, limit: 20 });
  expect(await page({ page: 9, limit: 100 })).toEqual({ ids: [], total: 5, page: 9, limit: 100 });
});

test('the mandates of another account do not exist for me [dashboard.mandate.list.own-only] [dashboard.error.foreign.mandate]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const draft = await dashboard.draftMandate(theirs.token);
  const active = await dashboard.newMandate(theirs);
  expect((await list(mine)).total).toBe(0);
  for (const id of [draft.mandateId, active]) {
    expect(await prepare(mine, id)).toMatchObject(notFound);
    expect(await revoke(mine, id)).toMatchObject(notFound);
    expect(await dashboard.signMandate(mine, { mandateId: id, typedData: draft.typedData })).toMatchObject(
      notFound,
    );
  }
  expect(await statusOf(theirs, active)).toBe('active');
});
