import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, type TestDashboard } from './dashboard.ts';
import { holdCalls } from './holds.ts';

let dashboard: TestDashboard;
let calls: ReturnType<typeof holdCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  calls = holdCalls(dashboard);
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
const day = 24 * 60 * 60_000;
const invalidParam = { status: 400, code: 80000012, data: null };
const repeated = { status: 409, code: 80000003, data: null };
const noMandate = { status: 404, code: 80000053, data: null };
const mandateOf = async (owner: Owner, id: string) => {
  const token = (await dashboard.loginReply(owner.wallet)).data.token;
  const { data } = await dashboard.post('/api/mandates/intent/list', { limit: 100 }, token);
  return data.data.find((mandate: { id: string }) => mandate.id === id);
};
async function ownerWithMandate(limits = {}) {
  const owner = await dashboard.newAccount();
  return { owner, mandateId: await dashboard.newMandate(owner, limits) };
}

test('a hold takes its amount out of what is left, everywhere [dashboard.hold.reserve] [dashboard.vc.remaining-budget.held]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const expiresAt = new Date(dashboard.clock.now.getTime() + 60_000).toISOString();
  expect(await calls.hold(owner, { holdId: 'a', mandateId, amount: '0.30' })).toMatchObject({
    status: 200,
    code: 80000000,
    data: { holdId: 'a', remainingBudget: '19.7', expiresAt },
  });
  await calls.report(owner, mandateId, { amount: '0.000000000000000001' });
  const remainingBudget = '19.699999999999999999';
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '0.3', remainingBudget });
  const body = { apiKey: owner.apiKey, payerWalletAddress: owner.address };
  const found = await dashboard.post('/api/mandates/intent/vc', body);
  expect(found.data).toMatchObject({ remainingBudget, mandate: { usedAmount: '0.000000000000000001' } });
});

test('the same holdId again is the same hold, whatever its ttlSeconds [dashboard.hold.same-again]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const first = await calls.hold(owner, { holdId: 'a', mandateId, amount: '0.5' });
  dashboard.clock.advance(1000);
  const again = await calls.hold(owner, { holdId: 'a', mandateId, amount: '0.50', ttlSeconds: 3600 });
  expect([again.status, again.data]).toEqual([200, first.data]);
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '0.5' });
});

test('the same hold asked for 32 times at once is one hold [dashboard.hold.same-again]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  const asked = Array.from({ length: 32 }, () => calls.hold(owner, { holdId: 'a', mandateId }));
  const answers = new Set((await Promise.all(asked)).map(({ data }) => JSON.stringify(data)));
  expect(answers.size).toBe(1);
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '1', remainingBudget: '19' });
});

test('the same holdId with another amount or mandate is refused [dashboard.hold.same-id-other-content] [dashboard.error.repeated-submit]', async () => {
  const { owner, mandateId: old } = await ownerWithMandate();
  await calls.hold(owner, { holdId: 'a', mandateId: old });
  expect(await calls.hold(owner, { holdId: 'a', mandateId: old, amount: '0.9' })).toMatchObject(repeated);
  const newer = await dashboard.newMandate(owner);
  expect(await calls.hold(owner, { holdId: 'a', mandateId: newer })).toMatchObject(repeated);
  expect(await mandateOf(owner, old)).toMatchObject({ heldAmount: '1' });
  expect(await mandateOf(owner, newer)).toMatchObject({ heldAmount: '0' });
});

test('ttlSeconds is 10 to 3600, the rest of the body as its types say [dashboard.hold.ttl-range] [dashboard.error.invalid-param.range]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  for (const ttlSeconds of [9, 3601, 0, -1]) {
    expect(await calls.hold(owner, { mandateId, ttlSeconds })).toMatchObject(invalidParam);
  }
  for (const ttlSeconds of [10, 3600]) {
    expect(await calls.hold(owner, { mandateId, ttlSeconds })).toMatchObject({ status: 200 });
  }
  for (const change of [{ amount: '-1' }, { holdId: '' }, { holdId: 'x'.repeat(129) }]) {
    expect(await calls.hold(owner, { mandateId, ...change })).toMatchObject(invalidParam);
  }
  for (const field of ['holdId', 'amount', 'ttlSeconds']) {
    const reply = await calls.hold(owner, { mandateId, [field]: undefined });
    expect(reply).toMatchObject({ status: 400, code: 80000002 });
    expect(reply.msg).toContain(field);
  }
  expect(await calls.hold(owner, { mandateId, ttlSeconds: '60' })).toMatchObject({ code: 80000002 });
  expect(await calls.hold({ apiKey: 'csk_bad' }, { mandateId })).toMatchObject({ code: 80000040 });
});

