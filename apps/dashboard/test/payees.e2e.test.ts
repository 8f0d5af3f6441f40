import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from './agents.ts';
import { complianceOf, databaseOf, type Person, threeOperators } from './compliance-people.ts';
import { openDashboard, openDashboardForTest, type TestDashboard } from './dashboard.ts';
import { payeesOf } from './payees.ts';
import { erase } from './personal-data.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));

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
  owner = await dashboard.newAccount();
});
afterAll(() => dashboard.stop());

const hourMs = 3_600_000;
const repeated = { status: 409, code: 80000003 };
const invalid = { status: 400, code: 80000012 };

test('an address that a record names is approved, and the operator reads which record it is [dashboard.payees.create] [dashboard.payees.vouching]', async () => {
  const [one, other] = [payees.address(), payees.address()];
  expect(await payees.check(owner, one)).toBe('pending');
  expect(await payees.of(operator, one)).toEqual({ address: one, vouching: 'NO_RECORD', payee: null });
  const { status, data } = await payees.create(operator, [one, other], { reason: 'Read the register' });
  expect({ status, payee: data.payee }).toMatchObject({
    status: 200,
    payee: {
      ...payees.facts([one, other]),
      state: 'admitted',
      version: 1,
      checkedBy: operator.address,
      checkedAt: dashboard.clock.now.toISOString(),
      proposal: null,
      withdrawal: null,
      files: [],
    },
  });
  for (const address of [one, other]) {
    expect(await payees.check(owner, address)).toBe('approved');
    expect(await payees.of(operator, address)).toEqual({ address, vouching: 'VOUCHED', payee: data.payee });
  }
  expect((await payees.get(operator, data.payee.id)).data.payee).toEqual(data.payee);
  expect((await payees.list(operator, { limit: 1 })).data).toEqual([data.payee]);
  expect(await people.history(operator, { payeeId: data.payee.id })).toMatchObject([
    {
      deed: 'admit-payee',
      by: operator.address,
      effective: true,
      payeeId: data.payee.id,
      reason: 'Read the register',
      detail: { version: 1, legalName: 'Quotes & Co. KG', domain: 'quotes.example' },
    },
  ]);
});

test.each([
  ['a blank name', { legalName: '  ' }],
  ['a name that turns the reading order', { legalName: 'Quotes\u202e Co.' }],
  ['no domain', { domain: 'localhost' }],
  ['a domain with a path', { domain: 'quotes.example/pay' }],
  ['an address of a network', { domain: '10.0.0.1' }],
  ['no address', { addresses: [] }],
  ['the zero address', { addresses: [{ address: `0x${'0'.repeat(40)}`, networks: null }] }],
  ['a link that is not https', { links: ['http://register.example'] }],
  ['a script as a link', { links: ['javascript:alert(1)'] }],
  ['an end that is over', { validUntil: '2026-11-21T12:00:00.000Z' }],
  ['an end in twelve years', { validUntil: '2038-11-21T12:00:00.000Z' }],
])('a record with %s is refused [dashboard.payees.create]', async (_, more) => {
  const address = payees.address();
  expect(await payees.create(operator, [address], more)).toMatchObject(invalid);
  expect(await payees.check(owner, address)).toBe('pending');
});

test('an address that is named twice, or with a network that is none, is refused [dashboard.payees.create]', async () => {
  const address = payees.address();
  expect(await payees.create(operator, [address, address.toLowerCase()])).toMatchObject(invalid);
  const addresses = [{ address, networks: ['base'] }];
  expect(await payees.create(operator, [], { addresses })).toMatchObject(invalid);
});

