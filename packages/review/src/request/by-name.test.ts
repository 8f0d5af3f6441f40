import { expect, test } from 'vitest';
import { requestFactsOf } from './facts.ts';
import { judgeRequest } from './judge.ts';
import { changesRecords } from './sql.ts';

const site = 'https://shop.example';
const about = { task: 'Log in and read my orders', approval: 'auto', isFromLogin: false } as const;

/** What is said of a request of a page, by its line and body. */
function rulesOf(line: string, body: string, fromLogin = false): string[] {
  const [method = '', path = ''] = line.split(' ');
  const sent = {
    method,
    url: site + path,
    resource: 'fetch',
    contentType: /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded',
    body,
    carriesCredential: fromLogin,
    pageUrl: `${site}/${fromLogin ? 'login' : 'home'}`,
  };
  const facts = requestFactsOf(sent, { ...about, isFromLogin: fromLogin }, (text) => text);
  return judgeRequest(facts).rules.map(({ rule }) => rule);
}

test.each(['/api/contacts/download', '/data/download', '/records/download', '/backup/download'])(
  'everything is copied by downloading it, too: POST %s [vault.review.acts]',
  (path) => {
    expect(rulesOf(`POST ${path}`, '{"format":"csv"}')).toEqual(['request.bulk_export']);
  },
);

test.each([
  // Flags are asked for by who has them.
  ['/api/feature-flags/beta-search/toggle', '{}'],
  ['/api/feature-flags', '{"key":"beta","kind":"release"}'],
  ['/api/feature-flags', '{}'],
  // What people write down is counted by nobody.
  ['/api/events/log', '{"text":"Called the customer"}'],
  ['/error/report', '{"text":"The door is broken"}'],
  ['/page/view', '{"text":"x"}'],
  ['/parking/session/extend', ''],
  ['/parking/session/extend', '{}'],
  // Rows, times and limits are set.
  ['/api/tables/7/data', '{"name":"x","value":"5"}'],
  ['/grid/data', '{"name":"x","value":"5"}'],
  ['/series/data', '{"name":"x","value":"5"}'],
  ['/api/admin/quota', '{"userId":7,"limit":100}'],
  ['/api/schedules', '{"date":"2026-12-01","time":"10:00","people":2}'],
  ['/api/availability', '{"from":"2026-12-01","to":"2026-12-05","persons":2}'],
  ['/api/locales', '{"locale":"de"}'],
])(
  'what is set under a name of asking or counting is stopped: POST %s %s [vault.review.acts]',
  (path, body) => {
    expect(rulesOf(`POST ${path}`, body)).not.toContain('none');
  },
);

test.each([
  ['/api/feature-flags', '{"user":{"anonymous":true}}'],
  ['/sdk/evalx/abc/users', '{"kind":"user","key":"x"}'],
  ['/statements/download', '{"month":"2026-10"}'],
  ['/page/view', '{"url":"https://shop.example/a","referrer":""}'],
  ['/log/client', '{"level":"error","message":"x is undefined","stack":"at"}'],
  ['/api/session/extend', '{}'],
  ['/grid/data', '{"page":1,"pageSize":20}'],
  ['/api/v1/dashboard/widgets/data', '{"widgetIds":[1,2],"range":"7d"}'],
  ['/api/availability', '{"from":"2026-12-01","to":"2026-12-05","guests":2}'],
  ['/api/schedules', '{"from":"Rome","to":"Bari","date":"2026-12-01","people":2}'],
  ['/api/locales', '{"locale":"de","keys":["a"]}'],
])('what only asks or counts there goes on: POST %s %s [vault.review.harmless-reads]', (path, body) => {
  expect(rulesOf(`POST ${path}`, body)).toEqual(['none']);
});

const keys = 'username=a&password=x';

