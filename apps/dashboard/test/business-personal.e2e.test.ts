import { afterAll, beforeAll, expect, test } from 'vitest';
import { everythingKept, foundIn } from '../../../packages/service/test/everything-kept.ts';
import { type Businesses, dayMs, notAllowed, openBusinesses, repeated } from './businesses.ts';
import { complianceOf, type Person } from './compliance-people.ts';
import { openDashboard, openDashboardForTest } from './dashboard.ts';
import { payeesOf } from './payees.ts';
import { erase, exportOf, urlOf, word } from './personal-data.ts';

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

test('files are sealed, five of a submission that waits, and who reads one is on record [dashboard.business.files]', async () => {
  const person = await dashboard.newAccount();
  expect(await business.addFile(person)).toMatchObject({ status: 404 });
  const legalName = `Larkfield ${word()}`;
  const id = await business.waiting(person, { legalName });
  expect(await business.addFile(person, { mediaType: 'application/pdf' })).toMatchObject({ status: 400 });
  const content = Buffer.from(`secret ${word()}`);
  const name = `entry-${word()}.txt`;
  const added = await business.addFile(person, { name, content: content.toString('base64') });
  expect(added.data.business.files).toMatchObject([
    { name: expect.stringMatching(/^entry-.*\.txt$/), size: content.length },
  ]);
  for (let n = 1; n < 5; n += 1) expect(await business.addFile(person)).toMatchObject({ status: 200 });
  expect(await business.addFile(person)).toMatchObject(repeated);
  expect(
    foundIn(await everythingKept(urlOf(dashboard)), [
      name,
      content.toString(),
      content.toString('base64'),
      legalName,
    ]),
  ).toEqual([]);
  const [file] = added.data.business.files;
  const read = (by: Person, of = id) =>
    dashboard.request('GET', `/api/business/submissions/${of}/files/${file.id}`, { token: by.token });
  expect((await read(operator)).data.content).toBe(content.toString('base64'));
  expect(await read(person)).toMatchObject(notAllowed);
  const other = await business.waiting(await dashboard.newAccount());
  expect(await read(operator, other)).toMatchObject({ status: 404 });
  expect((await complianceOf(dashboard).history(operator, {}))[0]).toMatchObject({
    deed: 'read-business-file',
    by: operator.address,
    detail: { submission: id, file: file.id },
  });
});

test('an erasure takes the names and reasons of a record that never counted out of the history [dashboard.business.personal]', async () => {
  const four = await business.fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const [never, counted] = [await four.newAccount(), await four.newAccount()];
  const deeds = async (person: Person) => {
    const { id } = (await business.submit(person, {}, four)).data.business;
    const body = { decision: 'admit', validUntil: business.validUntil(), reason: 'Ada said so' };
    await business.decide(one, id, body, four);
    return (await business.own(person, four)).payeeId as string;
  };
  const [first, second] = [await deeds(never), await deeds(counted)];
  await desk.agree(other, second, 1);
  for (const person of [never, counted]) await erase(four, person);
  const of = (payeeId: string) => complianceOf(four).history(one, { payeeId });
  const withdrawn = {
    deed: 'withdraw-payee',
    by: never.address,
    effective: true,
    detail: { askedBy: 'person' },
  };
  expect(await of(first)).toMatchObject([
    withdrawn,
    { deed: 'admit-payee', reason: null, detail: { version: 1 } },
  ]);
  expect(JSON.stringify(await of(first))).not.toMatch(/Larkfield|larkfield|Ada/);
  expect((await desk.get(one, first)).data.payee).toMatchObject({
    state: 'withdrawn',
    legalName: '',
    domain: '',
    links: [],
    registryNumbers: [],
    addresses: [{ address: never.address }],
    submission: { walletAddress: never.address },
  });
  // What allowed payments stays.
  expect(await of(second)).toMatchObject([
    { deed: 'withdraw-payee' },
    { deed: 'admit-payee', detail: { legalName: 'Larkfield Ltd' } },
    { deed: 'admit-payee', reason: 'Ada said so' },
  ]);
});

