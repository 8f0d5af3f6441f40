import { afterAll, beforeAll, expect, test } from 'vitest';
import { complianceOf, type Person, threeOperators } from './compliance-people.ts';
import { openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';
import { payeesOf } from './payees.ts';

const wallets = threeOperators();
const operators = new Set([wallets[0].address]);

let dashboard: TestDashboard;
let payees: ReturnType<typeof payeesOf>;
let people: ReturnType<typeof complianceOf>;
let operator: Person;
let owner: Person;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
  payees = payeesOf(dashboard);
  people = complianceOf(dashboard);
  operator = await dashboard.newAccount(wallets[0]);
  owner = await people.approved(operator);
});
afterAll(() => dashboard.stop());

const reviewOf = async (payee: string) =>
  (await payees.reviews(operator, { limit: 100 })).data.find(
    (each: { payee: string }) => each.payee === payee,
  );

test('a payment refused for an unknown payee opens one review, with what is known [dashboard.payees.review]', async () => {
  const payee = payees.address();
  expect(await payees.refused(owner, payee)).toMatchObject({ status: 201 });
  const openedAt = dashboard.clock.now.toISOString();
  const review = {
    payee,
    state: 'pending',
    serviceName: 'quotes',
    toolName: 'get_quote',
    host: 'quotes.example',
    openedBy: owner.address,
    reporters: 1,
    chain: 'base',
    amount: '0.01',
    tokenSymbol: 'USDC',
    kytResult: 1,
    kytRiskLevel: 0,
    refusals: 1,
    openedAt,
    lastAt: openedAt,
    decidedAt: null,
    decidedBy: null,
    reason: null,
  };
  expect(await reviewOf(payee)).toEqual(review);
  dashboard.clock.advance(1000);
  // Others who want to pay it, and whatever they say of it, are counted; who may not pay anybody is not.
  await payees.refused(await people.approved(operator), payee, { serviceName: 'other', amount: '9' });
  await payees.refused(owner, payee);
  await payees.refused(await dashboard.newAccount(), payee, { serviceName: 'third' });
  expect(await reviewOf(payee)).toEqual({
    ...review,
    reporters: 2,
    refusals: 3,
    lastAt: dashboard.clock.now.toISOString(),
  });
});

test('many at once open one review of a payee [dashboard.payees.review]', async () => {
  const payee = payees.address();
  await Promise.all(Array.from({ length: 8 }, () => payees.refused(owner, payee)));
  const { data } = await payees.reviews(operator, { limit: 100 });
  expect(data.filter((each: { payee: string }) => each.payee === payee)).toHaveLength(1);
});

test('a record that names the payee admits it, and its end opens the review again [dashboard.payees.review.admitted]', async () => {
  const payee = payees.address();
  await payees.refused(owner, payee);
  const validUntil = new Date(dashboard.clock.now.getTime() + 60_000).toISOString();
  await payees.admitted(operator, [payee], { validUntil });
  expect(await payees.check(owner, payee)).toBe('approved');
  expect(await reviewOf(payee)).toMatchObject({ state: 'admitted', decidedBy: operator.address });
  dashboard.clock.advance(60_000);
  // What was told of it before may have been anybody's invention.
  const other = await people.approved(operator);
  const metadata = { code: 'PAYEE_KYC_NOT_APPROVED', serviceHost: 'other.example' };
  await payees.refused(other, payee, { serviceName: 'other', amount: '9', metadata });
  expect(await reviewOf(payee)).toMatchObject({
    state: 'pending',
    decidedBy: null,
    refusals: 2,
    openedBy: other.address,
    reporters: 2,
    serviceName: 'other',
    toolName: null,
    host: 'other.example',
    amount: '9',
  });
});

test('a payee that is turned away opens no other review, until a record admits it [dashboard.payees.review.turned-away]', async () => {
  const payee = payees.address();
  await payees.refused(owner, payee);
  expect(await payees.turnAway(operator, payee, null)).toMatchObject({ status: 400 });
  expect(await payees.turnAway(operator, payee)).toMatchObject({
    status: 200,
    data: { review: { state: 'turned-away', reason: 'Nobody knows them', decidedBy: operator.address } },
  });
  expect(await payees.turnAway(operator, payee)).toMatchObject({ status: 409 });
  expect(await payees.turnAway(operator, payees.address())).toMatchObject({ status: 404 });
  await payees.refused(owner, payee);
  expect(await reviewOf(payee)).toMatchObject({ state: 'turned-away', refusals: 2 });
  expect(await people.history(operator, { walletAddress: payee })).toMatchObject([
    { deed: 'turn-payee-away', reason: 'Nobody knows them' },
  ]);
  const id = await payees.admitted(operator, [payee]);
  expect(await reviewOf(payee)).toMatchObject({ state: 'admitted' });
  // A record that is withdrawn is an operator's no too.
  await payees.withdraw(operator, id, 'It was a fraud');
  await payees.refused(owner, payee);
  expect(await reviewOf(payee)).toMatchObject({ state: 'turned-away', reason: 'It was a fraud' });
});

