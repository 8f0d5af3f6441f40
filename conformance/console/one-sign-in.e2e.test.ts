import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { startShop } from '@countersign/local/demo-shop/shop';
import type { HttpServer } from '@countersign/local/http-server';
import { connectVault } from '@countersign/sdk/vault';
import { createLogger } from '@countersign/service/logger';
import { type AssertedTo, type SignedIn, writeAssertion } from '@countersign/service/person-assertion';
import { Pool } from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Approvers, withApprovers } from '../control-plane/fixtures/approvers.ts';
import { callsTo } from '../control-plane/fixtures/calls.ts';
import { signIn, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { startWithOneSignIn } from './fixtures/one-sign-in.ts';
import { newPerson } from './fixtures/people.ts';
import { signInToVault } from './fixtures/vault.ts';

let world: Awaited<ReturnType<typeof startWithOneSignIn>>;
let control: Approvers;
let database: Pool;
let shop: HttpServer;
let visit: Visit;
const customer = { username: 'ada.morris', password: 'correct horse battery staple' };
beforeAll(async () => {
  const log = createLogger('shop', 'silent');
  [world, shop] = await Promise.all([
    startWithOneSignIn(),
    startShop({ host: '127.0.0.1', port: 0, customer, log }),
  ]);
  const databaseUrl = world.card.databaseUrl ?? '';
  database = new Pool({ connectionString: databaseUrl, max: 2 });
  control = await withApprovers(callsTo(world.card), databaseUrl);
  visit = await world.visit({ wallet: world.owner.testWallet });
  await visit.context.addInitScript(eavesdrop);
  await signIn(visit);
});
afterAll(async () => {
  await control?.database.end();
  await database?.end();
  await world?.stop();
  await shop?.stop();
});

/** A script that got into the page: it hears whatever the page's own scripts send and read. */
const eavesdrop = `
  window.heard = [];
  const hear = (what) => window.heard.push(String(what));
  const realFetch = window.fetch;
  window.fetch = async (input, init) => {
    hear(JSON.stringify([String(input), init && init.headers, init && init.body]));
    const answer = await realFetch(input, init);
    answer.clone().text().then(hear, () => {});
    return answer;
  };
  const RealSocket = window.WebSocket;
  window.WebSocket = function (url, protocols) { hear(JSON.stringify(protocols)); return new RealSocket(url, protocols); };
  Object.assign(window.WebSocket, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
`;

/** All that such a script could send away of this page. */
const heardIn = (page: Page): Promise<string> =>
  page.evaluate<string>(
    '[...heard, document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join("\\n")',
  );
const tokens = /v4\.local\.[\w-]|csk_(?:approver|person)_[\w-]|platform_session=/;

const decision = (decided: 'approve' | 'deny') => ({
  method: 'POST',
  body: JSON.stringify({ decision: decided }),
});
const credentials = '/relay/vault/api/v1/credentials';
const executions = '/control/v1/executions';

test('after one sign-in vault and control plane are open, and still are after a reload; no token is in the page [system.one-sign-in.session] [system.one-sign-in.no-token-in-page]', async () => {
  const { page, faults } = visit;
  const name = `Wallet’s holder (${world.owner.testWallet.account.address})`;
  await page.goto('/vault/credentials');
  await page.getByText(`Signed in to the vault as ${name}`).waitFor();
  await page.getByText('No credentials yet').waitFor();
  await page.reload();
  await page.getByText(`Signed in to the vault as ${name}`).waitFor();
  await expectAccessible(page, 'Credentials-one-sign-in');
  await page.goto('/actions');
  await page.getByText(`Signed in as ${name}`).waitFor();
  await page.reload();
  await page.getByText(`Signed in as ${name}`).waitFor();
  await expectAccessible(page, 'Actions-one-sign-in');
  expect(await page.getByLabel('Approver key').count()).toBe(0);
  expect(await heardIn(page)).not.toMatch(tokens);
  expect(faults).toEqual([]);

  // The control: who logs in at the vault itself, as before, holds the token in the page, and loses it on reload.
  const other = await world.visit({ wallet: (await world.newOwner()).testWallet });
  await other.context.addInitScript(eavesdrop);
  await signIn(other);
  await other.page.goto('/vault/credentials');
  const user = world.card.vaultUser;
  if (user === null) throw new Error('no user of the vault');
  await signInToVault(other, user);
  expect(await heardIn(other.page)).toMatch(tokens);
  await other.page.reload();
  await other.page.getByLabel('User name').waitFor();
  await other.close();
});

test('a session of the vault’s browser is followed live by the console’s session alone [system.one-sign-in.live]', async () => {
  const { page } = visit;
  const user = world.card.vaultUser;
  if (user === null || world.card.vaultUrl === null) throw new Error('no vault');
  const agent = connectVault({ url: world.card.vaultUrl, as: user, trust: { simulated: true } });
  const kept = await agent.createCredential({
    body: {
      service_id: 'shop',
      credential_type: 'username_password',
      plaintext_data: customer,
      allowed_urls: [shop.url],
    },
  });
  if (kept.kind !== 'ok') throw new Error('no credential');
  const opened = await agent.createSession({
    body: {
      credential_ids: [kept.data.id],
      task: 'Look around',
      allowed_urls: [shop.url],
      start_url: `${shop.url}/login`,
      approval: 'human',
    },
  });
  if (opened.kind !== 'ok') throw new Error('no session');
  await page.goto(`/vault/sessions/${opened.data.id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('img', { name: /session’s current page/ }).waitFor();
  expect(await heardIn(page)).not.toMatch(tokens);

  // Whoever signs out hears no more, at once.
  const watcher = await newPerson(world, world.owner, 'A watcher', ['owner']);
  const events = `/relay/vault/api/v1/sandbox/sessions/${opened.data.id}/events`;
  const stream = (await world.ask(events, watcher.token)).body?.getReader();
  if (stream === undefined) throw new Error('no stream');
  const heard = async (): Promise<string | null> => {
    const { done, value } = await stream.read();
    return done ? null : Buffer.from(value).toString();
  };
  let all = '';
  while (!all.includes('session.state')) {
    const more = await heard();
    if (more === null) throw new Error(`the stream ended after ${all}`);
    all += more;
  }
  await world.dashboard.logout({ token: watcher.token });
  while ((await heard()) !== null);

  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Close session' }).click();
  await page.getByText('Session closed. Its browser was destroyed.').waitFor();
  await agent.close();
});

test('each role reaches its own rooms elsewhere, reads where it only reads, and another account reaches none [system.one-sign-in.roles] [system.one-sign-in.tenant]', async () => {
  const { owner, ask } = world;
  const id = (await control.request(await control.newPolicy())).data.execution_id;
  const may: Record<string, readonly number[]> = {};
  for (const role of ['owner', 'admin', 'approver', 'auditor', 'operator', 'merchant'] as const) {
    const { token } = await newPerson(world, owner, `A ${role}`, [role]);
    const made = { method: 'POST', body: JSON.stringify({ name: 'x', scopes: ['credential:read'] }) };
    may[role] = [
      (await ask(credentials, token)).status,
      (await ask('/relay/vault/api/v1/tokens', token, made)).status,
      (await ask(executions, token)).status,
      (await ask(`${executions}/${id}/decision`, token, { method: 'POST', body: '{}' })).status,
    ];
  }
  // A decision without a body is refused only where one may be made at all.
  expect(may).toEqual({
    owner: [200, 201, 200, 400],
    admin: [200, 403, 200, 400],
    approver: [403, 403, 200, 400],
    auditor: [200, 403, 200, 403],
    operator: [403, 403, 403, 403],
    merchant: [403, 403, 403, 403],
  });
  const stranger = await world.newOwner();
  for (const path of [credentials, executions, `${executions}/${id}`])
    expect((await ask(path, stranger.token)).status).toBe(403);
  // What is not handed on is nowhere, whoever asks.
  for (const path of [
    '/relay/vault/api/v1/auth/person',
    '/relay/vault/metrics',
    '/control/v1/people/sign-in',
  ])
    expect((await ask(path, owner.token)).status).toBe(404);
});

test('whoever has no part in vault or control plane, as the demo’s operator, is told so beside their own log-ins [system.one-sign-in.no-part]', async () => {
  const stranger = await world.newOwner();
  const visit = await world.visit({ wallet: stranger.testWallet });
  await signIn(visit);
  for (const [path, name, form] of [
    ['/vault/credentials', 'vault', 'Sign in to the vault'],
    ['/actions', 'control plane', 'Enter your key'],
  ] as const) {
    await visit.page.goto(path);
    await visit.page.getByRole('region', { name: form }).waitFor();
    await visit.page.getByText(`Your sign-in opens nothing in this ${name}`).waitFor();
    await expectAccessible(visit.page, `No part in the ${name}`);
    expect(await visit.page.getByRole('alert').count()).toBe(0);
  }
  await visit.close();
});

test('who decided is in the record by name; nobody of the same account counts twice, or decides what is done for them [system.one-sign-in.by-person] [system.one-sign-in.quorum]', async () => {
  const { owner, ask } = world;
  const people = await Promise.all(
    ['Olga Approver', 'Piet Approver'].map((name) => newPerson(world, owner, name, ['approver'])),
  );
  const [olga, piet] = people.map(({ token }) => token) as [string, string];
  const decide = (token: string, id: string, said: 'approve' | 'deny') =>
    ask(`${executions}/${id}/decision`, token, decision(said));
  const two = (await control.request(await control.newPolicy({ quorum: 2 }))).data.execution_id;
  expect((await decide(olga, two, 'approve')).status).toBe(200);
  const [record] = await control.records(1);
  expect(record).toMatchObject({
    eventType: 'human_approval_received',
    actor: expect.stringMatching(/^key:approver:Olga Approver \(per_[\w-]+\)$/),
  });
  const again = await decide(piet, two, 'approve');
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('of your account')]);
  // The control: a key of the control plane’s own counts as the second.
  const key = await control.newKey('approver', 'the other side');
  expect((await control.decide(key, two)).status).toBe(200);
  const own = { user_id: 'olga approver' };
  const forHer = (await control.request(await control.newPolicy(), own)).data.execution_id;
  const refused = await decide(olga, forHer, 'approve');
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('self_approval')]);
  expect((await decide(piet, forHer, 'deny')).status).toBe(200);
  // What is done for the account's wallet is done for each of its people: neither now nor in advance do they say yes to it.
  const policy = await control.newPolicy();
  const forAll = { user_id: owner.wallet.address.toLowerCase() };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const inAdvance = { policy_id: policy, service: 'bank', action: 'pay', max_executions: 5, expires_at };
  const batch = { method: 'POST', body: JSON.stringify(inAdvance) };
  expect((await ask('/control/v1/batch-authorizations', olga, batch)).status).toBe(201);
  const ours = (await control.request(policy, forAll)).data;
  expect(ours.status).toBe('pending_hitl');
  for (const token of [olga, piet]) {
    const answer = await decide(token, ours.execution_id, 'approve');
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('self_approval')]);
  }
  // The control: for another the batch stands in.
  expect((await control.request(policy)).data.status).not.toBe('pending_hitl');
});

test('a page of another site, or of another port, changes nothing elsewhere with the cookie, and reads nothing [system.one-sign-in.csrf]', async () => {
  const { owner, ask } = world;
  const made = JSON.stringify({ name: 'theirs', scopes: ['admin'] });
  const tokensPath = '/relay/vault/api/v1/tokens';
  for (const origin of ['https://evil.example', 'http://127.0.0.1:9', 'null']) {
    const headers = { origin };
    expect((await ask(tokensPath, owner.token, { method: 'POST', body: made, headers })).status).toBe(403);
  }
  const id = (await control.request(await control.newPolicy())).data.execution_id;
  const headers = { origin: 'https://evil.example' };
  const path = `${executions}/${id}/decision`;
  expect((await ask(path, owner.token, { ...decision('approve'), headers })).status).toBe(403);
  for (const site of ['cross-site', 'same-site'])
    expect((await ask(credentials, owner.token, { headers: { 'sec-fetch-site': site } })).status).toBe(403);
  // The control: from the console’s own origin both are done.
  expect((await ask(tokensPath, owner.token, { method: 'POST', body: made })).status).toBe(201);
  expect((await ask(path, owner.token, decision('approve'))).status).toBe(200);
});

/** Whether any token of this person still counts, at the vault and at the control plane. */
async function livingTokens(name: string): Promise<number> {
  const like = `${name} (%`;
  const { rows } = await database.query<{ count: number }>(
    `select (select count(*) from vault.token where account like $1 and revoked_at is null)::int
       + (select count(*) from control_plane.person_token t join control_plane.api_key k on k.id = t.key_id
          where k.name like $1 and k.revoked_at is null)::int as count`,
    [like],
  );
  return rows[0]?.count ?? -1;
}

test('signing out, a change of roles and a removal end what was exchanged, and what a removed owner gave to agents [system.one-sign-in.ends]', async () => {
  const { owner, ask, dashboard } = world;
  const use = async (token: string) => [
    (await ask(credentials, token)).status,
    (await ask(executions, token)).status,
  ];

  const leaver = await newPerson(world, owner, 'Leaver', ['auditor']);
  expect(await use(leaver.token)).toEqual([200, 200]);
  expect(await livingTokens('Leaver')).toBe(2);
  await dashboard.logout({ token: leaver.token });
  expect(await use(leaver.token)).toEqual([401, 401]);
  await expect.poll(() => livingTokens('Leaver')).toBe(0);

  const changed = await newPerson(world, owner, 'Changed', ['owner']);
  const idOf = async (name: string) => {
    const people = await dashboard.listPeople({ token: owner.token });
    if (people.kind !== 'ok') throw new Error('no people');
    return people.data.data.find((person) => person.name === name)?.id ?? '';
  };
  expect(await use(changed.token)).toEqual([200, 200]);
  const { rows: before } = await database.query(`select id from vault.token where account like 'Changed (%'`);
  const roles = {
    token: owner.token,
    params: { id: await idOf('Changed') },
    body: { roles: ['merchant' as const] },
  };
  expect((await dashboard.changeRoles(roles)).kind).toBe('ok');
  expect(await use(changed.token)).toEqual([403, 403]);
  await expect.poll(() => livingTokens('Changed')).toBe(0);
  expect(before).toHaveLength(1);
  const back = { ...roles, body: { roles: ['auditor' as const] } };
  expect((await dashboard.changeRoles(back)).kind).toBe('ok');
  await expect.poll(() => use(changed.token)).toEqual([200, 200]);

  const removed = await newPerson(world, owner, 'Removed', ['owner']);
  const made = { method: 'POST', body: JSON.stringify({ name: 'agent', scopes: ['credential:use'] }) };
  const given = (await (await ask('/relay/vault/api/v1/tokens', removed.token, made)).json()) as {
    token: string;
  };
  const agentMay = async () =>
    (
      await fetch(new URL('/api/v1/credentials', world.vaultWire.url), {
        headers: { authorization: `Bearer ${given.token}` },
      })
    ).status;
  expect(await agentMay()).toBe(200);
  // The vault is away when it should hear of it, and hears of it later.
  world.vaultWire.cut((path) => path.endsWith('/end'));
  const params = { id: await idOf('Removed') };
  expect((await dashboard.removePerson({ token: owner.token, params })).kind).toBe('ok');
  expect(await use(removed.token)).toEqual([401, 401]);
  world.vaultWire.mend();
  await expect.poll(agentMay).toBe(401);
  await expect.poll(() => livingTokens('Removed')).toBe(0);
  await expect
    .poll(async () => (await database.query('select from dashboard.person_ending')).rowCount)
    .toBe(0);
});

test('in the browser each role is led to its own rooms, and signing out closes them all [system.one-sign-in.roles] [system.one-sign-in.ends]', async () => {
  const enter = async (roles: Parameters<typeof newPerson>[3], name: string) => {
    const person = await newPerson(world, world.owner, name, roles);
    const there = await world.visit({ wallet: null });
    const { page } = there;
    await page.goto('/sign-in');
    await page.getByLabel('User name').fill(person.userName);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    return there;
  };
  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name, exact: true });
  const approver = await enter(['approver'], 'Vera Approver');
  await link(approver.page, 'Batch approvals').waitFor();
  expect(await link(approver.page, 'Attestation').count()).toBe(0);
  await approver.page.goto('/actions');
  await approver.page.getByText(/Signed in as Vera Approver/).waitFor();
  expect(approver.faults).toEqual([]);
  await approver.close();

  const auditor = await enter(['auditor'], 'Udo Auditor');
  const { page } = auditor;
  await link(page, 'Attestation').waitFor();
  await page.goto('/vault/audit');
  await page.getByText(/Signed in to the vault as Udo Auditor/).waitFor();
  await control.request(await control.newPolicy());
  await page.goto('/actions');
  await page.getByText(/Signed in as Udo Auditor/).waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  expect(await livingTokens('Udo Auditor')).toBe(2);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in**');
  await expect.poll(() => livingTokens('Udo Auditor')).toBe(0);
  expect(auditor.faults).toEqual([]);
  await auditor.close();
});

test('the control plane takes an assertion once, for itself, of this dashboard, and for an account that has a tenant there [control-plane.people.assertion] [control-plane.people.clock-skew]', async () => {
  const calls = callsTo(world.card);
  const show = (assertion: string, path = 'sign-in') =>
    calls.ask('POST', `/v1/people/${path}`, { body: { assertion } });
  const account = world.owner.wallet.address;
  const who = { account, person: 'per_direct', name: 'Dora', roles: ['approver'], session: null } as const;
  const key = createPrivateKey(await readFile(world.signInKey));
  const say = (
    more: Partial<SignedIn> = {},
    sinceSeconds = 0,
    to: AssertedTo = 'countersign-control-plane',
  ) =>
    writeAssertion(
      key,
      to,
      { ...who, ...more },
      {
        id: randomUUID(),
        now: new Date(Date.now() - sinceSeconds * 1000),
      },
    );
  const text = await say();
  const entered = await show(text);
  expect([entered.status, entered.data.name]).toEqual([200, 'Dora (per_direct)']);
  const { token } = entered.data;
  const may = async () => (await calls.ask('GET', '/v1/executions', { key: token })).status;
  expect(await may()).toBe(200);
  expect((await calls.ask('GET', '/v1/executions', { key: text })).status).toBe(401);
  expect((await show(await say({}, -50))).status).toBe(200);
  const refused = [
    text,
    await say({}, 0, 'countersign-vault'),
    await say({}, 200),
    await say({}, -300),
    await writeAssertion(generateKeyPairSync('ed25519').privateKey, 'countersign-control-plane', who, {
      id: randomUUID(),
      now: new Date(),
    }),
  ];
  for (const each of refused) expect((await show(each)).status).toBe(401);
  const stranger = await world.newOwner();
  expect((await show(await say({ account: stranger.wallet.address }))).status).toBe(403);
  expect((await show(await say({ roles: ['operator'] }))).status).toBe(403);

  // What they approved in advance ends with them.
  const policy = await control.newPolicy();
  const batch = { policy_id: policy, service: 'bank', action: 'pay', max_executions: 5 };
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const made = await calls.ask('POST', '/v1/batch-authorizations', {
    key: token,
    body: { ...batch, expires_at },
  });
  expect(made.status).toBe(201);
  expect((await control.request(policy)).data.status).not.toBe('pending_hitl');
  const earlier = await say();
  expect((await show(await say({ roles: [] }), 'end')).data).toEqual({ revoked: 2 });
  expect(await may()).toBe(401);
  expect((await show(earlier)).status).toBe(401);
  expect((await control.request(policy)).data.status).toBe('pending_hitl');
  // Whom the dashboard lets in again is somebody of the same id, with nothing of what was ended.
  const again = await show(await say());
  expect([again.status, again.data.name]).toEqual([200, 'Dora (per_direct)']);
  expect(await may()).toBe(401);
  // An account that is not linked any more has people to be ended still.
  expect((await show(await say({ account: stranger.wallet.address, roles: [] }), 'end')).status).toBe(200);
});