test('an erasure takes what was handed in and ends the record; an export has all of it [dashboard.business.personal]', async () => {
  const person = await dashboard.newAccount();
  const [name, number, letter] = [`Ada ${word()} Shop`, `HRB ${word()}`, `ask ${word()}`];
  const id = await business.waiting(person, { legalName: name, registryNumbers: [number] });
  await business.addFile(person, { content: Buffer.from(letter).toString('base64') });
  const whole = await exportOf(dashboard, person.token);
  expect(whole.data.businesses.records).toMatchObject([
    { id, state: 'waiting', facts: { legalName: name, registryNumbers: [number] } },
  ]);
  expect(whole.data.businessFiles.records).toMatchObject([
    { submissionId: id, name: 'register.txt', content: Buffer.from(letter).toString('base64') },
  ]);
  await business.admit(operator, id);
  expect(await payees.check(payer, person.address)).toBe('approved');
  expect(await erase(dashboard, person)).toMatchObject({ status: 200, data: { erased: { businesses: 1 } } });
  expect(await payees.check(payer, person.address)).toBe('pending');
  const again = await dashboard.newAccount(person.wallet);
  expect(await business.own(again)).toMatchObject({
    id,
    state: 'admitted',
    facts: null,
    files: [],
    recordState: 'withdrawn',
  });
  expect((await exportOf(dashboard, again.token)).data.businessFiles.records).toEqual([]);
  // One that waits ends.
  const other = await dashboard.newAccount();
  const late = await business.waiting(other);
  await erase(dashboard, other);
  expect(await business.admit(operator, late)).toMatchObject(repeated);
});

test('without a key nothing is handed in, and under another key nothing is decided [dashboard.business.files]', async () => {
  const keyless = await openDashboardForTest(
    { operators, evidenceKey: { kind: 'none' } },
    { fetchPublic: domains.fetchPublic },
  );
  const person = await keyless.newAccount();
  expect(await business.submit(person, {}, keyless)).toMatchObject({
    status: 404,
    msg: expect.stringContaining('EVIDENCE_KEY'),
  });
  const id = await business.waiting(await dashboard.newAccount());
  const other = await openDashboardForTest(
    {
      operators,
      storage: dashboard.config.storage,
      evidenceKey: { kind: 'given', key: Buffer.alloc(32, 9) },
    },
    { fetchPublic: domains.fetchPublic, now: () => dashboard.clock.now },
  );
  const desk = await other.newAccount(wallets[0]);
  expect(
    await business.decide(desk, id, { decision: 'admit', validUntil: business.validUntil() }, other),
  ).toMatchObject({
    status: 404,
  });
});

test('what was rejected is deleted after KYC_RETENTION_DAYS, and what counts is not [dashboard.business.personal]', async () => {
  const aged = await openDashboardForTest({ operators }, { fetchPublic: domains.fetchPublic });
  const desk = await aged.newAccount(wallets[0]);
  const [one, other] = [await aged.newAccount(), await aged.newAccount()];
  const rejected = (await business.submit(one, {}, aged)).data.business.id;
  await business.decide(desk, rejected, { decision: 'reject', reason: 'no' }, aged);
  await business.decide(
    desk,
    (await business.submit(other, {}, aged)).data.business.id,
    { decision: 'admit', validUntil: business.validUntil() },
    aged,
  );
  aged.clock.advance(90 * dayMs - 1);
  const sweep = async () => {
    const { storage } = aged.config;
    const next = await openDashboard(
      { storage },
      { fetchPublic: domains.fetchPublic, now: () => aged.clock.now },
    );
    await next.stop();
  };
  const names = async () => {
    const people = [await aged.newAccount(one.wallet), await aged.newAccount(other.wallet)];
    return Promise.all(people.map(async (each) => (await business.own(each, aged)).facts?.legalName ?? null));
  };
  await sweep();
  expect(await names()).toEqual(['Larkfield Ltd', 'Larkfield Ltd']);
  aged.clock.advance(1);
  await sweep();
  expect(await names()).toEqual([null, 'Larkfield Ltd']);
});
