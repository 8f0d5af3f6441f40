import { afterAll, beforeAll, expect, test } from 'vitest';
import { complianceOf, type Person, threeOperators } from './compliance-people.ts';
import { openDashboard, type TestDashboard } from './dashboard.ts';
import { payeesOf } from './payees.ts';

const wallets = threeOperators();
const operators = new Set(wallets.map(({ address }) => address));

let dashboard: TestDashboard;
let payees: ReturnType<typeof payeesOf>;
let people: ReturnType<typeof complianceOf>;
let first: Person;
let second: Person;
let third: Person;
let owner: Person;
beforeAll(async () => {
  dashboard = await openDashboard({ operators, review: { validDays: 365, fourEyes: true } });
  payees = payeesOf(dashboard);
  people = complianceOf(dashboard);
  first = await dashboard.newAccount(wallets[0]);
  second = await dashboard.newAccount(wallets[1]);
  third = await dashboard.newAccount(wallets[2]);
  owner = await dashboard.newAccount();
});
afterAll(() => dashboard.stop());

const repeated = { status: 409, code: 80000003 };

/** A record that two have admitted: its id. */
async function admittedByBoth(addresses: readonly string[]) {
  const id = await payees.admitted(first, addresses);
  await payees.agree(second, id, 1);
  return id;
}

test('a record takes two operators: the first one’s word is shown, and twice the same is one [dashboard.payees.four-eyes]', async () => {
  const address = payees.address();
  const { data } = await payees.create(first, [address], { reason: 'Read the register' });
  const { id } = data.payee;
  const said = { by: first.address, reason: 'Read the register', at: dashboard.clock.now.toISOString() };
  expect(data.payee).toMatchObject({ state: 'waiting', proposal: { version: 1, firstWord: said } });
  expect(await payees.check(owner, address)).toBe('pending');
  expect(await payees.of(second, address)).toMatchObject({ vouching: 'RECORD_WAITING', payee: { id } });
  expect((await payees.list(second, { state: 'waiting' })).data).toMatchObject([{ id }]);
  expect(await payees.agree(first, id, 1)).toMatchObject(repeated);
  expect(await payees.agree(second, id, 1)).toMatchObject({
    status: 200,
    data: { payee: { state: 'admitted', proposal: null } },
  });
  expect(await payees.check(owner, address)).toBe('approved');
  expect(await payees.agree(third, id, 1)).toMatchObject(repeated);
  expect(await people.history(first, { payeeId: id })).toMatchObject([
    { deed: 'admit-payee', by: second.address, effective: true },
    { deed: 'admit-payee', by: first.address, effective: false },
  ]);
});

test('whoever agrees agrees to what they read: a proposal that changed meanwhile is not admitted [dashboard.payees.four-eyes.stale]', async () => {
  const [honest, thief] = [payees.address(), payees.address()];
  const id = await admittedByBoth([honest]);
  await payees.change(first, id, 1, payees.facts([honest], { legalName: 'Quotes AG' }));
  // The first operator swaps the address after the second has read.
  await payees.change(first, id, 2, payees.facts([thief], { legalName: 'Quotes AG' }));
  expect(await payees.agree(second, id, 2)).toMatchObject(repeated);
  expect(await payees.check(owner, thief)).toBe('pending');
  expect(await payees.check(owner, honest)).toBe('approved');
  // A change by the second is not an agreement to the first one's.
  const other = payees.address();
  expect(await payees.change(second, id, 3, payees.facts([other]))).toMatchObject({
    data: { payee: { proposal: { version: 4, firstWord: { by: second.address } } } },
  });
  expect(await payees.check(owner, other)).toBe('pending');
  expect(await payees.agree(first, id, 4)).toMatchObject({ status: 200 });
  expect(await payees.check(owner, other)).toBe('approved');
});

test('a proposal whose end is over while it waits is not agreed on, and its address is still free [dashboard.payees.four-eyes.stale]', async () => {
  const address = payees.address();
  const validUntil = new Date(dashboard.clock.now.getTime() + 60_000).toISOString();
  const id = await payees.admitted(first, [address], { validUntil });
  dashboard.clock.advance(60_000);
  expect(await payees.agree(second, id, 1)).toMatchObject({
    ...repeated,
    msg: expect.stringContaining('end'),
  });
  expect((await payees.of(first, address)).vouching).toBe('RECORD_WAITING');
  expect(await payees.change(second, id, 1, payees.facts([address]))).toMatchObject({ status: 200 });
  expect(await payees.agree(first, id, 2)).toMatchObject({ status: 200 });
  expect(await payees.check(owner, address)).toBe('approved');
});

