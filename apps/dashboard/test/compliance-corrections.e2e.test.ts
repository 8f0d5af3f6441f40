import { afterAll, beforeAll, expect, test } from 'vitest';
import { complianceOf, databaseOf, identity, type Person, threeOperators } from './compliance-people.ts';
import { newWallet, openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));
const day = 24 * 60 * 60_000;

let dashboard: TestDashboard;
let people: ReturnType<typeof complianceOf>;
let operator: Person;
let other: Person;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
  people = complianceOf(dashboard);
  operator = await dashboard.newAccount(wallets[0]);
  other = await dashboard.newAccount(wallets[1]);
});
afterAll(() => dashboard.stop());

test('a withdrawn approval counts no longer from that moment on, and the person reads why [dashboard.kyc.withdraw]', async () => {
  const person = await people.approved(operator);
  expect(await people.check(person)).toBe('approved');
  const reply = await people.withdraw(other, person);
  expect(reply).toMatchObject({
    status: 200,
    data: { walletAddress: person.address, kycStatus: 'rejected' },
  });
  expect(await people.check(person)).toBe('rejected');
  expect(await people.own(person)).toMatchObject({
    kycStatus: 'rejected',
    validUntil: null,
    review: { kycStatus: 'rejected', reason: 'The passport is forged', withdrawnAt: expect.any(String) },
    withdrawal: { reason: 'The passport is forged', at: dashboard.clock.now.toISOString() },
  });
  expect((await people.own(person)).review).not.toHaveProperty('firstWord');
  expect(await people.withdraw(other, person)).toMatchObject({ status: 409, code: 80000003 });

  // Who hands in again waits, and waiting is no approval; being approved again ends the withdrawal.
  expect(await people.handIn(person)).toMatchObject({ status: 200 });
  expect(await people.check(person)).toBe('pending');
  const [{ id }] = await people.reviewsOf(operator, person);
  await people.decide(operator, id, 'approve');
  expect(await people.check(person)).toBe('approved');
  expect((await people.own(person)).withdrawal).toBeNull();
});

test('a withdrawal is for operators, needs a reason and an approval of somebody else [dashboard.kyc.withdraw]', async () => {
  const person = await people.approved(operator);
  expect(await people.withdraw(person, other)).toMatchObject({ status: 403, code: 80000004 });
  expect(await people.withdraw(operator, person, null)).toMatchObject({ status: 400, code: 80000002 });
  expect(await people.withdraw(operator, person, ' \u200b ')).toMatchObject({ status: 400, code: 80000012 });
  expect(await people.withdraw(operator, operator)).toMatchObject({ status: 403, code: 80000004 });
  expect(await people.withdraw(operator, newWallet())).toMatchObject({ status: 404, code: 80000011 });
  const { person: waiting } = await people.waiting(operator);
  expect(await people.withdraw(operator, waiting)).toMatchObject({ status: 404, code: 80000011 });
  expect(await people.check(person)).toBe('approved');
});

test('a withdrawal that is taken back restores what stood before it, until its old end [dashboard.kyc.restore]', async () => {
  const person = await people.approved(operator);
  const { validUntil } = await people.own(person);
  expect(await people.restore(operator, person)).toMatchObject({ status: 404, code: 80000011 });
  await people.withdraw(operator, person);
  dashboard.clock.advance(60_000);
  const { data } = await dashboard.post('/api/kyc/withdrawals/list', {}, other.token);
  expect(data.data[0]).toMatchObject({
    walletAddress: person.address,
    reason: 'The passport is forged',
    withdrawnBy: operator.address,
    firstWord: null,
  });
  expect(await people.restore(other, person)).toMatchObject({ status: 200, data: { firstWord: null } });
  expect(await people.check(person)).toBe('approved');
  expect(await people.own(person)).toMatchObject({
    validUntil,
    withdrawal: null,
    review: { kycStatus: 'approved', withdrawnAt: null },
  });
});

test('a rejection and a decision about the deny list need a reason that is not blank [dashboard.kyc.reason]', async () => {
  const { person, id } = await people.waiting(operator);
  const missing = await people.decide(operator, id, 'reject');
  expect(missing).toMatchObject({ status: 400, code: 80000002 });
  expect(missing.msg).toContain('reason');
  for (const reason of ['', '  ', '\u200b']) {
    expect(await people.decide(operator, id, 'reject', reason)).toMatchObject({
      status: 400,
      code: 80000012,
    });
  }
  expect(await people.check(person)).toBe('pending');
  await people.decide(operator, id, 'reject', 'The picture is blurred');
  expect((await people.own(person)).review).toMatchObject({ reason: 'The picture is blurred' });
});

