import type { Route } from '@countersign/protocol/route';
import { type Role, roles } from '@countersign/protocol/dashboard/roles';
import { dashboardRoutes, type SessionRoute } from '@countersign/protocol/dashboard/routes';
import { rolesFor } from '@countersign/protocol/dashboard/who-may';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askedOf } from '../approvals.ts';
import {
  type Json,
  newWallet,
  openDashboard,
  openDashboardForTest,
  type TestDashboard,
} from '../dashboard.ts';
import { follow } from '../event-stream.ts';
import { shouldCall } from './matrix.ts';
import { peopleCalls } from './people.ts';

const operatorWallet = newWallet();
let dashboard: TestDashboard;
let people: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  dashboard = await openDashboard({ operators: new Set([operatorWallet.address]) });
  people = peopleCalls(dashboard);
});
afterAll(() => dashboard.stop());

const sessionRoutes = (Object.entries<Route>(dashboardRoutes) as [SessionRoute, Route][]).filter(
  ([, { auth }]) => auth === 'session' || auth === 'session-or-key',
);
const pathOf = ({ path }: Route) => path.replace(/:\w+/g, 'some');
const queries: Readonly<Record<string, string>> = {
  listTransactions: '?scope=myAll',
  sumTransactions: '?by=month&scope=myPayer&startDate=2026-01-01&endDate=2026-12-01',
};
const query = (name: string) => queries[name] ?? '';
/** Without a record of that id; `connectionRequest` is about a browser, the others are strangers' documents. */
const statusOfGet = (name: string, path: string): number => {
  if (['connectionRequest', 'getPayeeFile', 'getBusiness', 'getBusinessFile'].includes(name)) return 403;
  // What stands there is no address.
  if (name === 'payeeName' || name === 'payeeOfAddress') return 400;
  return path.includes('some') ? 404 : 200;
};

/** Lists that are read by POST (dashboard.mandate.list): these change nothing, and so an auditor may call them. */
const readingByPost: readonly SessionRoute[] = [
  'listMandates',
  'listAgents',
  'listApprovals',
  'listAlerts',
  'listConnections',
  'listDenyList',
  'listWithdrawals',
  'listComplianceHistory',
  'listPayees',
  'listPayeeReviews',
];
/** Of the auditor's own session, not of the account. */
const ownDoings: readonly SessionRoute[] = ['logout', 'revokeSession'];

test('an auditor’s session changes nothing: each route that does is refused, and says why [dashboard.people.auditor]', async () => {
  const account = await dashboard.newAccount(operatorWallet);
  const auditor = await people.newPerson(account, ['auditor']);
  const before = await people.me(account.token);
  for (const [name, route] of sessionRoutes) {
    if (route.method === 'GET' || readingByPost.includes(name) || ownDoings.includes(name)) continue;
    const options = { token: auditor.token, ...(route.method === 'POST' && { body: {} }) };
    const reply = await dashboard.request(route.method, pathOf(route), options);
    expect([name, reply]).toMatchObject([
      name,
      { status: 403, code: 80000004, data: { roles: ['auditor'], needs: [...rolesFor(name)] } },
    ]);
    expect(reply.msg).toMatch(/^your role \(auditor\) does not allow this: it takes the /);
  }
  for (const name of readingByPost) {
    const route = dashboardRoutes[name];
    const reply = await dashboard.request(route.method, route.path, { token: auditor.token, body: {} });
    expect([name, reply.status]).toEqual([name, 200]);
  }
  expect((await people.me(account.token)).data).toEqual(before.data);
  const kept = await dashboard.request('GET', '/api/people/changes', { token: account.token });
  expect(kept.data.data.filter(({ by }: Json) => by.id === auditor.id).map(({ deed }: Json) => deed)).toEqual(
    ['acceptInvitation'],
  );
});