test('a hold counts until its very expiry, and from then on no more [dashboard.hold.expires]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ totalBudget: '1' });
  await calls.hold(owner, { holdId: 'a', mandateId, ttlSeconds: 10 });
  dashboard.clock.advance(9_999);
  const next = { holdId: 'b', mandateId };
  expect(await calls.hold(owner, next)).toMatchObject({ code: 80000057 });
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '1', remainingBudget: '0' });
  dashboard.clock.advance(1);
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '0', remainingBudget: '1' });
  expect(await calls.hold(owner, next)).toMatchObject({ status: 200, data: { remainingBudget: '0' } });
});

test('a hold that ran out or was given back reserves nothing: the same holdId is placed anew, with every check', async () => {
  const { owner, mandateId } = await ownerWithMandate({ totalBudget: '1' });
  const [a, b] = [
    { holdId: 'a', mandateId, ttlSeconds: 10 },
    { holdId: 'b', mandateId, ttlSeconds: 3600 },
  ];
  await calls.hold(owner, a);
  dashboard.clock.advance(10_000);
  const expiresAt = new Date(dashboard.clock.now.getTime() + 10_000).toISOString();
  expect(await calls.hold(owner, a)).toMatchObject({ status: 200, data: { expiresAt } });
  await calls.release(owner, 'a');
  expect(await calls.hold(owner, b)).toMatchObject({ status: 200 });
  expect(await calls.hold(owner, a)).toMatchObject({ status: 400, code: 80000057 });
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '1' });
});

test('a hold above the limit of one transaction is refused, one of exactly it is not [dashboard.hold.per-tx-exceeded]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ perTxLimit: '0.7', totalBudget: '1' });
  for (const amount of ['0.700000000000000001', '5']) {
    const refused = { status: 400, code: 80000056, data: null };
    expect(await calls.hold(owner, { mandateId, amount })).toMatchObject(refused);
  }
  expect(await calls.hold(owner, { mandateId, amount: '0.7' })).toMatchObject({ status: 200 });
});

test('a hold above what is left is refused, one of exactly that is not, and the mandate stays active [dashboard.hold.budget-exceeded] [dashboard.hold.status-unchanged]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ totalBudget: '2' });
  await calls.report(owner, mandateId, { amount: '0.5' });
  await calls.hold(owner, { mandateId, amount: '0.6' });
  const refused = { status: 400, code: 80000057, data: null };
  expect(await calls.hold(owner, { mandateId, amount: '0.900000000000000001' })).toMatchObject(refused);
  expect(await calls.hold(owner, { mandateId, amount: '0.9' })).toMatchObject({
    data: { remainingBudget: '0' },
  });
  expect(await mandateOf(owner, mandateId)).toMatchObject({
    usedAmount: '0.5',
    heldAmount: '1.5',
    remainingBudget: '0',
    status: 'active',
  });
});

test('only an active mandate can be held on [dashboard.hold.wrong-state] [dashboard.error.mandate-expired] [dashboard.error.mandate-exhausted]', async () => {
  const owner = await dashboard.newAccount();
  const pending = (await dashboard.draftMandate(owner.token)).mandateId;
  expect(await calls.hold(owner, { mandateId: pending })).toMatchObject(noMandate);
  expect(await calls.hold(owner, { mandateId: 'mdt_unknown' })).toMatchObject(noMandate);

  const revoked = await dashboard.newMandate(owner);
  await calls.hold(owner, { holdId: 'a', mandateId: revoked });
  const used = await dashboard.newMandate(owner, { totalBudget: '1' });
  await calls.report(owner, used);
  const short = await dashboard.newMandate(owner, { validDays: 1 });
  dashboard.clock.advance(day);
  for (const [mandateId, refused] of [
    [revoked, noMandate],
    [used, { status: 400, code: 80000055, data: null }],
    [short, { status: 400, code: 80000054, data: null }],
  ] as const) {
    expect(await calls.hold(owner, { mandateId })).toMatchObject(refused);
    expect((await mandateOf(owner, mandateId)).heldAmount).toBe('0');
  }
  // A hold that was placed before is of no use either, now that nothing may be paid.
  expect(await calls.hold(owner, { holdId: 'a', mandateId: revoked })).toMatchObject(noMandate);
});

test('release gives the amount back; twice is harmless [dashboard.hold.release]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  await calls.hold(owner, { holdId: 'a', mandateId });
  await calls.hold(owner, { holdId: 'b', mandateId, amount: '0.5' });
  for (const _ of [1, 2]) {
    const reply = await calls.release(owner, 'a');
    expect([reply.status, reply.data]).toEqual([200, { holdId: 'a', remainingBudget: '19.5' }]);
  }
  expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '0.5' });
});

