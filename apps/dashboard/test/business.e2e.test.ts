import { createLogger } from '@countersign/service/logger';
import { createPool, inTransaction } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseOldBusinesses } from '../src/business/erase.ts';
import { type Businesses, dayMs, notAllowed, openBusinesses, repeated } from './businesses.ts';
import { complianceOf, type Person } from './compliance-people.ts';
import { newWallet, openDashboardForTest } from './dashboard.ts';
import { fileOf, proofBy } from './payee-domains.ts';
import { payeesOf } from './payees.ts';
import { exportOf, urlOf } from './personal-data.ts';

let business: Businesses;
let wallets: Businesses['wallets'];
let operators: Businesses['operators'];
let domains: Businesses['domains'];
let dashboard: Businesses['dashboard'];
let payees: Businesses['payees'];
let operator: Businesses['operator'];
let payer: Businesses['payer'];
beforeAll(async () => {
  business = await openBusinesses();
  ({ wallets, operators, domains, dashboard, payees, operator, payer } = business);
});
afterAll(() => dashboard.stop());

test('a business submits itself, reads what its domain says and what was decided, and is paid once it is admitted [dashboard.business.submit] [dashboard.business.decide]', async () => {
  const person = await dashboard.newAccount();
  const till = newWallet();
  expect(await business.own(person)).toBeNull();
  domains.serve('larkfield.example', fileOf(proofBy(person.wallet, { domain: 'larkfield.example' })));
  const addresses = [{ address: person.address, networks: null }, business.claimed(till, person.address)];
  const submitted = await business.submit(person, { addresses });
  const { id } = submitted.data.business;
  const plain = addresses.map(({ address }) => ({ address, networks: null }));
  const shown = {
    id,
    state: 'waiting',
    walletAddress: person.address,
    facts: business.factsOf(person, { addresses: plain }),
    domainSaid: [
      { address: person.address, verdict: 'PROVED', until: '2027-06-01T00:00:00Z' },
      { address: till.address, verdict: 'NOT_NAMED', until: null },
    ],
    domainCheckedAt: dashboard.clock.now.toISOString(),
    checks: [],
    files: [],
    createdAt: dashboard.clock.now.toISOString(),
    decidedAt: null,
    reason: null,
    payeeId: null,
    recordState: null,
    recordReason: null,
    renews: null,
  };
  expect(submitted.data.business).toEqual(shown);
  expect(await business.own(person)).toEqual(shown);
  const listed = await dashboard.post('/api/business/submissions/list', { state: 'waiting' }, operator.token);
  expect(listed.data.data.at(-1)).toEqual(shown);
  // A proof alone admits nobody.
  for (const { address } of addresses) expect(await payees.check(payer, address)).toBe('pending');
  const admitted = await business.admit(operator, id);
  expect(admitted).toMatchObject({
    status: 200,
    data: { business: { state: 'admitted', recordState: 'admitted' } },
  });
  for (const { address } of addresses) expect(await payees.check(payer, address)).toBe('approved');
  const { payeeId } = await business.own(person);
  expect((await payees.get(operator, payeeId)).data.payee).toMatchObject({
    legalName: 'Larkfield Ltd',
    checkedBy: operator.address,
    domainProofs: expect.arrayContaining([
      expect.objectContaining({ address: person.address, verdict: 'PROVED' }),
    ]),
  });
  expect(await business.admit(operator, id)).toMatchObject(repeated);
  await payees.withdraw(operator, payeeId, 'Its register entry ended');
  expect(await business.own(person)).toMatchObject({
    recordState: 'withdrawn',
    recordReason: 'Its register entry ended',
  });
  expect(await payees.check(payer, till.address)).toBe('pending');
});

