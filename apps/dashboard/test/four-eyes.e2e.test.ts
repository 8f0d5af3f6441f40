import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { complianceOf, databaseOf, type Person, threeOperators } from './compliance-people.ts';
import { newWallet, openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));
const settings = { operators, review: { validDays: 365, fourEyes: true } };

let dashboard: TestDashboard;
let people: ReturnType<typeof complianceOf>;
let first: Person;
let second: Person;
let third: Person;
beforeAll(async () => {
  dashboard = await openDashboard(settings);
  people = complianceOf(dashboard);
  first = await dashboard.newAccount(wallets[0]);
  second = await dashboard.newAccount(wallets[1]);
  third = await dashboard.newAccount(wallets[2]);
});
afterAll(() => dashboard.stop());

const repeated = { status: 409, code: 80000003 };
const deedsAbout = async (walletAddress: string) =>
  (await people.history(first, { walletAddress })).map(
    ({ deed, by, effective }: { deed: string; by: string; effective: boolean }) => [deed, by, effective],
  );
/** Somebody whom both have approved. */
async function approvedByBoth() {
  const { person, id } = await people.waiting(first);
  await people.decide(first, id, 'approve');
  await people.decide(second, id, 'approve');
  expect(await people.check(person)).toBe('approved');
  return person;
}

test('an approval takes two operators: the first one’s word is shown, and twice the same is one [dashboard.compliance.four-eyes]', async () => {
  const { person, id } = await people.waiting(first);
  const said = { by: first.address, reason: 'looks fine', at: dashboard.clock.now.toISOString() };
  expect(await people.decide(first, id, 'approve', 'looks fine')).toMatchObject({
    status: 200,
    data: { review: { kycStatus: 'pending', decidedAt: null, validUntil: null, firstWord: said } },
  });
  expect(await people.check(person)).toBe('pending');
  expect((await people.own(person)).review).not.toHaveProperty('firstWord');
  expect(await people.decide(first, id, 'approve')).toMatchObject(repeated);
  // Another session of the same wallet is the same operator.
  expect(await people.decide(await dashboard.newAccount(wallets[0]), id, 'approve')).toMatchObject(repeated);
  expect(await people.reviewsOf(second, person)).toMatchObject([{ firstWord: said }]);

  expect(await people.decide(second, id, 'approve')).toMatchObject({
    status: 200,
    data: { review: { kycStatus: 'approved', firstWord: null } },
  });
  expect(await people.check(person)).toBe('approved');
  expect(await people.decide(third, id, 'approve')).toMatchObject(repeated);
  expect(await deedsAbout(person.address)).toEqual([
    ['approve', second.address, true],
    ['approve', first.address, false],
  ]);
});

test('one operator rejects, withdraws and denies at once [dashboard.compliance.four-eyes]', async () => {
  const rejected = await people.waiting(first);
  await people.decide(first, rejected.id, 'reject', 'blurred');
  expect(await people.check(rejected.person)).toBe('rejected');
  const person = await approvedByBoth();
  expect(await people.withdraw(first, person)).toMatchObject({ status: 200 });
  expect(await people.check(person)).toBe('rejected');
  const { address } = newWallet();
  expect(await people.deny(first, address, 'add')).toMatchObject({ status: 200 });
});

test('taking a withdrawal back, and an address off the deny list, takes two [dashboard.compliance.four-eyes]', async () => {
  const person = await approvedByBoth();
  await people.withdraw(first, person);
  expect(await people.restore(first, person)).toMatchObject({
    status: 200,
    data: { firstWord: { by: first.address } },
  });
  expect(await people.restore(first, person)).toMatchObject(repeated);
  expect(await people.check(person)).toBe('rejected');
  expect(await people.restore(second, person)).toMatchObject({ status: 200, data: { firstWord: null } });
  expect(await people.check(person)).toBe('approved');

  const { address } = newWallet();
  await people.deny(first, address, 'add');
  const listed = async () =>
    (await dashboard.post('/api/compliance/deny-list/list', { limit: 100 }, second.token)).data.data.find(
      (entry: { address: string }) => entry.address === address,
    );
  expect((await people.deny(second, address, 'remove')).data.firstWord).toMatchObject({ by: second.address });
  expect(await people.deny(second, address, 'remove')).toMatchObject(repeated);
  expect((await listed()).firstWord).toMatchObject({ by: second.address, reason: 'remove it' });
  expect((await people.deny(first, address, 'remove')).data.firstWord).toBeNull();
  expect(await listed()).toBeUndefined();
});

test('a mind may change in between: the word is taken back, or whoever says no ends it [dashboard.compliance.four-eyes.changed-mind]', async () => {
  const { person, id } = await people.waiting(first);
  await people.decide(first, id, 'approve');
  expect(await people.retract(person, 'approve', id)).toMatchObject({ status: 403 });
  expect(await people.retract(first, 'approve', id)).toMatchObject({ status: 200 });
  expect(await people.retract(first, 'approve', id)).toMatchObject({ status: 404, code: 80000011 });
  // So the next word is the first again, whoever says it.
  await people.decide(second, id, 'approve');
  expect(await people.check(person)).toBe('pending');
  // The same who said yes says no.
  expect(await people.decide(second, id, 'reject', 'on second thoughts')).toMatchObject({ status: 200 });
  expect(await people.check(person)).toBe('rejected');
  expect(await people.decide(first, id, 'approve')).toMatchObject(repeated);
  expect(await deedsAbout(person.address)).toEqual([
    ['reject', second.address, true],
    ['approve', second.address, false],
    ['retract', first.address, true],
    ['approve', first.address, false],
  ]);

  // Denied once more meanwhile: who wanted it off has to say so again.
  const { address } = newWallet();
  await people.deny(first, address, 'add');
  await people.deny(first, address, 'remove');
  await people.deny(second, address, 'add');
  expect((await people.deny(second, address, 'remove')).data.firstWord).toMatchObject({ by: second.address });
});