test.each(['/auth/disable', '/login/lock', '/token/rotate', '/sessions/suspend'])(
  'what is done to sessions and tokens is no log-in, whatever form sends it: POST %s [vault.review.acts]',
  (path) => {
    expect(rulesOf(`POST ${path}`, keys, true)).not.toContain('none');
  },
);

test.each([
  '/sessions/create',
  '/auth/start',
  '/login/process',
  '/customer/process',
  '/login/submit',
  '/session/new',
])('a session is made by whoever logs in: POST %s [vault.review.logins]', (path) => {
  expect(rulesOf(`POST ${path}`, keys, true)).toEqual(['none']);
});

test.each([
  'delete from orders',
  "select '--'; delete from orders",
  "select '/*'; -- x\n drop table orders",
  'select 1; /* ; */ -- ;\n\t update orders set a = 1',
  '/**/ insert into orders values (1)',
  '/** x **/ truncate orders',
  'with x as (delete from orders returning 1) select * from x',
  'SELECT 1;CALL pay(7)',
  'drop table orders',
  'DROP/**/TABLE orders',
  'drop -- x\n table orders',
  `drop ${' '.repeat(300)}table orders`,
  `create /* ${'x'.repeat(300)} */ user eve`,
  'create or replace view a as select 1',
  'alter table orders add a int',
  'grant all on orders to eve',
])('SQL that changes something does so behind comments: %s [vault.review.acts]', (sql) => {
  expect(changesRecords(sql)).toBe(true);
});

test.each([
  'select a from delete_log -- ; deleted',
  "select 'a /* b' from orders",
  'select updated, dropped from orders; select 1',
  'drop shipping',
  'create account',
  'Alter Bridge live',
  'grant for students',
  '; --',
  ';/*',
  '',
])('SQL that only asks is none: %s [vault.review.harmless-reads]', (sql) => {
  expect(changesRecords(sql)).toBe(false);
});

const asking =
  '{"operationName":"RegisterCheckQuery","query":"query RegisterCheckQuery { registerCheck { isExist } }"}';

test('the name of a query behind the address of GraphQL is that of its document, which reads [vault.review.harmless-reads]', () => {
  expect(rulesOf('POST /graphql/RegisterCheckQuery', asking)).toEqual(['none']);
  expect(rulesOf('POST /graphql/RegisterCheckQuery', `[${asking}]`)).toEqual(['none']);
});

test.each([
  ['another address', '/RegisterCheckQuery', asking],
  ['another name', '/graphql/RegisterUser', asking],
  ['a name below', '/graphql/RegisterCheckQuery/7/approve', asking],
  ['a mutation', '/graphql/RegisterCheckQuery', asking.replace('query R', 'mutation R')],
  ['a field that pays', '/graphql/PayInvoice', '{"query":"query PayInvoice { payInvoice(id: 7) { id } }"}'],
  [
    'a field that deletes',
    '/graphql/DeleteItem',
    '{"query":"query DeleteItem { deleteItem(id: 7) { id } }"}',
  ],
  [
    'no document',
    '/graphql/RegisterUser',
    '{"operationName":"RegisterUser","variables":{"a":1},"extensions":{}}',
  ],
])('with %s it is asked about: %s [vault.review.acts]', (_, path, body) => {
  expect(rulesOf(`POST ${path}`, body)).not.toContain('none');
});

const who = '{"username":"a"}';

test.each(['/rest/check-username', '/svc/authorize-email', '/api/lookup/check-user'])(
  'the first step of a log-in asks who it is: POST %s [vault.review.logins]',
  (path) => {
    expect(rulesOf(`POST ${path}`, who, true)).toEqual(['none']);
    expect(rulesOf(`POST ${path}`, who)).not.toContain('none');
  },
);

test.each([
  '/rest/change-username',
  '/svc/email',
  '/account/set-email',
  '/check-username/delete',
  '/confirm-email',
])('what changes who it is does so there too: POST %s [vault.review.acts]', (path) => {
  expect(rulesOf(`POST ${path}`, who, true)).not.toContain('none');
});