test('a rejection tells its reason, and pays nobody [dashboard.business.decide]', async () => {
  const person = await dashboard.newAccount();
  const id = await business.waiting(person);
  expect(await business.decide(operator, id, { decision: 'reject' })).toMatchObject({ status: 400 });
  expect(await business.decide(operator, id, { decision: 'admit' })).toMatchObject({ status: 400 });
  expect(
    await business.decide(operator, id, { decision: 'admit', validUntil: '2026-01-01T00:00:00Z' }),
  ).toMatchObject({ status: 400 });
  expect(
    await business.decide(operator, id, { decision: 'reject', reason: 'No such register entry' }),
  ).toMatchObject({
    status: 200,
  });
  expect(await business.own(person)).toMatchObject({ state: 'rejected', reason: 'No such register entry' });
  expect(await payees.check(payer, person.address)).toBe('pending');
  expect(await business.decide(operator, 'biz_unknown', { decision: 'reject', reason: 'x' })).toMatchObject({
    status: 404,
  });
});

const victim = newWallet();
test.each([
  ['not signed for', () => ({ address: victim.address, networks: null })],
  [
    'signed for by its thief',
    (me: Person) => ({ ...business.claimed(newWallet(), me.address), address: victim.address }),
  ],
  ['signed for another account', () => business.claimed(victim, newWallet().address)],
  [
    'signed for another domain',
    (me: Person) => business.claimed(victim, me.address, { domain: 'other.example' }),
  ],
  [
    'signed for two days ago',
    (me: Person) =>
      business.claimed(victim, me.address, {
        issuedAt: new Date(dashboard.clock.now.getTime() - 2 * dayMs).toISOString(),
      }),
  ],
  [
    'signed for tomorrow',
    (me: Person) =>
      business.claimed(victim, me.address, {
        issuedAt: new Date(dashboard.clock.now.getTime() + dayMs).toISOString(),
      }),
  ],
] as readonly (readonly [string, (me: Person) => object])[])(
  'an address that is %s is not submitted [dashboard.business.claim]',
  async (_, address) => {
    const person = await dashboard.newAccount();
    expect(
      await business.submit(person, {
        addresses: [{ address: person.address, networks: null }, address(person)],
      }),
    ).toMatchObject(notAllowed);
    expect(await business.own(person)).toBeNull();
    // The control: with its own claim it is.
    expect(
      await business.submit(person, { addresses: [business.claimed(victim, person.address)] }),
    ).toMatchObject({
      status: 200,
    });
  },
);