test('an auditor reads the whole account, and no answer to a GET holds a secret [dashboard.people.auditor.reads]', async () => {
  const account = await dashboard.newAccount(operatorWallet);
  await dashboard.newMandate(account);
  const offered = (await people.invite(account.token, ['auditor'])).data.token;
  const auditor = await people.newPerson(account, ['auditor']);
  const secrets = [
    account.apiKey,
    account.token,
    auditor.password,
    offered,
    'argon2',
    'passwordHash',
    'sha256',
  ];
  for (const [name, route] of sessionRoutes) {
    if (route.method !== 'GET' || route.stream) continue;
    const path = `${pathOf(route)}${query(name)}`;
    const response = await fetch(`${dashboard.url}${path}`, {
      headers: { authorization: `Bearer ${auditor.token}` },
    });
    const text = await response.text();
    expect([name, secrets.filter((secret) => text.includes(secret))]).toEqual([name, []]);
    expect([name, response.status]).toEqual([name, statusOfGet(name, path)]);
  }
  const everybodys = await dashboard.request('GET', '/api/transactions?scope=all', { token: auditor.token });
  expect(everybodys).toMatchObject({ status: 200 });
  const history = await dashboard.post('/api/compliance/history/list', {}, auditor.token);
  expect(history.data.data[0]).toMatchObject({ deed: 'read', detail: { person: auditor.id } });
});

const loggedIn = async (theirs: readonly Role[]) => {
  const account = await dashboard.newAccount(operatorWallet);
  return people.newPerson(account, theirs);
};

test('each role may call what the one table says, and nothing else [dashboard.people.table]', async () => {
  for (const role of roles) {
    const { token } = await loggedIn([role]);
    for (const [name, route] of sessionRoutes) {
      if (ownDoings.includes(name) || route.stream) continue;
      const options = { token, ...(route.method === 'POST' && { body: {} }) };
      const reply = await dashboard.request(route.method, `${pathOf(route)}${query(name)}`, options);
      const isRefusedByRole = reply.status === 403 && reply.msg.startsWith('your role');
      expect([role, name, isRefusedByRole]).toEqual([role, name, !shouldCall(name, role)]);
    }
  }
});

test('roles that see one account alone do not see everybody’s transactions [dashboard.people.table]', async () => {
  for (const role of ['approver', 'merchant'] as const) {
    const { token } = await loggedIn([role]);
    for (const path of ['/api/transactions?scope=all', '/api/transactions/1?scope=all'])
      expect(await dashboard.request('GET', path, { token })).toMatchObject({ status: 403, code: 80000004 });
    expect((await people.me(token)).data.operator).toBe(false);
  }
});

test('OpenAPI says of each route who of an account’s people may call it [dashboard.people.table]', async () => {
  const document = (await (await fetch(`${dashboard.url}/openapi.json`)).json()) as Json;
  const told = document.paths['/api/mandates/intent/list'].post.description;
  expect(told).toBe('Roles: owner, admin, approver, auditor.');
});

test('a role that is lowered counts from the next request on, on every process [dashboard.people.lowered]', async () => {
  const owner = await dashboard.newAccount();
  const person = await people.newPerson(owner, ['approver']);
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const approvals = (at: TestDashboard) => at.post('/api/approvals/list', {}, person.token);
  for (const at of [dashboard, sibling]) expect(await approvals(at)).toMatchObject({ status: 200 });
  expect(await people.changeRoles(owner.token, person.id, ['merchant'])).toMatchObject({ status: 200 });
  for (const at of [dashboard, sibling])
    expect(await approvals(at)).toMatchObject({ status: 403, code: 80000004 });
});

test('a removed person’s sessions and streams end at once, on every process [dashboard.people.remove]', async () => {
  const owner = await dashboard.newAccount();
  const person = await people.newPerson(owner, ['auditor']);
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const stream = await follow(sibling.url, { authorization: `Bearer ${person.token}` });
  expect(await people.remove(owner.token, person.id)).toMatchObject({ status: 200 });
  for (const at of [dashboard, sibling])
    expect(await at.request('GET', '/api/auth/me', { token: person.token })).toMatchObject({
      status: 401,
      code: 80000019,
    });
  const begun = Date.now();
  expect(await stream.ended()).toBe(true);
  expect(Date.now() - begun).toBeLessThan(5_000);
  expect(await people.logIn(person.userName, person.password)).toMatchObject({ status: 401 });
});