test('a withdrawal ends the renewal that one of two has approved [dashboard.compliance.four-eyes.changed-mind]', async () => {
  const brief = await openDashboardForTest({ operators, review: { validDays: 1, fourEyes: true } });
  const those = complianceOf(brief);
  const [one, two] = [await brief.newAccount(wallets[0]), await brief.newAccount(wallets[1])];
  const { person, id } = await those.waiting(one);
  await those.decide(one, id, 'approve');
  await those.decide(two, id, 'approve');
  brief.clock.advance(13 * 60 * 60_000);
  for (const each of [one, two, person]) Object.assign(each, await brief.newAccount(each.wallet));
  await those.handIn(person);
  const [renewal] = await those.reviewsOf(one, person);
  await those.decide(one, renewal.id, 'approve');
  await those.withdraw(two, person);
  expect(await those.decide(two, renewal.id, 'approve')).toMatchObject(repeated);
  expect(await those.check(person)).toBe('rejected');
});

test('the word of somebody who is no longer an operator does not count [dashboard.compliance.four-eyes.changed-mind]', async () => {
  const { person, id } = await people.waiting(first);
  await people.decide(third, id, 'approve');
  const remaining = new Set([wallets[0].address, wallets[1].address]);
  const later = await openDashboardForTest({ ...dashboard.config, operators: remaining });
  later.clock.now = dashboard.clock.now;
  const those = complianceOf(later);
  expect(await those.reviewsOf(first, person)).toMatchObject([{ firstWord: null }]);
  expect((await those.decide(first, id, 'approve')).data.review).toMatchObject({
    kycStatus: 'pending',
    firstWord: { by: first.address },
  });
  await those.decide(second, id, 'approve');
  expect(await those.check(person)).toBe('approved');
});

test('a word that is taken back while the second operator speaks does not count [dashboard.compliance.four-eyes.changed-mind]', async () => {
  const { person, id } = await people.waiting(first);
  await people.decide(first, id, 'approve');
  const [taking, watching] = [await databaseOf(dashboard), await databaseOf(dashboard)];
  await taking.query('begin');
  await taking.query('delete from dashboard.first_word where subject = $1', [id]);
  const decided = people.decide(second, id, 'approve');
  const waits =
    'select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())';
  await expect.poll(async () => (await watching.query(waits)).rowCount).toBe(1);
  await taking.query('commit');
  expect((await decided).data.review).toMatchObject({
    kycStatus: 'pending',
    firstWord: { by: second.address },
  });
  expect(await people.check(person)).toBe('pending');
});

test('a person exports what was decided, not the first of two words, nor who looked [dashboard.personal.export.decisions]', async () => {
  const { person, id } = await people.waiting(first);
  await people.decide(first, id, 'approve', 'a first thought');
  await people.retract(first, 'approve', id);
  await people.decide(second, id, 'approve', 'a second thought');
  await people.decide(first, id, 'approve', 'what counts');
  await dashboard.request('GET', `/api/transactions?scope=all&walletAddress=${person.address}`, {
    token: first.token,
  });
  const { data } = await dashboard.post('/api/personal-data/export', {}, person.token);
  expect(data.decisions.records).toMatchObject([
    { deed: 'approve', effective: true, reviewId: id, reason: 'what counts' },
  ]);
  expect(data.notIncluded.join()).toMatch(/first of two operators.*viewed your transactions/);
});

test('of many approvals at once by two operators one is the first and one the second [dashboard.compliance.four-eyes]', async () => {
  const { person, id } = await people.waiting(first);
  const replies = await Promise.all(
    [first, first, first, second].map((operator) => people.decide(operator, id, 'approve')),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(await people.check(person)).toBe('approved');
  const [last, before] = await deedsAbout(person.address);
  expect([last[2], before[2]]).toEqual([true, false]);
  expect(last[1]).not.toBe(before[1]);
});

test('both variables are checked at start [dashboard.compliance.four-eyes] [dashboard.kyc.expiry]', () => {
  const read = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'postgres://nowhere/none', ...env });
  const two = [...operators].slice(0, 2).join(',');
  const usual = read({});
  expect(usual.ok && usual.value.review).toEqual({ validDays: 365, fourEyes: false });
  const chosen = read({ KYC_VALID_DAYS: '3650', KYC_FOUR_EYES: '1', OPERATOR_ADDRESSES: two });
  expect(chosen.ok && chosen.value.review).toEqual({ validDays: 3650, fourEyes: true });
  for (const KYC_VALID_DAYS of ['0', '3651', '1.5', 'a year', '-1'])
    expect(read({ KYC_VALID_DAYS })).toMatchObject({ ok: false });
  expect(read({ KYC_FOUR_EYES: 'yes', OPERATOR_ADDRESSES: two })).toMatchObject({ ok: false });
  const alone = read({ KYC_FOUR_EYES: '1', OPERATOR_ADDRESSES: wallets[0].address });
  expect(alone).toMatchObject({ ok: false, error: [expect.stringContaining('two OPERATOR_ADDRESSES')] });
});
