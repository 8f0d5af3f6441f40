import { usdcOn } from '@countersign/protocol/dashboard/usdc';
import { paymentMandateTypedData } from '@countersign/protocol/gateway/payment-mandate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askedOf, signatureOf } from './approvals.ts';
import {
  type Json,
  newWallet,
  openDashboard,
  openDashboardForTest,
  type Reply,
  type TestDashboard,
} from './dashboard.ts';

let dashboard: TestDashboard;
let owner: Owner;
beforeAll(async () => {
  dashboard = await openDashboard();
  owner = await dashboard.newAccount();
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const ok = { status: 200, code: 80000000 };
const repeated = { status: 409, code: 80000003, data: null };
const forbidden = { status: 403, code: 80000004, data: null };
const unknown = { status: 404, code: 80000011, data: null };
const invalidParam = { status: 400, code: 80000012, data: null };
const expired = { status: 400, code: 80000054, data: null };

const asked = (of: { address: Owner['address'] } = owner, change: object = {}) => ({
  ...askedOf(of.address, dashboard.clock.now),
  ...change,
});
const create = (body: object, { apiKey }: { apiKey: string } = owner) =>
  dashboard.post('/api/approvals', { apiKey, ...body });
const get = (approvalId: string, { apiKey }: { apiKey: string } = owner) =>
  dashboard.post('/api/approvals/get', { apiKey, approvalId });
const use = (approvalId: string, { apiKey }: { apiKey: string } = owner) =>
  dashboard.post('/api/approvals/use', { apiKey, approvalId });
const decide = (approvalId: string, word: 'approve' | 'reject', body: object, { token } = owner) =>
  dashboard.post(`/api/approvals/${encodeURIComponent(approvalId)}/${word}`, body, token);
const approve = (approval: Json, by: Owner = owner) =>
  decide(approval.approvalId, 'approve', { signature: signatureOf(by.wallet, approval) }, by);
const list = async (body: object, { token } = owner) =>
  (await dashboard.post('/api/approvals/list', body, token)).data;

const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => `${status}`).sort();

async function pending(of: Owner = owner): Promise<Json> {
  const reply = await create(asked(of), of);
  expect(reply).toMatchObject(ok);
  return reply.data.approval;
}

test('a key asks, and the approval is pending with exactly these fields [dashboard.approvals.create] [dashboard.approvals.fields] [dashboard.approvals.get]', async () => {
  const body = asked();
  const reply = await create(body);
  expect(reply).toMatchObject(ok);
  expect(reply.data).toEqual({
    approval: {
      ...body,
      state: 'pending',
      signature: null,
      rejectReason: null,
      createdAt: dashboard.clock.now.toISOString(),
      decidedAt: null,
    },
  });
  expect((await get(body.approvalId)).data).toEqual(reply.data);
});

test('the same again is the same approval, whatever has become of it; with other content it is refused [dashboard.error.repeated-submit]', async () => {
  const body = asked();
  const first = await create(body);
  const same = { ...body, amount: '5.250', payTo: body.payTo.toLowerCase() };
  expect((await create(same)).data).toEqual(first.data);
  await decide(body.approvalId, 'reject', {});
  expect((await create(body)).data.approval).toMatchObject({ state: 'rejected' });

  const { approvalId, expiresAt } = body;
  for (const other of [
    { ...body, reason: 'TOTAL_BUDGET_EXCEEDED' },
    { ...askedOf(owner.address, dashboard.clock.now, { approvalId, expiresAt }) },
  ]) {
    expect(await create(other)).toMatchObject(repeated);
  }
  expect((await get(approvalId)).data.approval).toMatchObject({ payTo: body.payTo, reason: body.reason });
});

test('asked for 16 times at once it is one approval', async () => {
  const body = asked();
  const replies = await Promise.all(Array.from({ length: 16 }, () => create(body)));
  expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  expect((await list({})).data.filter((one: Json) => one.approvalId === body.approvalId)).toHaveLength(1);
});

test('nobody asks in the name of another payer [dashboard.approvals.create.own-payer]', async () => {
  const body = asked({ address: newWallet().address });
  expect(await create(body)).toMatchObject(forbidden);
  expect(await get(body.approvalId)).toMatchObject(unknown);
});

test('typed data that says anything else than the fields is refused, and nothing is kept', async () => {
  const body = asked();
  const { message, domain, types } = body.typedData;
  const { PaymentMandate } = types;
  const typedDataWith = (change: object) => ({ ...body, typedData: { ...body.typedData, ...change } });
  const others = Object.entries(message).map(([name, value]) => {
    const other = value.startsWith('0x')
      ? `${value.slice(0, -1)}${value.endsWith('0') ? 1 : 0}`
      : `${value}1`;
    return typedDataWith({ message: { ...message, [name]: other } });
  });
  const bad = [
    ...others,
    typedDataWith({ message: { ...message, extra: 'x' } }),
    typedDataWith({ message: { ...message, payTo: undefined } }),
    typedDataWith({ message: { ...message, amount: 5_250_000 } }),
    typedDataWith({ message: { ...message, amount: '05250000' } }),
    typedDataWith({ primaryType: 'Permit' }),
    typedDataWith({ domain: { ...domain, name: 'USD Coin' } }),
    typedDataWith({ domain: { ...domain, verifyingContract: body.asset } }),
    typedDataWith({ domain: { ...domain, chainId: '8453' } }),
    typedDataWith({ domain: { ...domain, chainId: -1 } }),
    typedDataWith({ types: { ...types, PaymentMandate: PaymentMandate.slice(1) } }),
    typedDataWith({ types: { ...types, PaymentMandate: [...PaymentMandate].reverse() } }),
    typedDataWith({ types: { ...types, EIP712Domain: [] } }),
    typedDataWith({ types: { ...types, Other: [] } }),
    { ...body, serviceId: 'other' },
    { ...body, amount: '5.24' },
    { ...body, amount: '5.2500001' },
  ];
  for (const change of bad) expect(await create(change)).toMatchObject(invalidParam);
  expect(await get(body.approvalId)).toMatchObject(unknown);
  expect(await create(body)).toMatchObject(ok);
});

test('what is shown as an amount of USDC is what is signed, however it is spelled; USDC has no other name [dashboard.approvals.create.amount-signed]', async () => {
  const asset = usdcOn(8453);
  if (asset === null) throw new Error('no USDC on this chain');
  const inUsdc = () => askedOf(owner.address, dashboard.clock.now, { asset });
  for (const currency of ['usdc', ' Usdc'])
    expect(await create({ ...asked(), currency, amount: '0.01' })).toMatchObject(invalidParam);
  for (const currency of ['EUR', 'USDC.e', 'usd'])
    expect(await create({ ...inUsdc(), currency, amount: '0.01' })).toMatchObject(invalidParam);
  const { data } = await create({ ...inUsdc(), currency: 'usdc' });
  expect(data.approval).toMatchObject({ currency: 'USDC', amount: '5.25' });
  expect(await create({ ...asked(), currency: 'EURC' })).toMatchObject(ok);
});

test('addresses may be in any case and the domain type may be left out: what is shown is checksummed and whole', async () => {
  const body = asked();
  const { EIP712Domain: _, ...types } = body.typedData.types;
  const lower = { payTo: body.payTo.toLowerCase(), asset: body.asset.toLowerCase() };
  const message = { ...body.typedData.message, ...lower };
  const { data } = await create({ ...body, ...lower, typedData: { ...body.typedData, types, message } });
  expect(data.approval.typedData).toEqual(body.typedData);
  expect(await approve(data.approval)).toMatchObject(ok);
});

test('fields are required and of their type [dashboard.error.invalid-param.length]', async () => {
  const body = asked();
  for (const field of Object.keys(body)) {
    const reply = await create({ ...body, [field]: undefined });
    expect(reply).toMatchObject({ status: 400, code: 80000002 });
    expect(reply.msg).toContain(field);
  }
  for (const change of [
    { argumentsHash: '0x12' },
    { payTo: 'shop' },
    { expiresAt: 'soon' },
    { serviceId: 'x'.repeat(65) },
    { toolName: '' },
    { amount: '-5.25' },
  ]) {
    expect(await create({ ...body, ...change })).toMatchObject(invalidParam);
  }
});

test('the time of expiry stays as it was written, because it is signed', async () => {
  const expiresAt = '2026-12-24T18:00:00Z';
  const { data } = await create(askedOf(owner.address, dashboard.clock.now, { expiresAt }));
  expect(data.approval).toMatchObject({ expiresAt, typedData: { message: { expiresAt } } });
  expect(await approve(data.approval)).toMatchObject(ok);
});

test('the owner’s signature approves, and the gateway gets it [dashboard.approvals.approve] [dashboard.approvals.get]', async () => {
  const approval = await pending();
  dashboard.clock.advance(1000);
  const signature = signatureOf(owner.wallet, approval);
  const reply = await approve(approval);
  expect(reply).toMatchObject(ok);
  const decidedAt = dashboard.clock.now.toISOString();
  expect(reply.data.approval).toEqual({ ...approval, state: 'approved', signature, decidedAt });
  expect((await get(approval.approvalId)).data).toEqual(reply.data);
});

test('a signature of another wallet, or over anything else, approves nothing [dashboard.approvals.approve.wrong-signer]', async () => {
  const approval = await pending();
  const { message, domain } = approval.typedData;
  const sign = owner.wallet.signTypedData;
  const over = (change: object, chainId = domain.chainId) =>
    sign(paymentMandateTypedData({ ...message, ...change }, chainId));
  for (const signature of [
    newWallet().signTypedData(approval.typedData),
    over({ amount: '5250001' }),
    over({ payTo: owner.address }),
    over({ expiresAt: '2027-01-01T00:00:00.000Z' }),
    over({}, 1),
    owner.wallet.signMessage(JSON.stringify(approval.typedData)),
    '0x',
    `0x${'00'.repeat(65)}`,
    `${sign(approval.typedData)}00`,
  ]) {
    expect(await decide(approval.approvalId, 'approve', { signature })).toMatchObject(forbidden);
  }
  expect((await get(approval.approvalId)).data.approval).toEqual(approval);
});

test('the owner rejects, with a reason or without [dashboard.approvals.reject]', async () => {
  const [first, second] = [await pending(), await pending()];
  dashboard.clock.advance(1000);
  const reply = await decide(first.approvalId, 'reject', { reason: 'too dear' });
  const decidedAt = dashboard.clock.now.toISOString();
  const rejected = { ...first, state: 'rejected', rejectReason: 'too dear', decidedAt };
  expect(reply.data).toEqual({ approval: rejected });
  expect(await decide(second.approvalId, 'reject', {})).toMatchObject({
    ...ok,
    data: { approval: { state: 'rejected', rejectReason: null, signature: null } },
  });
  expect(await decide(second.approvalId, 'reject', { reason: '' })).toMatchObject(invalidParam);
});

test('what is settled stays as it is [dashboard.approvals.settled] [dashboard.error.repeated-submit]', async () => {
  const [approved, rejected, used] = [await pending(), await pending(), await pending()];
  await approve(approved);
  await decide(rejected.approvalId, 'reject', {});
  await use(used.approvalId);
  for (const approval of [approved, rejected, used]) {
    const before = await get(approval.approvalId);
    expect(await approve(approval)).toMatchObject(repeated);
    expect(await decide(approval.approvalId, 'reject', {})).toMatchObject(repeated);
    expect((await get(approval.approvalId)).data).toEqual(before.data);
  }
});

test('it expires at its very moment, approved or not, and then serves nobody [dashboard.approvals.expired] [dashboard.approvals.states]', async () => {
  let mine = await dashboard.newAccount();
  const [first, second, third] = [await pending(mine), await pending(mine), await pending(mine)];
  await approve(second, mine);
  await use(third.approvalId, mine);
  const states = async () => (await list({}, mine)).data.map(({ state }: Json) => state);
  dashboard.clock.advance(15 * 60_000 - 1);
  mine = { ...mine, token: (await dashboard.loginReply(mine.wallet)).data.token };
  expect(await states()).toEqual(['used', 'approved', 'pending']);
  dashboard.clock.advance(1);
  expect(await states()).toEqual(['used', 'expired', 'expired']);
  for (const approval of [first, second]) {
    expect(await approve(approval, mine)).toMatchObject(expired);
    expect(await decide(approval.approvalId, 'reject', {}, mine)).toMatchObject(expired);
    expect(await use(approval.approvalId, mine)).toMatchObject(expired);
  }
});

test('an approved one is used once [dashboard.approvals.use] [dashboard.approvals.use.twice]', async () => {
  const approval = await pending();
  const approved = (await approve(approval)).data.approval;
  expect((await use(approval.approvalId)).data).toEqual({ approval: { ...approved, state: 'used' } });
  expect(await use(approval.approvalId)).toMatchObject(repeated);
});

test('a pending one may be used: the owner signed for the agent directly [dashboard.approvals.use]', async () => {
  const approval = await pending();
  const used = { ...approval, state: 'used' };
  expect((await use(approval.approvalId)).data).toEqual({ approval: used });
  expect(await approve(approval)).toMatchObject(repeated);
});

test('a rejected one cannot be used', async () => {
  const { approvalId } = await pending();
  await decide(approvalId, 'reject', {});
  expect(await use(approvalId)).toMatchObject(repeated);
});

test('of 32 who use one at once, in two processes, exactly one succeeds [dashboard.approvals.use.twice]', async () => {
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const { approvalId } = await pending();
  const body = { apiKey: owner.apiKey, approvalId };
  const replies = await Promise.all(
    Array.from({ length: 32 }, (_, i) =>
      (i % 2 === 0 ? dashboard : sibling).post('/api/approvals/use', body),
    ),
  );
  expect(statusesOf(replies)).toEqual(['200', ...Array(31).fill('409')]);
});

test('of approve and reject at once exactly one counts [dashboard.approvals.settled]', async () => {
  for (let round = 0; round < 8; round++) {
    const approval = await pending();
    const moves = [approve(approval), decide(approval.approvalId, 'reject', {}), approve(approval)];
    const replies = await Promise.all(moves);
    const [winner] = replies.filter(({ status }) => status === 200);
    expect(statusesOf(replies)).toEqual(['200', '409', '409']);
    expect((await get(approval.approvalId)).data).toEqual(winner?.data);
  }
});

test('the inbox is newest first, in pages, by state, and mine alone [dashboard.approvals.list]', async () => {
  const mine = await dashboard.newAccount();
  const made: Json[] = [];
  for (let i = 0; i < 5; i++) made.unshift(await pending(mine));
  await decide(made[1].approvalId, 'reject', {}, mine);
  const ids = made.map(({ approvalId }) => approvalId);
  const page = async (body: object) => {
    const { data, ...rest } = await list(body, mine);
    return { ids: data.map(({ approvalId }: Json) => approvalId), ...rest };
  };
  expect(await page({})).toEqual({ ids, total: 5, page: 1, limit: 20 });
  expect(await page({ page: 2, limit: 2 })).toEqual({ ids: ids.slice(2, 4), total: 5, page: 2, limit: 2 });
  const rejected = { ids: ids.slice(1, 2), total: 1, page: 1, limit: 20 };
  expect(await page({ state: 'rejected' })).toEqual(rejected);
  expect(await page({ state: 'used' })).toEqual({ ids: [], total: 0, page: 1, limit: 20 });
  const wrong = await dashboard.post('/api/approvals/list', { state: 'lost' }, mine.token);
  expect(wrong).toMatchObject(invalidParam);
});

test('approvals of another account do not exist for me, nor does their approvalId [dashboard.error.foreign.approval]', async () => {
  const theirs = await dashboard.newAccount();
  const approval = await pending(theirs);
  for (const id of [approval.approvalId, 'unknown', 'a/b', '…']) {
    expect(await get(id)).toMatchObject(unknown);
    expect(await use(id)).toMatchObject(unknown);
    expect(await decide(id, 'approve', { signature: '0x' })).toMatchObject(unknown);
    expect(await decide(id, 'reject', {})).toMatchObject(unknown);
  }
  const { approvalId } = approval;
  const own = askedOf(owner.address, dashboard.clock.now, { approvalId });
  expect(await create(own)).toMatchObject(ok);
  expect((await get(approvalId, theirs)).data.approval).toEqual(approval);
  expect((await get(approvalId)).data.approval.payTo).toBe(own.payTo);
});

test('an operator key asks and uses for every payer, and nobody can stand in its way', async () => {
  const operator = await dashboard.newOperatorKey();
  const payer = await dashboard.newAccount();
  const body = asked(payer);
  expect(await create(body, operator)).toMatchObject(ok);
  await create(askedOf(owner.address, dashboard.clock.now, { approvalId: body.approvalId }));

  const { approval } = (await get(body.approvalId, operator)).data;
  expect(approval.payer).toBe(payer.address);
  expect(await approve(approval, payer)).toMatchObject(ok);
  expect((await use(body.approvalId, operator)).data.approval).toMatchObject({
    payer: payer.address,
    state: 'used',
  });
  const theirs = await pending(payer);
  expect((await get(theirs.approvalId, operator)).data.approval).toEqual(theirs);
});