test('an approval ends by the clock, and a renewal takes nothing away [dashboard.kyc.expiry] [dashboard.kyc.renewal]', async () => {
  const brief = await openDashboardForTest({ operators, review: { validDays: 90, fourEyes: false } });
  const those = complianceOf(brief);
  const desk = await brief.newAccount(wallets[0]);
  const person = await those.approved(desk);
  const end = new Date(brief.clock.now.getTime() + 90 * day);
  const renewableFrom = new Date(end.getTime() - 30 * day);
  expect(await those.own(person)).toMatchObject({
    validUntil: end.toISOString(),
    renewableFrom: renewableFrom.toISOString(),
  });
  const login = async () => {
    Object.assign(person, await brief.newAccount(person.wallet));
    Object.assign(desk, await brief.newAccount(desk.wallet));
  };

  // Not long before its end there is something to renew.
  brief.clock.now = new Date(renewableFrom.getTime() - 1);
  await login();
  expect(await those.handIn(person)).toMatchObject({ status: 409, code: 80000003 });
  brief.clock.advance(1);
  expect(await those.handIn(person)).toMatchObject({ status: 200 });
  expect(await those.handIn(person)).toMatchObject({ status: 409 });
  expect(await those.own(person)).toMatchObject({ kycStatus: 'approved', review: { kycStatus: 'pending' } });

  // A renewal that is rejected leaves the approval, until it ends.
  const [renewal] = await those.reviewsOf(desk, person);
  await those.decide(desk, renewal.id, 'reject', 'blurred');
  expect(await those.check(person)).toBe('approved');
  brief.clock.now = new Date(end.getTime() - 1);
  await login();
  expect(await those.check(person)).toBe('approved');
  brief.clock.advance(1);
  expect(await those.check(person)).toBe('rejected');
  expect(await those.own(person)).toMatchObject({ validUntil: end.toISOString() });

  // After the end too; the new approval has a life of its own.
  expect(await those.handIn(person)).toMatchObject({ status: 200 });
  expect(await those.check(person)).toBe('pending');
  const [again] = await those.reviewsOf(desk, person);
  const { data } = await those.decide(desk, again.id, 'approve');
  const next = new Date(end.getTime() + 90 * day).toISOString();
  expect(data.review).toMatchObject({ kycStatus: 'approved', validUntil: next });
  expect(await those.check(person)).toBe('approved');

  // Nobody needs to have rejected anything: an approval that has ended waits to be renewed.
  brief.clock.now = new Date(next);
  expect(await those.check(person)).toBe('pending');
});

test('a hold and a mandate outlive an approval, but every check after its end says no [dashboard.kyc.expiry]', async () => {
  const brief = await openDashboardForTest({ operators, review: { validDays: 1, fourEyes: false } });
  const those = complianceOf(brief);
  const person = await those.approved(await brief.newAccount(wallets[0]));
  const mandateId = await brief.newMandate(person);
  brief.clock.advance(day - 1000);
  const hold = { apiKey: person.apiKey, holdId: 'hld_1', mandateId, amount: '1', ttlSeconds: 60 };
  expect(await brief.post('/api/mandates/intent/hold', hold)).toMatchObject({ status: 200 });
  expect(await those.check(person)).toBe('approved');
  brief.clock.advance(1000);
  expect(await those.check(person)).toBe('pending');
  // The payment that it was held for has left before: it is recorded, and the budget is used.
  const report = {
    apiKey: person.apiKey,
    serviceName: 'quotes',
    serviceResult: 'pass',
    chain: 'base',
    payer: person.address,
    amount: '1',
    intentMandateId: mandateId,
    metadata: { holdId: 'hld_1' },
  };
  expect(await brief.post('/api/transactions', report)).toMatchObject({ status: 201 });
});

test('who is rejected again and again may hand in three times within a day [dashboard.kyc.submit.often]', async () => {
  const person = await dashboard.newAccount();
  for (let time = 0; time < 3; time++) {
    expect(await people.handIn(person)).toMatchObject({ status: 200 });
    const [{ id }] = await people.reviewsOf(operator, person);
    await people.decide(operator, id, 'reject', 'blurred');
    dashboard.clock.advance(60_000);
  }
  const refused = await people.handIn(person);
  expect(refused).toMatchObject({ status: 409, code: 80000003 });
  const again = new Date(dashboard.clock.now.getTime() - 3 * 60_000 + day).toISOString();
  expect(refused.msg).toContain(again);
  dashboard.clock.now = new Date(again);
  const { token } = await dashboard.newAccount(person.wallet);
  expect(await dashboard.post('/api/kyc/submit', identity, token)).toMatchObject({ status: 200 });
});

