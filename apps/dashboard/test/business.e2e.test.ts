import { type PayeeClaim, payeeClaimTypedData } from '@countersign/protocol/dashboard/payee-claim';
import { addressText } from '@countersign/protocol/address';
import { createLogger } from '@countersign/service/logger';
import { createPool, inTransaction } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everythingKept, foundIn } from '../../../packages/service/test/everything-kept.ts';
import { eraseOldBusinesses } from '../src/business/erase.ts';
import { complianceOf, type Person, threeOperators } from './compliance-people.ts';
import {
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
  type Wallet,
} from './dashboard.ts';
import { fakeDomains, fileOf, proofBy } from './payee-domains.ts';
import { payeesOf } from './payees.ts';
import { erase, exportOf, urlOf, word } from './personal-data.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));
const domains = fakeDomains();
const dayMs = 86_400_000;

let dashboard: TestDashboard;
let payees: ReturnType<typeof payeesOf>;
let operator: Person;
let payer: Person;
beforeAll(async () => {
  dashboard = await openDashboard({ operators }, { fetchPublic: domains.fetchPublic });
  payees = payeesOf(dashboard);
  operator = await dashboard.newAccount(wallets[0]);
  payer = await dashboard.newAccount();
});
afterAll(() => dashboard.stop());

const repeated = { status: 409, code: 80000003 };
const notAllowed = { status: 403, code: 80000004 };
const validUntil = () => new Date(dashboard.clock.now.getTime() + 365 * dayMs).toISOString();

const factsOf = (person: Person, more: object = {}) => ({
  legalName: 'Larkfield Ltd',
  domain: 'larkfield.example',
  addresses: [{ address: person.address, networks: null }] as object[],
  links: ['https://register.example/1'],
  registryNumbers: ['HRB 7'],
  ...more,
});
const submit = (person: Person, more: object = {}, at = dashboard) =>
  at.post('/api/business/submit', factsOf(person, more), person.token);
const own = async (person: Person, at = dashboard) =>
  (await at.request('GET', '/api/business', { token: person.token })).data.business;
const decide = (by: Person, id: string, body: object, at = dashboard) =>
  at.post(`/api/business/submissions/${id}/decide`, body, by.token);
/** `version`: of the record that it changes, as the operator has read it. */
const admit = (by: Person, id: string, at = dashboard, version?: number) =>
  decide(
    by,
    id,
    { decision: 'admit', validUntil: validUntil(), ...(version !== undefined && { version }) },
    at,
  );
const fourEyes = async () =>
  openDashboardForTest(
    { operators, review: { validDays: 365, fourEyes: true } },
    { fetchPublic: domains.fetchPublic },
  );
const addFile = (person: Person, more: object = {}) =>
  dashboard.post(
    '/api/business/files',
    { name: 'register.txt', mediaType: 'text/plain', content: 'YQ==', ...more },
    person.token,
  );
const waiting = async (person: Person, more: object = {}) =>
  (await submit(person, more)).data.business.id as string;

/** A payout address of somebody, and what its wallet signs so that this account may submit it. */
function claimed(wallet: Wallet, account: string, more: Partial<PayeeClaim> = {}) {
  const issuedAt = dashboard.clock.now.toISOString();
  const address = addressText.parse(wallet.address);
  const message = {
    account: addressText.parse(account),
    address,
    domain: 'larkfield.example',
    issuedAt,
    ...more,
  };
  const signature = wallet.signTypedData(payeeClaimTypedData(message));
  return { address: wallet.address, networks: null, claim: { issuedAt: message.issuedAt, signature } };
}