test('an address vouches on the networks that it is for [dashboard.payees.networks]', async () => {
  const [here, elsewhere] = [payees.address(), payees.address()];
  const addresses = [
    { address: here, networks: ['eip155:1', 'eip155:8453'] },
    { address: elsewhere, networks: ['eip155:1'] },
  ];
  await payees.create(operator, [], { addresses });
  expect(await payees.check(owner, here)).toBe('approved');
  expect(await payees.check(owner, elsewhere)).toBe('pending');
  expect((await payees.of(operator, elsewhere)).vouching).toBe('OTHER_NETWORK');
});

test('one address belongs to one record: a second claim names the first and vouches for nothing [dashboard.payees.claimed]', async () => {
  const [address, free] = [payees.address(), payees.address()];
  const id = await payees.admitted(operator, [address]);
  const claimed = {
    ...repeated,
    msg: expect.stringContaining('ADDRESS_CLAIMED'),
    data: { reason: 'ADDRESS_CLAIMED', address, payeeId: id },
  };
  expect(await payees.create(operator, [free, address])).toMatchObject(claimed);
  expect(await payees.check(owner, free)).toBe('pending');
  const other = await payees.admitted(operator, [free]);
  expect(await payees.change(operator, other, 1, payees.facts([free, address]))).toMatchObject(claimed);
  expect((await payees.of(operator, address)).payee.id).toBe(id);
});

