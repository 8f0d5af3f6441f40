import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, threeOperators } from './compliance-people.ts';
import { openDashboard, type TestDashboard } from './dashboard.ts';
import { payeesOf } from './payees.ts';

const wallets = threeOperators();

let dashboard: TestDashboard;
let payees: ReturnType<typeof payeesOf>;
let operator: Person;
beforeAll(async () => {
  dashboard = await openDashboard({ operators: new Set([wallets[0].address]) });
  payees = payeesOf(dashboard);
  operator = await dashboard.newAccount(wallets[0]);
});
afterAll(() => dashboard.stop());

const header = 'legal_name,domain,addresses,valid_until,links,registry_numbers';
const importing = (csv: string) => dashboard.post('/api/payees/import', { csv }, operator.token);

test('a CSV file admits its rows, with quotes, several addresses and networks [dashboard.payees.import]', async () => {
  const [one, other, third, fourth] = [
    payees.address(),
    payees.address(),
    payees.address(),
    payees.address(),
  ];
  const csv = [
    header,
    `"Quotes, ""Fast"" & Co.",Quotes.Example,"${one} eip155:8453:${other} eip155:1:${other} eip155:1:${fourth} ${fourth.toLowerCase()}",2027-06-30,"https://a.example https://b.example","HRB 1 B; LEI 2"`,
    `Archive Ltd,archive.example,${third.toLowerCase()},2027-06-30T10:00:00Z,,`,
    '',
  ].join('\r\n');
  const { status, data } = await importing(`\ufeff${csv}`);
  expect({ status, payees: data.payees }).toMatchObject({
    status: 200,
    payees: [
      {
        legalName: 'Quotes, "Fast" & Co.',
        domain: 'quotes.example',
        addresses: [
          { address: one, networks: null },
          { address: other, networks: ['eip155:8453', 'eip155:1'] },
          { address: fourth, networks: null },
        ],
        links: ['https://a.example', 'https://b.example'],
        registryNumbers: ['HRB 1 B', 'LEI 2'],
        validUntil: '2027-06-30T23:59:59.000Z',
      },
      { legalName: 'Archive Ltd', addresses: [{ address: third }], validUntil: '2027-06-30T10:00:00.000Z' },
    ],
  });
  for (const address of [one, other, third]) expect(await payees.check(operator, address)).toBe('approved');
});

test('a file with a fault admits nothing, and tells of each row what is wrong [dashboard.payees.import.faults]', async () => {
  const [good, taken, twice] = [payees.address(), payees.address(), payees.address()];
  const id = await payees.admitted(operator, [taken]);
  const { total } = await payees.list(operator);
  const row = (name: string, domain: string, addresses: string, end = '2027-06-30') =>
    `${name},${domain},${addresses},${end},,`;
  const answer = await importing(
    [
      header,
      row('Good', 'good.example', good),
      row('', 'no-name.example', payees.address()),
      '',
      ' ',
      row('No domain', 'localhost', payees.address()),
      row('No address', 'a.example', '0x1'),
      'too,few',
      row('Twice', 'b.example', `${twice} ${payees.address()}`),
      row('Twice', 'c.example', twice),
    ].join('\n'),
  );
  expect(answer).toMatchObject({
    status: 400,
    code: 80000012,
    msg: expect.stringContaining('nothing was imported'),
  });
  expect(answer.data.faults).toEqual([
    { row: 3, field: 'legal_name', problem: 'is missing' },
    { row: 6, field: 'domain', problem: expect.stringContaining('domain name') },
    { row: 7, field: 'addresses', problem: expect.stringContaining('40 hex digits') },
    { row: 8, field: null, problem: 'has 2 fields, the header 6' },
    { row: 10, field: 'addresses', problem: `row 9 claims ${twice} too` },
  ]);
  const late = await importing(
    [header, row('Late', 'd.example', payees.address(), '2026-01-01'), row('Taken', 'e.example', taken)].join(
      '\n',
    ),
  );
  expect(late.data.faults).toEqual([
    { row: 2, field: 'valid_until', problem: 'must be in the future' },
    { row: 3, field: 'addresses', problem: `ADDRESS_CLAIMED: record ${id} claims ${taken}` },
  ]);
  const own = await importing([header, row('Mine', 'f.example', operator.address)].join('\n'));
  expect(own.data.faults).toMatchObject([{ row: 2, problem: 'you cannot decide about yourself' }]);
  expect((await payees.list(operator)).total).toBe(total);
  expect(await payees.check(operator, good)).toBe('pending');
});

test.each([
  ['no column of addresses', 'legal_name,domain,valid_until\na,b.example,2027-01-01', 'addresses'],
  ['an unknown column', `${header},iban\na,b.example,0x1,2027-01-01,,,x`, null],
  ['a header alone', header, null],
  ['an open quote', `${header}\n"a,b.example`, null],
])('a file with %s is refused as a whole [dashboard.payees.import.faults]', async (_, csv, field) => {
  expect(await importing(csv)).toMatchObject({ status: 400, data: { faults: [{ row: 1, field }] } });
});