test('no review opens for what is no refusal of an unknown payee [dashboard.payees.review.only-unknown]', async () => {
  const about = [
    { serviceResult: 'error' },
    { serviceResult: 'pass' },
    { metadata: { code: 'PAYEE_KYT_REJECTED' } },
    { metadata: undefined },
  ];
  const fresh = about.map(() => payees.address());
  for (const [n, more] of about.entries()) await payees.refused(owner, fresh[n] ?? '', more);
  // Of a person an operator decides in the queue of identities; whom a record names, or named, was decided about.
  const { person } = await people.waiting(operator);
  await people.decide(operator, (await people.reviewsOf(operator, person))[0].id, 'reject', 'forged');
  const withdrawn = payees.address();
  await payees.withdraw(operator, await payees.admitted(operator, [withdrawn]));
  const vouched = payees.address();
  await payees.admitted(operator, [vouched]);
  for (const payee of [person.address, withdrawn, vouched]) await payees.refused(owner, payee);
  // The payee's own word opens nothing.
  const merchant = await dashboard.newAccount();
  await payees.refused(merchant, merchant.address, { payer: payees.address() });
  for (const payee of [...fresh, person.address, withdrawn, vouched, merchant.address])
    expect(await reviewOf(payee)).toBeUndefined();
});

test('what a hostile service or gateway says is cut, and what cannot be seen is taken out [dashboard.payees.review.cleaned]', async () => {
  const payee = payees.address();
  await payees.refused(owner, payee, {
    serviceName: '\u202eyap\u0000 to'.replace('\u0000', '\u200b'),
    tokenSymbol: 'US\u200bDC',
    metadata: {
      code: 'PAYEE_KYC_NOT_APPROVED',
      toolName: `${'W'.repeat(300)}\n\u001b[31m`,
      serviceHost: 'paypal.com/login?<script>',
    },
  });
  expect(await reviewOf(payee)).toMatchObject({
    serviceName: 'yap to',
    tokenSymbol: 'US DC',
    toolName: 'W'.repeat(128),
    host: null,
  });
});

const atHost = (serviceHost: string) => ({
  metadata: { code: 'PAYEE_KYC_NOT_APPROVED', toolName: 'get_quote', serviceHost },
});

/** A dashboard of its own, with an operator and how many reviews wait there. */
async function emptyQueue(world: Parameters<typeof openDashboardForTest>[1] = {}) {
  const own = await openDashboardForTest({ operators }, world);
  const by = await own.newAccount(wallets[0]);
  const about = payeesOf(own);
  return {
    ...about,
    own,
    by,
    newPayer: () => complianceOf(own).approved(by),
    pending: async () => about.reviews(by, { state: 'pending', limit: 100 }),
  };
}

/** As many payees at as many services. */
const refuseMany = ({ refused, address }: ReturnType<typeof payeesOf>, by: Person, many: number) =>
  Promise.all(Array.from({ length: many }, (_, n) => refused(by, address(), atHost(`s${n % 7}.example`))));

test('a payer has twenty open reviews at most, also at once, and others still have theirs [dashboard.payees.review.flood]', async () => {
  const queue = await emptyQueue();
  const flood = await queue.newPayer();
  await refuseMany(queue, flood, 30);
  const { data } = await queue.pending();
  expect(data).toHaveLength(20);
  await queue.refused(await queue.newPayer(), queue.address());
  expect((await queue.pending()).total).toBe(21);
  // Deciding makes room.
  await queue.turnAway(queue.by, data.at(-1).payee);
  await queue.refused(flood, queue.address(), atHost('another.example'));
  expect((await queue.pending()).total).toBe(21);
});

test('accounts that nobody approved open no review, however many they are [dashboard.payees.review.flood]', async () => {
  const queue = await emptyQueue();
  for (let n = 0; n < 3; n++) {
    const free = await queue.own.newAccount();
    await queue.own.newMandate(free);
    expect(await queue.refused(free, queue.address())).toMatchObject({ status: 201 });
  }
  expect((await queue.pending()).total).toBe(0);
});

test('a payee that is admitted takes its payer’s room again before its review reopens [dashboard.payees.review.flood]', async () => {
  const queue = await emptyQueue();
  const payer = await queue.newPayer();
  const payee = queue.address();
  await queue.refused(payer, payee, atHost('first.example'));
  const validUntil = new Date(queue.own.clock.now.getTime() + 60_000).toISOString();
  await queue.admitted(queue.by, [payee], { validUntil });
  queue.own.clock.advance(60_000);
  await refuseMany(queue, payer, 30);
  await queue.refused(payer, payee, atHost('last.example'));
  expect((await queue.pending()).total).toBe(20);
  await queue.refused(await queue.newPayer(), payee);
  expect((await queue.pending()).total).toBe(21);
});

test('a service that names new payees fills five places of its payer, no other’s, at an operator’s gateway [dashboard.payees.review.flood]', async () => {
  const queue = await emptyQueue();
  const { apiKey } = await queue.own.newOperatorKey();
  const [one, other] = [await queue.newPayer(), await queue.newPayer()];
  const evil = atHost('evil.example');
  for (let n = 0; n < 8; n++) await queue.refused({ ...one, apiKey }, queue.address(), evil);
  expect((await queue.pending()).total).toBe(5);
  await queue.refused({ ...one, apiKey }, queue.address());
  await queue.refused({ ...other, apiKey }, queue.address(), evil);
  const { data } = await queue.pending();
  expect(data).toHaveLength(7);
  expect(data[0].openedBy).toBe(other.address);
  expect(data[1].openedBy).toBe(one.address);
  // Of a payer that nobody knows nothing opens.
  await queue.refused({ ...one, address: queue.address(), apiKey }, queue.address());
  expect((await queue.pending()).total).toBe(7);
});