test('a file that is added after the first word is no part of what was read, and the second word is for what was read [dashboard.payees.four-eyes.stale]', async () => {
  const address = payees.address();
  const id = await payees.admitted(first, [address]);
  // Whoever has spoken adds evidence: the word stands, for the record with that file alone.
  const added = await payees.addFile(first, id);
  expect(added.data.payee.proposal).toMatchObject({
    version: 2,
    checkedBy: first.address,
    firstWord: { by: first.address },
  });
  expect(await payees.agree(second, id, 1)).toMatchObject(repeated);
  // Another one does: nobody has spoken about that.
  await payees.addFile(second, id);
  expect((await payees.get(first, id)).data.payee.proposal).toMatchObject({ version: 3, firstWord: null });
  expect(await payees.agree(third, id, 2)).toMatchObject(repeated);
  await payees.agree(third, id, 3);
  expect(await payees.check(owner, address)).toBe('pending');
  expect(await payees.agree(first, id, 3)).toMatchObject({ status: 200 });
  expect(await payees.check(owner, address)).toBe('approved');
});

test('erasing a file takes two operators, and the first one’s word can be retracted [dashboard.payees.files.erase]', async () => {
  const id = await admittedByBoth([payees.address()]);
  const [file] = (await payees.addFile(first, id)).data.payee.files;
  const asked = { status: 200, data: { firstWord: { by: first.address }, payee: { files: [file] } } };
  expect(await payees.eraseFile(first, id, file.id)).toMatchObject(asked);
  expect(await payees.eraseFile(first, id, file.id)).toMatchObject(repeated);
  await people.retract(first, 'erase-payee-file', file.id);
  expect(await payees.eraseFile(first, id, file.id)).toMatchObject(asked);
  expect(await payees.eraseFile(second, id, file.id)).toMatchObject({
    data: { firstWord: null, payee: { files: [{ name: '', erasedAt: dashboard.clock.now.toISOString() }] } },
  });
});

test('a change that vouches for more takes two, one that only vouches for less takes one [dashboard.payees.four-eyes.less]', async () => {
  const [one, other, more] = [payees.address(), payees.address(), payees.address()];
  const id = await admittedByBoth([one, other]);
  const wider = await payees.change(first, id, 1, payees.facts([one, other, more]));
  expect(wider.data.payee).toMatchObject({ state: 'admitted', version: 1, proposal: { version: 2 } });
  expect(await payees.check(owner, more)).toBe('pending');
  // Stops at once, and what was proposed is over.
  const less = await payees.change(second, id, 2, payees.facts([one]));
  expect(less.data.payee).toMatchObject({ state: 'admitted', version: 3, proposal: null });
  expect(await payees.check(owner, other)).toBe('pending');
  expect(await payees.check(owner, one)).toBe('approved');
  expect(await payees.agree(third, id, 2)).toMatchObject(repeated);
});

test('one operator withdraws a record at once, also one that waits [dashboard.payees.four-eyes.less]', async () => {
  const [standing, waiting] = [payees.address(), payees.address()];
  const id = await admittedByBoth([standing]);
  await payees.withdraw(second, id);
  expect(await payees.check(owner, standing)).toBe('pending');
  const other = await payees.admitted(first, [waiting]);
  await payees.withdraw(second, other);
  expect(await payees.agree(third, other, 1)).toMatchObject(repeated);
  expect(await payees.check(owner, waiting)).toBe('pending');
});

test('a first word on a record can be retracted, and the next word is the first again [dashboard.payees.four-eyes]', async () => {
  const address = payees.address();
  const id = await payees.admitted(first, [address]);
  expect(await people.retract(first, 'admit-payee', id)).toMatchObject({ status: 200 });
  await payees.agree(second, id, 1);
  expect(await payees.check(owner, address)).toBe('pending');
  expect(await payees.agree(third, id, 1)).toMatchObject({ status: 200 });
  expect(await payees.check(owner, address)).toBe('approved');
  expect((await people.history(first, { payeeId: id })).map(({ deed }: { deed: string }) => deed)).toEqual([
    'admit-payee',
    'admit-payee',
    'retract',
    'admit-payee',
  ]);
});

test('of two proposals that claim one address the second to be agreed on is refused [dashboard.payees.four-eyes.claimed]', async () => {
  const address = payees.address();
  const [one, other] = [await payees.admitted(first, [address]), await payees.admitted(second, [address])];
  expect(await payees.agree(third, other, 1)).toMatchObject({ status: 200 });
  expect(await payees.agree(third, one, 1)).toMatchObject({ ...repeated, data: { payeeId: other } });
  expect((await payees.of(first, address)).payee.id).toBe(other);
});

test('each row of an imported file waits for a second operator [dashboard.payees.import]', async () => {
  const [one, other] = [payees.address(), payees.address()];
  const csv = `legal_name,domain,addresses,valid_until\nOne,one.example,${one},2027-01-01\nTwo,two.example,${other},2027-01-01\n`;
  const { data } = await dashboard.post('/api/payees/import', { csv }, first.token);
  expect(data.payees).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }]);
  await payees.agree(second, data.payees[0].id, 1);
  expect([await payees.check(owner, one), await payees.check(owner, other)]).toEqual(['approved', 'pending']);
});