test('one submission of an account waits, and three are taken in a day, also at once [dashboard.business.flood]', async () => {
  const person = await dashboard.newAccount();
  const all = await Promise.all(Array.from({ length: 5 }, () => business.submit(person)));
  expect(all.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409', '409', '409', '409']);
  // Refused before any signature is judged.
  expect(
    await business.submit(person, { addresses: [{ address: victim.address, networks: null }] }),
  ).toMatchObject(repeated);
  const reject = async () =>
    business.decide(operator, (await business.own(person)).id, { decision: 'reject', reason: 'no' });
  for (let n = 0; n < 2; n += 1) {
    await reject();
    expect(await business.submit(person)).toMatchObject({ status: 200 });
  }
  await reject();
  expect(await business.submit(person)).toMatchObject({
    ...repeated,
    msg: expect.stringContaining('too many'),
  });
  const pages = await dashboard.post(
    '/api/business/submissions/list',
    { state: 'waiting', limit: 100 },
    operator.token,
  );
  expect(
    pages.data.data.filter(
      ({ walletAddress }: { walletAddress: string }) => walletAddress === person.address,
    ),
  ).toEqual([]);
});

test('a later submission changes the record of the earlier one, and no other account’s [dashboard.business.renew]', async () => {
  const person = await dashboard.newAccount();
  await business.admit(operator, await business.waiting(person));
  const first = await business.own(person);
  const till = newWallet();
  const again = await business.waiting(person, {
    legalName: 'Larkfield plc',
    addresses: [business.claimed(till, person.address)],
  });
  expect((await business.own(person)).state).toBe('waiting');
  expect(await payees.check(payer, person.address)).toBe('approved');
  // Whoever has not read the record as it is now does not change it.
  expect((await business.own(person)).renews).toBe(first.payeeId);
  for (const version of [undefined, 2])
    expect(await business.admit(operator, again, dashboard, version)).toMatchObject(repeated);
  const stranger = await dashboard.newAccount();
  expect(await business.admit(operator, await business.waiting(stranger), dashboard, 1)).toMatchObject(
    repeated,
  );
  await business.admit(operator, again, dashboard, 1);
  expect(await business.own(person)).toMatchObject({
    payeeId: first.payeeId,
    renews: null,
    facts: { legalName: 'Larkfield plc' },
  });
  expect(await payees.of(operator, person.address)).toMatchObject({ vouching: 'ADDRESS_CHANGED' });
  expect(await payees.check(payer, till.address)).toBe('approved');
  // What was handed in before is gone; that it was decided stays.
  const all = (await exportOf(dashboard, person.token)).data.businesses.records;
  expect(all).toMatchObject([
    { id: first.id, facts: null },
    { id: again, facts: { legalName: 'Larkfield plc' } },
  ]);
  // Another account cannot take the address over, though its wallet signs for both.
  await business.decide(operator, (await business.own(stranger)).id, { decision: 'reject', reason: 'no' });
  const taken = await business.waiting(stranger, { addresses: [business.claimed(till, stranger.address)] });
  expect(await business.admit(operator, taken)).toMatchObject({
    ...repeated,
    data: { reason: 'ADDRESS_CLAIMED', payeeId: first.payeeId },
  });
  expect((await business.own(stranger)).state).toBe('waiting');
});

test('an operator decides about no submission of their own, and nobody else about any [dashboard.business.operators-only]', async () => {
  const id = await business.waiting(operator, {
    addresses: [business.claimed(newWallet(), operator.address)],
  });
  expect(await business.admit(operator, id)).toMatchObject(notAllowed);
  expect(await business.decide(operator, id, { decision: 'reject', reason: 'mine' })).toMatchObject(
    notAllowed,
  );
  expect(await business.admit(payer, id)).toMatchObject(notAllowed);
  for (const path of ['list', `${id}/check-domain`])
    expect(await dashboard.post(`/api/business/submissions/${path}`, {}, payer.token)).toMatchObject(
      notAllowed,
    );
  const other = await dashboard.newAccount(wallets[1]);
  expect(await business.admit(other, id)).toMatchObject({ status: 200 });
});

test('what comes after a submission or a decision is kept does not decide the answer [dashboard.business.decide]', async () => {
  const broken = await openDashboardForTest(
    { operators },
    {
      fetchPublic: () => {
        throw new Error('what nobody thought of');
      },
    },
  );
  const [desk, person] = [await broken.newAccount(wallets[0]), await broken.newAccount()];
  const submitted = await business.submit(person, {}, broken);
  expect(submitted).toMatchObject({ status: 200, data: { business: { state: 'waiting', domainSaid: [] } } });
  const admitted = await business.admit(desk, submitted.data.business.id, broken);
  expect(admitted).toMatchObject({ status: 200, data: { business: { state: 'admitted' } } });
});

test('an operator is no pair of eyes for the record of their own business [dashboard.business.operators-only]', async () => {
  const four = await business.fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const third = await four.newAccount(wallets[2]);
  // No wallet that they ever logged in with.
  const till = business.claimed(newWallet(), one.address, { issuedAt: four.clock.now.toISOString() });
  const submitted = await business.submit(one, { addresses: [till] }, four);
  await business.admit(other, submitted.data.business.id, four);
  const { payeeId } = await business.own(one, four);
  expect(await desk.agree(one, payeeId, 1)).toMatchObject(notAllowed);
  const facts = desk.facts([till.address]);
  expect(await desk.change(one, payeeId, 1, facts)).toMatchObject(notAllowed);
  expect(await desk.check(one, till.address)).toBe('pending');
  expect(await desk.agree(third, payeeId, 1)).toMatchObject({ status: 200 });
  expect(await desk.check(one, till.address)).toBe('approved');
});

test('what was handed in for the version that counts stays until a later one counts [dashboard.business.renew]', async () => {
  const four = await business.fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const person = await four.newAccount();
  await business.admit(one, (await business.submit(person, {}, four)).data.business.id, four);
  const { payeeId } = await business.own(person, four);
  await desk.agree(other, payeeId, 1);
  const again = (await business.submit(person, { legalName: 'Larkfield plc' }, four)).data.business.id;
  await business.admit(one, again, four, 1);
  const names = async () => {
    const pool = createPool(urlOf(four), createLogger('dashboard', 'silent'));
    await inTransaction(pool, (db) => eraseOldBusinesses(db, 90, four.clock.now));
    await pool.end();
    const all = (await exportOf(four, person.token)).data.businesses.records;
    return all.map(({ facts }: { facts: { legalName: string } | null }) => facts?.legalName ?? null);
  };
  expect(await names()).toEqual(['Larkfield Ltd', 'Larkfield plc']);
  await desk.agree(other, payeeId, 2);
  expect(await names()).toEqual([null, 'Larkfield plc']);
});

test('however many submit at once, eight domains are asked at a time, and each submission is kept [dashboard.business.fetches]', async () => {
  const open: (() => void)[] = [];
  const fetchPublic = () =>
    new Promise<never>((_, reject) => open.push(() => reject(new Error('nobody there'))));
  const slow = await openDashboardForTest({ operators }, { fetchPublic });
  const people = await Promise.all(Array.from({ length: 12 }, () => slow.newAccount()));
  const answers = people.map((person) => business.submit(person, {}, slow));
  // Those for whom there is no room have their answer while the others wait for the domain.
  const early = await Promise.all(Array.from({ length: 4 }, () => Promise.race(answers)));
  expect(early.every(({ status }) => status === 200)).toBe(true);
  await expect.poll(() => open.length).toBe(8);
  const asked = async () =>
    (await Promise.all(people.map((person) => business.own(person, slow)))).filter(
      (each) => each?.domainCheckedAt,
    );
  expect(await asked()).toHaveLength(0);
  for (const end of open) end();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  expect(await asked()).toHaveLength(8);
  expect(open).toHaveLength(8);
});

test('those that wait are listed oldest first [dashboard.business.flood]', async () => {
  const ids = [
    await business.waiting(await dashboard.newAccount()),
    await business.waiting(await dashboard.newAccount()),
  ];
  const body = { state: 'waiting', limit: 100 };
  const { data } = await dashboard.post('/api/business/submissions/list', body, operator.token);
  const listed = data.data.map(({ id }: { id: string }) => id).filter((id: string) => ids.includes(id));
  expect(listed).toEqual(ids);
});

test('a record of a business lifts nothing that was decided about the person [dashboard.business.decide]', async () => {
  const people = complianceOf(dashboard);
  const { person, id } = await people.waiting(operator);
  await people.decide(operator, id, 'reject', 'forged');
  await business.admit(operator, await business.waiting(person));
  expect(await payees.check(payer, person.address)).toBe('rejected');
});

test('with four eyes the second operator agrees before anybody is paid [dashboard.business.decide]', async () => {
  const four = await business.fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const person = await four.newAccount();
  const { id } = (await business.submit(person, {}, four)).data.business;
  expect((await business.admit(one, id, four)).data.business).toMatchObject({
    state: 'admitted',
    recordState: 'waiting',
  });
  expect(await desk.check(person, person.address)).toBe('pending');
  const { payeeId } = await business.own(person, four);
  expect(await desk.agree(one, payeeId, 1)).toMatchObject(repeated);
  expect(await desk.agree(other, payeeId, 1)).toMatchObject({ status: 200 });
  expect(await desk.check(person, person.address)).toBe('approved');
});