test('of two records at once that claim one address one stands [dashboard.payees.claimed]', async () => {
  const address = payees.address();
  const all = await Promise.all(Array.from({ length: 5 }, () => payees.create(operator, [address])));
  expect(all.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409', '409', '409', '409']);
});

test('a changed address is approved from then on, and the one before it no longer [dashboard.payees.change]', async () => {
  const [before, after] = [payees.address(), payees.address()];
  const id = await payees.admitted(operator, [before]);
  const changed = await payees.change(operator, id, 1, { ...payees.facts([after]), reason: 'They moved' });
  expect(changed).toMatchObject({ status: 200, data: { payee: { state: 'admitted', version: 2 } } });
  expect(await payees.check(owner, before)).toBe('pending');
  expect(await payees.of(operator, before)).toMatchObject({ vouching: 'ADDRESS_CHANGED', payee: { id } });
  expect(await payees.check(owner, after)).toBe('approved');
  // Whoever has read the version before changes nothing.
  expect(await payees.change(operator, id, 1, payees.facts([before]))).toMatchObject(repeated);
  expect(await payees.check(owner, before)).toBe('pending');
  expect(await people.history(operator, { payeeId: id })).toMatchObject([
    { deed: 'change-payee', reason: 'They moved', detail: { version: 2 } },
    { deed: 'admit-payee', detail: { version: 1 } },
  ]);
});

test('a record vouches until its end, by the clock, and renewing it is a change [dashboard.payees.expired]', async () => {
  const address = payees.address();
  const validUntil = new Date(dashboard.clock.now.getTime() + hourMs).toISOString();
  const id = await payees.admitted(operator, [address], { validUntil });
  dashboard.clock.advance(hourMs - 1);
  expect(await payees.check(owner, address)).toBe('approved');
  dashboard.clock.advance(1);
  expect(await payees.check(owner, address)).toBe('pending');
  expect(await payees.of(operator, address)).toMatchObject({
    vouching: 'RECORD_EXPIRED',
    payee: { id, state: 'expired' },
  });
  expect((await payees.list(operator, { state: 'expired' })).data).toMatchObject([{ id }]);
  // It still keeps others from claiming the address.
  expect((await payees.create(operator, [address])).data).toMatchObject({ payeeId: id });
  expect(await payees.change(operator, id, 1, payees.facts([address]))).toMatchObject({ status: 200 });
  expect(await payees.check(owner, address)).toBe('approved');
});

test('a withdrawn record vouches for nothing from the next question on, and is final [dashboard.payees.withdraw]', async () => {
  const address = payees.address();
  const id = await payees.admitted(operator, [address]);
  expect(await payees.withdraw(operator, id, null)).toMatchObject({ status: 400 });
  expect(await payees.withdraw(operator, id, '  ')).toMatchObject(invalid);
  expect(await payees.check(owner, address)).toBe('approved');
  const withdrawal = { by: operator.address, reason: 'It closed', at: dashboard.clock.now.toISOString() };
  expect(await payees.withdraw(operator, id)).toMatchObject({
    status: 200,
    data: { payee: { state: 'withdrawn', withdrawal } },
  });
  expect(await payees.check(owner, address)).toBe('pending');
  expect(await payees.of(operator, address)).toMatchObject({ vouching: 'RECORD_WITHDRAWN', payee: { id } });
  expect(await payees.withdraw(operator, id)).toMatchObject(repeated);
  expect(await payees.change(operator, id, 1, payees.facts([address]))).toMatchObject(repeated);
  expect(await payees.admitted(operator, [address])).not.toBe(id);
  expect(await payees.check(owner, address)).toBe('approved');
});

test('a record lifts nothing that was decided about the person who owns the wallet [dashboard.payees.owner-rejected]', async () => {
  const rejected = await people.waiting(operator);
  await people.decide(operator, rejected.id, 'reject', 'forged');
  const withdrawn = await people.approved(operator);
  await people.withdraw(operator, withdrawn);
  const again = await people.approved(operator);
  await people.withdraw(operator, again);
  await people.handIn(again);
  for (const { address } of [rejected.person, withdrawn, again]) {
    await payees.admitted(operator, [address]);
    expect(await payees.check(owner, address)).not.toBe('approved');
  }
  expect((await payees.of(operator, rejected.person.address)).vouching).toBe('OWNER_NOT_APPROVED');
  // Who only has not handed in, or waits, is vouched for.
  const { person } = await people.waiting(operator);
  await payees.admitted(operator, [person.address]);
  expect(await payees.check(owner, person.address)).toBe('approved');
});

test('who was rejected is not vouched for by handing in again, nor by erasing it [dashboard.payees.owner-rejected]', async () => {
  const again = await rejectedPayee();
  await people.handIn(again);
  const erased = await rejectedPayee();
  expect(await erase(dashboard, erased)).toMatchObject({ status: 200 });
  for (const { address } of [again, erased]) {
    expect(await payees.check(owner, address)).toBe('pending');
    expect((await payees.of(operator, address)).vouching).toBe('OWNER_NOT_APPROVED');
    expect((await nameOf(address)).business).toBeNull();
  }
  // An approval since then is the last word.
  const [{ id }] = await people.reviewsOf(operator, again);
  await people.decide(operator, id, 'approve');
  expect((await payees.of(operator, again.address)).vouching).toBe('VOUCHED');
});

test('what operators and owners read of an address is what its gateways are told [dashboard.payees.owner-rejected]', async () => {
  const person = await people.approved(operator);
  await payees.admitted(operator, [person.address]);
  expect((await nameOf(person.address)).business).not.toBeNull();
  await people.withdraw(operator, person);
  await people.handIn(person);
  expect(await payees.check(owner, person.address)).toBe('pending');
  expect((await payees.of(operator, person.address)).vouching).toBe('OWNER_NOT_APPROVED');
  expect((await nameOf(person.address)).business).toBeNull();
});

/** Somebody whom operators rejected, and whose wallet a record names. */
async function rejectedPayee(): Promise<Person> {
  const { person, id } = await people.waiting(operator);
  await people.decide(operator, id, 'reject', 'forged');
  await payees.admitted(operator, [person.address]);
  expect(await payees.check(owner, person.address)).toBe('rejected');
  return person;
}

const nameOf = async (address: string) =>
  (await dashboard.request('GET', `/api/payees/name/${address}`, { token: owner.token })).data;

test('only operators see or write records, and nobody admits their own wallet [dashboard.payees.operators-only]', async () => {
  const id = await payees.admitted(operator, [payees.address()]);
  const forbidden = { status: 403, code: 80000004 };
  const post = (path: string, body: object) => dashboard.post(path, body, owner.token);
  const facts = payees.facts([payees.address()]);
  const answers = await Promise.all([
    post('/api/payees/create', facts),
    post('/api/payees/import', { csv: 'a' }),
    post('/api/payees/list', {}),
    payees.get(owner, id),
    dashboard.request('GET', `/api/payees/of/${owner.address}`, { token: owner.token }),
    payees.change(owner, id, 1, facts),
    payees.agree(owner, id, 1),
    payees.withdraw(owner, id),
    post(`/api/payees/${id}/files`, { name: 'a', mediaType: 'text/plain', content: 'YQ==' }),
    dashboard.request('GET', `/api/payees/${id}/files/x`, { token: owner.token }),
    post('/api/payees/reviews/list', {}),
    payees.turnAway(owner, payees.address()),
  ]);
  for (const answer of answers) expect(answer).toMatchObject(forbidden);
  expect(await payees.create(operator, [payees.address(), operator.address])).toMatchObject(forbidden);
  expect(await payees.change(operator, id, 1, payees.facts([operator.address]))).toMatchObject(forbidden);
  const { address: agent } = await agentCalls(dashboard).newAgent(operator);
  expect(await payees.create(operator, [agent])).toMatchObject(forbidden);
  expect(await payees.change(operator, id, 1, payees.facts([agent]))).toMatchObject(forbidden);
  expect(await payees.get(operator, 'pay_unknown')).toMatchObject({ status: 404, code: 80000011 });
});

test('whoever is signed in reads whom a valid record names, and no more of it [dashboard.payees.name]', async () => {
  const address = payees.address();
  const name = () => nameOf(address);
  expect(await name()).toEqual({ address, business: null });
  const id = await payees.admitted(operator, [address]);
  const { legalName, domain, validUntil } = payees.facts([]);
  expect(await name()).toEqual({ address, business: { legalName, domain, validUntil } });
  await payees.withdraw(operator, id);
  expect(await name()).toEqual({ address, business: null });
});

test('the database keeps what was written in a record, and every decision about it [dashboard.payees.append-only]', async () => {
  const id = await payees.admitted(operator, [payees.address()]);
  const file = { name: 'register.txt', mediaType: 'text/plain', content: 'YQ==' };
  await dashboard.post(`/api/payees/${id}/files`, file, operator.token);
  const database = await databaseOf(dashboard);
  for (const table of ['payee_version', 'payee_file'])
    for (const sql of [`delete from dashboard.${table}`, `truncate dashboard.${table}`])
      await expect(database.query(sql)).rejects.toThrow('append-only');
  const forge = `update dashboard.payee_version set legal_name = 'Other' where payee_id = '${id}'`;
  await expect(database.query(forge)).rejects.toThrow('append-only');
  const rename = `update dashboard.payee_file set name = 'other.txt' where payee_id = '${id}'`;
  await expect(database.query(rename)).rejects.toThrow('append-only');
});

test('a file is sealed for its record, and reading it goes on record [dashboard.payees.files]', async () => {
  const id = await payees.admitted(operator, [payees.address()]);
  const content = Buffer.from('Handelsregister B').toString('base64');
  const add = (body: object) =>
    dashboard.post(
      `/api/payees/${id}/files`,
      { name: 'register.txt', mediaType: 'text/plain', content, ...body },
      operator.token,
    );
  const added = await add({});
  const [file] = added.data.payee.files;
  expect(file).toMatchObject({ name: 'register.txt', size: 17, addedBy: operator.address });
  const database = await databaseOf(dashboard);
  const { rows } = await database.query('select sealed from dashboard.payee_file where id = $1', [file.id]);
  expect(rows[0].sealed.toString('latin1')).not.toContain(content);
  const read = await dashboard.request('GET', `/api/payees/${id}/files/${file.id}`, {
    token: operator.token,
  });
  expect(read.data).toEqual({ name: 'register.txt', mediaType: 'text/plain', content });
  expect((await people.history(operator, { payeeId: id })).map(({ deed }: { deed: string }) => deed)).toEqual(
    ['read-payee-file', 'add-payee-file', 'admit-payee'],
  );
  const other = await payees.admitted(operator, [payees.address()]);
  const elsewhere = `/api/payees/${other}/files/${file.id}`;
  expect(await dashboard.request('GET', elsewhere, { token: operator.token })).toMatchObject({ status: 404 });
  expect(await add({ mediaType: 'text/html' })).toMatchObject(invalid);
  expect(await add({ content: '<script>' })).toMatchObject(invalid);
  const tooLarge = Buffer.alloc(180 * 1024 + 1).toString('base64');
  expect(await add({ content: tooLarge })).toMatchObject({ status: 400 });
  for (let n = 1; n < 10; n++) expect(await add({})).toMatchObject({ status: 200 });
  expect(await add({})).toMatchObject(repeated);
});

test('a file is what its type says, under a name that is harmless on a disk [dashboard.payees.files]', async () => {
  const id = await payees.admitted(operator, [payees.address()]);
  const add = (text: string, name: string) =>
    payees.addFile(operator, id, {
      name,
      mediaType: 'application/pdf',
      content: Buffer.from(text).toString('base64'),
    });
  expect(await add('<html><script>alert(1)</script>', 'register.pdf')).toMatchObject(invalid);
  const { data } = await add('%PDF-1.7', '../../etc/a.exe');
  expect(data.payee.files).toMatchObject([{ name: 'a.exe.pdf', mediaType: 'application/pdf' }]);
});

test('an operator erases a file: name and contents are gone, and that it was there and who erased it stays [dashboard.payees.files.erase]', async () => {
  const id = await payees.admitted(operator, [payees.address()]);
  const [file] = (await payees.addFile(operator, id)).data.payee.files;
  await payees.withdraw(operator, id);
  expect(await payees.eraseFile(owner, id, file.id)).toMatchObject({ status: 403 });
  expect(await payees.eraseFile(operator, 'pay_other', file.id)).toMatchObject({ status: 404 });
  const erasedAt = dashboard.clock.now.toISOString();
  expect(await payees.eraseFile(operator, id, file.id)).toMatchObject({
    status: 200,
    data: { firstWord: null, payee: { files: [{ ...file, name: '', erasedAt }] } },
  });
  const read = await dashboard.request('GET', `/api/payees/${id}/files/${file.id}`, {
    token: operator.token,
  });
  expect(read).toMatchObject({ status: 404 });
  expect(await payees.eraseFile(operator, id, file.id)).toMatchObject({ status: 404 });
  const database = await databaseOf(dashboard);
  const { rows } = await database.query(
    'select name, key_id, sealed from dashboard.payee_file where id = $1',
    [file.id],
  );
  expect(rows).toEqual([{ name: '', key_id: null, sealed: null }]);
  const history = await people.history(operator, { payeeId: id });
  expect(history[0]).toMatchObject({
    deed: 'erase-payee-file',
    reason: 'Names a private person',
    detail: { file: file.id },
  });
  expect(JSON.stringify(history)).not.toContain('register.txt');
});

test('without EVIDENCE_KEY no file is taken, and a record stands without one [dashboard.payees.files]', async () => {
  const bare = await openDashboardForTest({ operators, evidenceKey: { kind: 'none' } });
  const by = await bare.newAccount(wallets[0]);
  const address = payees.address();
  const id = await payeesOf(bare).admitted(by, [address]);
  const file = { name: 'register.txt', mediaType: 'text/plain', content: 'YQ==' };
  expect(await bare.post(`/api/payees/${id}/files`, file, by.token)).toMatchObject({ status: 404 });
  expect(await payeesOf(bare).check(by, address)).toBe('approved');
});