test('an approver decides for their own account alone, and approves by the wallet’s signature alone [dashboard.people.approver]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const approver = await people.newPerson(mine, ['approver']);
  const ask = async ({ address, apiKey }: { address: Json; apiKey: string }, approvalId: string) =>
    dashboard.post('/api/approvals', { apiKey, ...askedOf(address, dashboard.clock.now, { approvalId }) });
  const [own, foreign] = ['apr_own_of_mine', 'apr_foreign_one'];
  const asked = await ask(mine, own);
  await ask(theirs, foreign);
  const call = (id: string, what: string, body: Json) =>
    dashboard.post(`/api/approvals/${id}/${what}`, body, approver.token);
  const byStranger = newWallet().signTypedData(asked.data.approval.typedData);
  expect(await call(own, 'approve', { signature: byStranger })).toMatchObject({
    status: 403,
    code: 80000004,
  });
  expect(await call(foreign, 'reject', {})).toMatchObject({ status: 404, code: 80000011 });
  expect(await call(own, 'reject', { reason: 'too dear' })).toMatchObject({
    status: 200,
    data: { approval: { state: 'rejected' } },
  });
});

test('a stream tells of what its reader’s role lists, and of nothing else [dashboard.people.events]', async () => {
  const owner = await dashboard.newAccount();
  const merchant = await people.newPerson(owner, ['merchant']);
  const stream = await follow(dashboard.url, { authorization: `Bearer ${merchant.token}` });
  await dashboard.newMandate(owner);
  const report = {
    serviceName: 's',
    serviceResult: 'pass',
    chain: 'base',
    payer: owner.address,
    amount: '1',
  };
  await dashboard.post('/api/transactions', { apiKey: owner.apiKey, ...report });
  expect((await stream.next())?.event).toBe('transaction');
});

test('each change is on record with the person, the deed and its outcome [dashboard.people.changes]', async () => {
  const owner = await dashboard.newAccount();
  const admin = await people.newPerson(owner, ['admin'], 'Margaret');
  const key = await dashboard.post('/api/keys', { name: 'till' }, admin.token);
  await people.invite(admin.token, ['owner']);
  const { data } = (await dashboard.request('GET', '/api/people/changes?limit=3', { token: owner.token }))
    .data;
  const by = { id: admin.id, name: 'Margaret' };
  expect(data).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(String),
      by,
      deed: 'invitePerson',
      subject: null,
      result: null,
      outcome: '80000004',
    },
    {
      id: expect.any(Number),
      at: expect.any(String),
      by,
      deed: 'createKey',
      subject: key.data.id,
      result: null,
      outcome: 'done',
    },
    expect.objectContaining({ by, deed: 'acceptInvitation', outcome: 'done' }),
  ]);
  const byHolder = (await dashboard.request('GET', '/api/people/changes', { token: owner.token })).data;
  expect(byHolder.data.at(-1)).toMatchObject({ by: { id: 'holder' }, deed: 'createKey', outcome: 'done' });
});

test('with the cookie a person’s change needs our own Origin, as the holder’s does [dashboard.people.csrf]', async () => {
  const owner = await dashboard.newAccount();
  const admin = await people.newPerson(owner, ['admin']);
  const invite = (origin: string) =>
    dashboard.request('POST', '/api/people/invitations', {
      body: { name: 'Eve', roles: ['admin'] },
      headers: { cookie: `platform_session=${admin.token}`, origin },
    });
  expect(await invite('https://evil.example')).toMatchObject({ status: 403, code: 80000004 });
  expect(await invite(dashboard.url)).toMatchObject({ status: 200 });
});

test('a person sees and ends their own sessions, an owner any of the account [dashboard.people.sessions]', async () => {
  const owner = await dashboard.newAccount();
  const [one, other] = [await people.newPerson(owner, ['auditor']), await people.newPerson(owner, ['admin'])];
  const listed = async (token: string): Promise<Json[]> =>
    (await dashboard.request('GET', '/api/auth/sessions', { token })).data.data;
  const whose = (await listed(owner.token)).map(({ person }) => person.id);
  expect(new Set(whose)).toEqual(new Set([one.id, other.id, 'holder']));
  const [mine, ...rest] = await listed(other.token);
  expect([mine.current, rest]).toEqual([true, []]);
  const end = (token: string, id: string) =>
    dashboard.request('DELETE', `/api/auth/sessions/${id}`, { token });
  expect(await end(one.token, mine.id)).toMatchObject({ status: 404, code: 80000011 });
  expect(await end(owner.token, mine.id)).toMatchObject({ status: 200 });
  expect(await people.me(other.token)).toMatchObject({ status: 401 });
  const { data } = (await dashboard.request('GET', '/api/people/changes?limit=1', { token: owner.token }))
    .data;
  expect(data).toMatchObject([
    { by: { id: 'holder' }, deed: 'revokeSession', subject: other.id, result: mine.id, outcome: 'done' },
  ]);
});