test('a business submits itself, reads what its domain says and what was decided, and is paid once it is admitted [dashboard.business.submit] [dashboard.business.decide]', async () => {
  const person = await dashboard.newAccount();
  const till = newWallet();
  expect(await own(person)).toBeNull();
  domains.serve('larkfield.example', fileOf(proofBy(person.wallet, { domain: 'larkfield.example' })));
  const addresses = [{ address: person.address, networks: null }, claimed(till, person.address)];
  const submitted = await submit(person, { addresses });
  const { id } = submitted.data.business;
  const plain = addresses.map(({ address }) => ({ address, networks: null }));
  const shown = {
    id,
    state: 'waiting',
    walletAddress: person.address,
    facts: factsOf(person, { addresses: plain }),
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
  expect(await own(person)).toEqual(shown);
  const listed = await dashboard.post('/api/business/submissions/list', { state: 'waiting' }, operator.token);
  expect(listed.data.data.at(-1)).toEqual(shown);
  // A proof alone admits nobody.
  for (const { address } of addresses) expect(await payees.check(payer, address)).toBe('pending');
  const admitted = await admit(operator, id);
  expect(admitted).toMatchObject({
    status: 200,
    data: { business: { state: 'admitted', recordState: 'admitted' } },
  });
  for (const { address } of addresses) expect(await payees.check(payer, address)).toBe('approved');
  const { payeeId } = await own(person);
  expect((await payees.get(operator, payeeId)).data.payee).toMatchObject({
    legalName: 'Larkfield Ltd',
    checkedBy: operator.address,
    domainProofs: expect.arrayContaining([
      expect.objectContaining({ address: person.address, verdict: 'PROVED' }),
    ]),
  });
  expect(await admit(operator, id)).toMatchObject(repeated);
  await payees.withdraw(operator, payeeId, 'Its register entry ended');
  expect(await own(person)).toMatchObject({
    recordState: 'withdrawn',
    recordReason: 'Its register entry ended',
  });
  expect(await payees.check(payer, till.address)).toBe('pending');
});

test('a rejection tells its reason, and pays nobody [dashboard.business.decide]', async () => {
  const person = await dashboard.newAccount();
  const id = await waiting(person);
  expect(await decide(operator, id, { decision: 'reject' })).toMatchObject({ status: 400 });
  expect(await decide(operator, id, { decision: 'admit' })).toMatchObject({ status: 400 });
  expect(await decide(operator, id, { decision: 'admit', validUntil: '2026-01-01T00:00:00Z' })).toMatchObject(
    { status: 400 },
  );
  expect(await decide(operator, id, { decision: 'reject', reason: 'No such register entry' })).toMatchObject({
    status: 200,
  });
  expect(await own(person)).toMatchObject({ state: 'rejected', reason: 'No such register entry' });
  expect(await payees.check(payer, person.address)).toBe('pending');
  expect(await decide(operator, 'biz_unknown', { decision: 'reject', reason: 'x' })).toMatchObject({
    status: 404,
  });
});

const victim = newWallet();
test.each([
  ['not signed for', () => ({ address: victim.address, networks: null })],
  [
    'signed for by its thief',
    (me: Person) => ({ ...claimed(newWallet(), me.address), address: victim.address }),
  ],
  ['signed for another account', () => claimed(victim, newWallet().address)],
  ['signed for another domain', (me: Person) => claimed(victim, me.address, { domain: 'other.example' })],
  [
    'signed for two days ago',
    (me: Person) =>
      claimed(victim, me.address, {
        issuedAt: new Date(dashboard.clock.now.getTime() - 2 * dayMs).toISOString(),
      }),
  ],
  [
    'signed for tomorrow',
    (me: Person) =>
      claimed(victim, me.address, {
        issuedAt: new Date(dashboard.clock.now.getTime() + dayMs).toISOString(),
      }),
  ],
] as readonly (readonly [string, (me: Person) => object])[])(
  'an address that is %s is not submitted [dashboard.business.claim]',
  async (_, address) => {
    const person = await dashboard.newAccount();
    expect(
      await submit(person, { addresses: [{ address: person.address, networks: null }, address(person)] }),
    ).toMatchObject(notAllowed);
    expect(await own(person)).toBeNull();
    // The control: with its own claim it is.
    expect(await submit(person, { addresses: [claimed(victim, person.address)] })).toMatchObject({
      status: 200,
    });
  },
);

test('one submission of an account waits, and three are taken in a day, also at once [dashboard.business.flood]', async () => {
  const person = await dashboard.newAccount();
  const all = await Promise.all(Array.from({ length: 5 }, () => submit(person)));
  expect(all.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409', '409', '409', '409']);
  // Refused before any signature is judged.
  expect(await submit(person, { addresses: [{ address: victim.address, networks: null }] })).toMatchObject(
    repeated,
  );
  const reject = async () => decide(operator, (await own(person)).id, { decision: 'reject', reason: 'no' });
  for (let n = 0; n < 2; n += 1) {
    await reject();
    expect(await submit(person)).toMatchObject({ status: 200 });
  }
  await reject();
  expect(await submit(person)).toMatchObject({ ...repeated, msg: expect.stringContaining('too many') });
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

test('files are sealed, five of a submission that waits, and who reads one is on record [dashboard.business.files]', async () => {
  const person = await dashboard.newAccount();
  expect(await addFile(person)).toMatchObject({ status: 404 });
  const legalName = `Larkfield ${word()}`;
  const id = await waiting(person, { legalName });
  expect(await addFile(person, { mediaType: 'application/pdf' })).toMatchObject({ status: 400 });
  const content = Buffer.from(`secret ${word()}`);
  const name = `entry-${word()}.txt`;
  const added = await addFile(person, { name, content: content.toString('base64') });
  expect(added.data.business.files).toMatchObject([
    { name: expect.stringMatching(/^entry-.*\.txt$/), size: content.length },
  ]);
  for (let n = 1; n < 5; n += 1) expect(await addFile(person)).toMatchObject({ status: 200 });
  expect(await addFile(person)).toMatchObject(repeated);
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
  const other = await waiting(await dashboard.newAccount());
  expect(await read(operator, other)).toMatchObject({ status: 404 });
  expect((await complianceOf(dashboard).history(operator, {}))[0]).toMatchObject({
    deed: 'read-business-file',
    by: operator.address,
    detail: { submission: id, file: file.id },
  });
});

test('a later submission changes the record of the earlier one, and no other account’s [dashboard.business.renew]', async () => {
  const person = await dashboard.newAccount();
  await admit(operator, await waiting(person));
  const first = await own(person);
  const till = newWallet();
  const again = await waiting(person, {
    legalName: 'Larkfield plc',
    addresses: [claimed(till, person.address)],
  });
  expect((await own(person)).state).toBe('waiting');
  expect(await payees.check(payer, person.address)).toBe('approved');
  // Whoever has not read the record as it is now does not change it.
  expect((await own(person)).renews).toBe(first.payeeId);
  for (const version of [undefined, 2])
    expect(await admit(operator, again, dashboard, version)).toMatchObject(repeated);
  const stranger = await dashboard.newAccount();
  expect(await admit(operator, await waiting(stranger), dashboard, 1)).toMatchObject(repeated);
  await admit(operator, again, dashboard, 1);
  expect(await own(person)).toMatchObject({
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
  await decide(operator, (await own(stranger)).id, { decision: 'reject', reason: 'no' });
  const taken = await waiting(stranger, { addresses: [claimed(till, stranger.address)] });
  expect(await admit(operator, taken)).toMatchObject({
    ...repeated,
    data: { reason: 'ADDRESS_CLAIMED', payeeId: first.payeeId },
  });
  expect((await own(stranger)).state).toBe('waiting');
});

test('an operator decides about no submission of their own, and nobody else about any [dashboard.business.operators-only]', async () => {
  const id = await waiting(operator, { addresses: [claimed(newWallet(), operator.address)] });
  expect(await admit(operator, id)).toMatchObject(notAllowed);
  expect(await decide(operator, id, { decision: 'reject', reason: 'mine' })).toMatchObject(notAllowed);
  expect(await admit(payer, id)).toMatchObject(notAllowed);
  for (const path of ['list', `${id}/check-domain`])
    expect(await dashboard.post(`/api/business/submissions/${path}`, {}, payer.token)).toMatchObject(
      notAllowed,
    );
  const other = await dashboard.newAccount(wallets[1]);
  expect(await admit(other, id)).toMatchObject({ status: 200 });
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
  const submitted = await submit(person, {}, broken);
  expect(submitted).toMatchObject({ status: 200, data: { business: { state: 'waiting', domainSaid: [] } } });
  const admitted = await admit(desk, submitted.data.business.id, broken);
  expect(admitted).toMatchObject({ status: 200, data: { business: { state: 'admitted' } } });
});

test('an operator is no pair of eyes for the record of their own business [dashboard.business.operators-only]', async () => {
  const four = await fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const third = await four.newAccount(wallets[2]);
  // No wallet that they ever logged in with.
  const till = claimed(newWallet(), one.address, { issuedAt: four.clock.now.toISOString() });
  const submitted = await submit(one, { addresses: [till] }, four);
  await admit(other, submitted.data.business.id, four);
  const { payeeId } = await own(one, four);
  expect(await desk.agree(one, payeeId, 1)).toMatchObject(notAllowed);
  const facts = desk.facts([till.address]);
  expect(await desk.change(one, payeeId, 1, facts)).toMatchObject(notAllowed);
  expect(await desk.check(one, till.address)).toBe('pending');
  expect(await desk.agree(third, payeeId, 1)).toMatchObject({ status: 200 });
  expect(await desk.check(one, till.address)).toBe('approved');
});

test('what was handed in for the version that counts stays until a later one counts [dashboard.business.renew]', async () => {
  const four = await fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const person = await four.newAccount();
  await admit(one, (await submit(person, {}, four)).data.business.id, four);
  const { payeeId } = await own(person, four);
  await desk.agree(other, payeeId, 1);
  const again = (await submit(person, { legalName: 'Larkfield plc' }, four)).data.business.id;
  await admit(one, again, four, 1);
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

test('an erasure takes the names and reasons of a record that never counted out of the history [dashboard.business.personal]', async () => {
  const four = await fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const [never, counted] = [await four.newAccount(), await four.newAccount()];
  const deeds = async (person: Person) => {
    const { id } = (await submit(person, {}, four)).data.business;
    const body = { decision: 'admit', validUntil: validUntil(), reason: 'Ada said so' };
    await decide(one, id, body, four);
    return (await own(person, four)).payeeId as string;
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

test('however many submit at once, eight domains are asked at a time, and each submission is kept [dashboard.business.fetches]', async () => {
  const open: (() => void)[] = [];
  const fetchPublic = () =>
    new Promise<never>((_, reject) => open.push(() => reject(new Error('nobody there'))));
  const slow = await openDashboardForTest({ operators }, { fetchPublic });
  const people = await Promise.all(Array.from({ length: 12 }, () => slow.newAccount()));
  const answers = people.map((person) => submit(person, {}, slow));
  // Those for whom there is no room have their answer while the others wait for the domain.
  const early = await Promise.all(Array.from({ length: 4 }, () => Promise.race(answers)));
  expect(early.every(({ status }) => status === 200)).toBe(true);
  await expect.poll(() => open.length).toBe(8);
  const asked = async () =>
    (await Promise.all(people.map((person) => own(person, slow)))).filter((each) => each?.domainCheckedAt);
  expect(await asked()).toHaveLength(0);
  for (const end of open) end();
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  expect(await asked()).toHaveLength(8);
  expect(open).toHaveLength(8);
});

test('those that wait are listed oldest first [dashboard.business.flood]', async () => {
  const ids = [await waiting(await dashboard.newAccount()), await waiting(await dashboard.newAccount())];
  const body = { state: 'waiting', limit: 100 };
  const { data } = await dashboard.post('/api/business/submissions/list', body, operator.token);
  const listed = data.data.map(({ id }: { id: string }) => id).filter((id: string) => ids.includes(id));
  expect(listed).toEqual(ids);
});

test('a record of a business lifts nothing that was decided about the person [dashboard.business.decide]', async () => {
  const people = complianceOf(dashboard);
  const { person, id } = await people.waiting(operator);
  await people.decide(operator, id, 'reject', 'forged');
  await admit(operator, await waiting(person));
  expect(await payees.check(payer, person.address)).toBe('rejected');
});

test('with four eyes the second operator agrees before anybody is paid [dashboard.business.decide]', async () => {
  const four = await fourEyes();
  const desk = payeesOf(four);
  const [one, other] = [await four.newAccount(wallets[0]), await four.newAccount(wallets[1])];
  const person = await four.newAccount();
  const { id } = (await submit(person, {}, four)).data.business;
  expect((await admit(one, id, four)).data.business).toMatchObject({
    state: 'admitted',
    recordState: 'waiting',
  });
  expect(await desk.check(person, person.address)).toBe('pending');
  const { payeeId } = await own(person, four);
  expect(await desk.agree(one, payeeId, 1)).toMatchObject(repeated);
  expect(await desk.agree(other, payeeId, 1)).toMatchObject({ status: 200 });
  expect(await desk.check(person, person.address)).toBe('approved');
});

test('an erasure takes what was handed in and ends the record; an export has all of it [dashboard.business.personal]', async () => {
  const person = await dashboard.newAccount();
  const [name, number, letter] = [`Ada ${word()} Shop`, `HRB ${word()}`, `ask ${word()}`];
  const id = await waiting(person, { legalName: name, registryNumbers: [number] });
  await addFile(person, { content: Buffer.from(letter).toString('base64') });
  const whole = await exportOf(dashboard, person.token);
  expect(whole.data.businesses.records).toMatchObject([
    { id, state: 'waiting', facts: { legalName: name, registryNumbers: [number] } },
  ]);
  expect(whole.data.businessFiles.records).toMatchObject([
    { submissionId: id, name: 'register.txt', content: Buffer.from(letter).toString('base64') },
  ]);
  await admit(operator, id);
  expect(await payees.check(payer, person.address)).toBe('approved');
  expect(await erase(dashboard, person)).toMatchObject({ status: 200, data: { erased: { businesses: 1 } } });
  expect(await payees.check(payer, person.address)).toBe('pending');
  const again = await dashboard.newAccount(person.wallet);
  expect(await own(again)).toMatchObject({
    id,
    state: 'admitted',
    facts: null,
    files: [],
    recordState: 'withdrawn',
  });
  expect((await exportOf(dashboard, again.token)).data.businessFiles.records).toEqual([]);
  // One that waits ends.
  const other = await dashboard.newAccount();
  const late = await waiting(other);
  await erase(dashboard, other);
  expect(await admit(operator, late)).toMatchObject(repeated);
});

test('without a key nothing is handed in, and under another key nothing is decided [dashboard.business.files]', async () => {
  const keyless = await openDashboardForTest(
    { operators, evidenceKey: { kind: 'none' } },
    { fetchPublic: domains.fetchPublic },
  );
  const person = await keyless.newAccount();
  expect(await submit(person, {}, keyless)).toMatchObject({
    status: 404,
    msg: expect.stringContaining('EVIDENCE_KEY'),
  });
  const id = await waiting(await dashboard.newAccount());
  const other = await openDashboardForTest(
    {
      operators,
      storage: dashboard.config.storage,
      evidenceKey: { kind: 'given', key: Buffer.alloc(32, 9) },
    },
    { fetchPublic: domains.fetchPublic, now: () => dashboard.clock.now },
  );
  const desk = await other.newAccount(wallets[0]);
  expect(await decide(desk, id, { decision: 'admit', validUntil: validUntil() }, other)).toMatchObject({
    status: 404,
  });
});

test('what was rejected is deleted after KYC_RETENTION_DAYS, and what counts is not [dashboard.business.personal]', async () => {
  const aged = await openDashboardForTest({ operators }, { fetchPublic: domains.fetchPublic });
  const desk = await aged.newAccount(wallets[0]);
  const [one, other] = [await aged.newAccount(), await aged.newAccount()];
  const rejected = (await submit(one, {}, aged)).data.business.id;
  await decide(desk, rejected, { decision: 'reject', reason: 'no' }, aged);
  await decide(
    desk,
    (await submit(other, {}, aged)).data.business.id,
    { decision: 'admit', validUntil: validUntil() },
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
    return Promise.all(people.map(async (each) => (await own(each, aged)).facts?.legalName ?? null));
  };
  await sweep();
  expect(await names()).toEqual(['Larkfield Ltd', 'Larkfield Ltd']);
  aged.clock.advance(1);
  await sweep();
  expect(await names()).toEqual([null, 'Larkfield Ltd']);
});