test('a hold that was paid can be neither released nor placed again', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  await calls.hold(owner, { holdId: 'a', mandateId });
  await calls.report(owner, mandateId, { holdId: 'a' });
  expect(await calls.release(owner, 'a')).toMatchObject(repeated);
  expect(await calls.hold(owner, { holdId: 'a', mandateId })).toMatchObject(repeated);
  expect(await mandateOf(owner, mandateId)).toMatchObject({ usedAmount: '1', heldAmount: '0' });
});

test('the report turns its hold into usage, by the amount that was paid [dashboard.hold.becomes-usage]', async () => {
  const { owner, mandateId } = await ownerWithMandate();
  await calls.hold(owner, { holdId: 'a', mandateId });
  await calls.hold(owner, { holdId: 'b', mandateId });
  await calls.report(owner, mandateId, { holdId: 'a', amount: '0.25' });
  const after = { usedAmount: '0.25', heldAmount: '1', remainingBudget: '18.75' };
  expect(await mandateOf(owner, mandateId)).toMatchObject(after);
  for (const serviceResult of ['reject', 'error']) {
    await calls.report(owner, mandateId, { holdId: 'b', serviceResult });
  }
  for (const holdId of ['unknown', 5, null, ['b'], '']) {
    await calls.report(owner, mandateId, { holdId, amount: '0' });
  }
  expect(await mandateOf(owner, mandateId)).toMatchObject(after);
});

test('a report consumes though its hold has expired or was released [dashboard.hold.becomes-usage]', async () => {
  const { owner, mandateId } = await ownerWithMandate({ totalBudget: '2' });
  await calls.hold(owner, { holdId: 'a', mandateId, ttlSeconds: 10 });
  await calls.hold(owner, { holdId: 'b', mandateId });
  await calls.release(owner, 'b');
  dashboard.clock.advance(10_000);
  await calls.hold(owner, { holdId: 'c', mandateId });
  for (const holdId of ['a', 'b']) {
    expect(await calls.report(owner, mandateId, { holdId })).toMatchObject({ status: 201 });
  }
  expect(await mandateOf(owner, mandateId)).toMatchObject({
    usedAmount: '2',
    heldAmount: '1',
    remainingBudget: '0',
    status: 'exhausted',
  });
});

test('a report does not touch a hold of another mandate', async () => {
  const { owner, mandateId: old } = await ownerWithMandate();
  await calls.hold(owner, { holdId: 'a', mandateId: old });
  const newer = await dashboard.newMandate(owner);
  await calls.report(owner, newer, { holdId: 'a' });
  expect(await mandateOf(owner, old)).toMatchObject({ heldAmount: '1', usedAmount: '0' });
});

test('what others hold does not exist for me: neither mandate nor hold nor holdId [dashboard.key.own-party.hold] [dashboard.error.foreign.hold] [dashboard.error.foreign.mandate]', async () => {
  const { owner: theirs, mandateId } = await ownerWithMandate();
  const { owner: mine, mandateId: own } = await ownerWithMandate();
  await calls.hold(theirs, { holdId: 'a', mandateId });
  expect(await calls.hold(mine, { mandateId })).toMatchObject(noMandate);
  for (const holdId of ['a', 'unknown']) {
    const unknown = { status: 404, code: 80000011, data: null };
    expect(await calls.release(mine, holdId)).toMatchObject(unknown);
  }
  expect(await calls.hold(mine, { holdId: 'a', mandateId: own, amount: '0.1' })).toMatchObject({
    status: 200,
  });
  expect(await mandateOf(theirs, mandateId)).toMatchObject({ heldAmount: '1' });
});

test('an operator key holds and releases on the mandates of every payer [dashboard.operator-key.hold]', async () => {
  const operator = await dashboard.newOperatorKey();
  for (const { owner, mandateId } of [await ownerWithMandate(), await ownerWithMandate()]) {
    const holdId = `of ${mandateId}`;
    expect(await calls.hold(operator, { holdId, mandateId })).toMatchObject({ status: 200 });
    expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '1' });
    const paid = { ...operator, address: owner.address };
    await calls.report(paid, mandateId, { holdId });
    expect(await mandateOf(owner, mandateId)).toMatchObject({ heldAmount: '0', usedAmount: '1' });
    await calls.hold(operator, { holdId: `${holdId} 2`, mandateId });
    expect(await calls.release(operator, `${holdId} 2`)).toMatchObject({ status: 200 });
  }
});