test('no operator decides about their own address on the deny list, either way [dashboard.compliance.deny-list.oneself]', async () => {
  const oneself = { status: 403, code: 80000004 };
  const desk = await dashboard.newAccount(wallets[0]);
  const denied = await dashboard.newAccount(wallets[2]);
  await people.deny(desk, denied.address, 'add');
  expect(await people.deny(denied, denied.address, 'remove')).toMatchObject(oneself);
  expect(await people.deny(denied, denied.address.toLowerCase(), 'remove')).toMatchObject(oneself);
  expect(await people.deny(denied, denied.address, 'add')).toMatchObject(oneself);
  const { data } = (await dashboard.post('/api/compliance/deny-list/list', {}, desk.token)).data;
  expect(data).toMatchObject([{ address: denied.address, addedBy: desk.address }]);
  expect(await people.deny(desk, denied.address, 'remove')).toMatchObject({ status: 200 });
});

test('every decision stays on record with who, when and why, for operators to read [dashboard.compliance.history]', async () => {
  const desk = await dashboard.newAccount(wallets[0]);
  const person = await people.approved(desk);
  await people.withdraw(desk, person);
  await people.restore(desk, person);
  const at = dashboard.clock.now.toISOString();
  const about = { by: desk.address, at, effective: true, walletAddress: person.address };
  expect(await people.history(desk, { walletAddress: person.address })).toMatchObject([
    { ...about, deed: 'restore', reason: 'It was another Ada' },
    { ...about, deed: 'withdraw', reason: 'The passport is forged', reviewId: expect.any(String) },
    { ...about, deed: 'approve', reason: null, reviewId: expect.any(String) },
  ]);
  const { address } = newWallet();
  await people.deny(desk, address, 'add');
  await people.deny(desk, address, 'remove');
  const ofList = await people.history(desk, { about: 'deny-list', limit: 2 });
  expect(ofList).toMatchObject([
    { deed: 'undeny', walletAddress: address, reason: 'remove it', by: desk.address },
    { deed: 'deny', walletAddress: address, reason: 'add it', by: desk.address },
  ]);
  const deeds = (await people.history(desk, { about: 'identities', limit: 100 })).map(
    ({ deed }: { deed: string }) => deed,
  );
  expect(new Set(deeds)).toEqual(new Set(['approve', 'reject', 'withdraw', 'restore']));
  expect(await dashboard.post('/api/compliance/history/list', {}, person.token)).toMatchObject({
    status: 403,
    code: 80000004,
  });
});

test('the database itself refuses to change what is on record [dashboard.compliance.history.append-only]', async () => {
  const desk = await dashboard.newAccount(wallets[0]);
  await people.approved(desk);
  await people.deny(desk, newWallet().address, 'add');
  const client = await databaseOf(dashboard);
  for (const change of [
    `update dashboard.compliance_history set reason = 'nicer'`,
    `update dashboard.compliance_history set reason = null where deed = 'deny'`,
    'delete from dashboard.compliance_history',
    'truncate dashboard.compliance_history',
    `insert into dashboard.compliance_history select * from dashboard.compliance_history`,
    `merge into dashboard.compliance_history h using (select 1) one on true when matched then delete`,
  ]) {
    await expect(client.query(change)).rejects.toThrow(/append-only|cannot insert a non-DEFAULT/);
  }
});

test('whoever decides at the same time, a withdrawal wins and the history tells one order [dashboard.kyc.withdraw] [dashboard.compliance.history]', async () => {
  const desk = await dashboard.newAccount(wallets[0]);
  const end = dashboard.clock.now.getTime() + 365 * day;
  for (let round = 0; round < 5; round++) {
    const person = await people.approved(desk);
    // Near its end, so that a renewal waits.
    const client = await databaseOf(dashboard);
    await client.query(
      `update dashboard.kyc_submission set approved_at = approved_at - interval '350 days' where account_id = $1`,
      [person.account.id],
    );
    await people.handIn(person);
    const [{ id }] = await people.reviewsOf(desk, person);
    expect(end).toBeGreaterThan(dashboard.clock.now.getTime());
    const [approval, withdrawal] = await Promise.all([
      people.decide(desk, id, 'approve'),
      people.withdraw(desk, person),
    ]);
    expect(withdrawal.status).toBe(200);
    expect(await people.check(person)).toBe('rejected');
    const told = (await people.history(desk, { walletAddress: person.address })).map(
      ({ deed }: { deed: string }) => deed,
    );
    expect(told).toEqual(
      approval.status === 200 ? ['withdraw', 'approve', 'approve'] : ['withdraw', 'approve'],
    );
  }
});
