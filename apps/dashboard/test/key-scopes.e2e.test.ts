import { randomBytes } from 'node:crypto';
import { gatewayScopes, type KeyScope, keyScopes } from '@countersign/protocol/dashboard/key-scopes';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from './agents.ts';
import { askedOf } from './approvals.ts';
import {
  type Json,
  newWallet,
  openDashboard,
  paymentOf,
  type Reply,
  type TestDashboard,
} from './dashboard.ts';
import { demoFile, importInto } from './sanctions.ts';

let dashboard: TestDashboard;
let agents: ReturnType<typeof agentCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  agents = agentCalls(dashboard);
  await importInto(dashboard, { from: demoFile, kind: 'demonstration' });
});
afterAll(() => dashboard.stop());

type Owner = Awaited<ReturnType<TestDashboard['newAccount']>>;
type Agent = Awaited<ReturnType<typeof agents.newAgent>> & { readonly mandateId: string };
type KeyRoute = {
  [K in keyof typeof dashboardRoutes]: (typeof dashboardRoutes)[K] extends { readonly auth: 'api-key' }
    ? K
    : never;
}[keyof typeof dashboardRoutes];

const newId = () => `id_${randomBytes(8).toString('hex')}`;
const newKey = async ({ token }: Pick<Owner, 'token'>, reach: object = {}): Promise<Json> => {
  const reply = await dashboard.post('/api/keys', { name: 'gateway', ...reach }, token);
  expect(reply).toMatchObject({ status: 200 });
  return reply.data;
};
const listed = async ({ token }: Pick<Owner, 'token'>): Promise<readonly Json[]> =>
  (await dashboard.request('GET', '/api/keys', { token })).data.data;

/** An agent with a mandate of its own. */
async function newAgent(owner: Owner): Promise<Agent> {
  const agent = await agents.newAgent(owner);
  return { ...agent, mandateId: await agents.newMandateFor(owner, agent.address) };
}

/** Something of an agent that each route can be asked about: it exists, whoever asks. */
async function subjectOf(owner: Owner, agent: Agent) {
  const [holdId, used, known] = [newId(), newId(), newId()];
  const { apiKey } = owner;
  await dashboard.post('/api/mandates/intent/hold', {
    apiKey,
    holdId,
    mandateId: agent.mandateId,
    amount: '0.1',
    ttlSeconds: 600,
  });
  for (const approvalId of [used, known])
    await dashboard.post('/api/approvals', { apiKey, ...askedBy(agent, approvalId) });
  return { owner, agent, holdId, used, known };
}
type Subject = Awaited<ReturnType<typeof subjectOf>>;

const askedBy = (agent: Agent, approvalId: string) =>
  askedOf(agent.address, dashboard.clock.now, { approvalId });

/** How a gateway asks each route about an agent. A route that is not here is a type error. */
const asks: Readonly<Record<KeyRoute, (subject: Subject) => object>> = {
  publicKey: ({ owner }) => ({ walletAddress: owner.address }),
  announceAgent: ({ owner, agent }) => ({
    agentWallet: agent.address,
    signature: agents.consent(owner.address, agent.wallet),
  }),
  announceGateway: ({ agent }) => ({ agentWallet: agent.address, resource: 'https://gateway.example/mcp' }),
  introspectTokens: () => ({ tokenHashes: ['ab'.repeat(32)] }),
  kycCheck: ({ agent }) => ({ walletAddress: agent.address }),
  kytCheck: ({ agent }) => ({ walletAddress: agent.address }),
  mandateCredential: ({ agent }) => ({ payerWalletAddress: agent.address }),
  holdMandate: ({ agent }) => ({
    holdId: newId(),
    mandateId: agent.mandateId,
    amount: '0.1',
    ttlSeconds: 60,
  }),
  releaseHold: ({ holdId }) => ({ holdId }),
  createApproval: ({ agent }) => askedBy(agent, newId()),
  getApproval: ({ known }) => ({ approvalId: known }),
  useApproval: ({ used }) => ({ approvalId: used }),
  reportTransaction: ({ agent }) => paymentOf(agent.address, { intentMandateId: agent.mandateId }),
};
const routes = Object.keys(asks) as KeyRoute[];
const ask = (route: KeyRoute, apiKey: string, subject: Subject): Promise<Reply> =>
  dashboard.post(dashboardRoutes[route].path, { apiKey, ...asks[route](subject) });

test('each route answers a key that has its scope, and no other key [dashboard.key.scopes] [dashboard.key.scopes.refused]', async () => {
  const owner = await dashboard.newAccount();
  const agent = await newAgent(owner);
  for (const scope of keyScopes) {
    const { apiKey } = await newKey(owner, { scopes: [scope] });
    const subject = await subjectOf(owner, agent);
    for (const route of routes) {
      const needed: KeyScope = dashboardRoutes[route].scope;
      const { status, code, data, msg } = await ask(route, apiKey, subject);
      const told = code === 80000004 ? [status, data, msg.includes(needed)] : [status];
      const good = [route === 'reportTransaction' ? 201 : 200];
      expect([route, scope, told]).toEqual([
        route,
        scope,
        needed === scope ? good : [403, { missingScope: needed }, true],
      ]);
    }
  }
});

test('a key without scopes asks all that keys could ask before [dashboard.key.unscoped]', async () => {
  const owner = await dashboard.newAccount();
  const subject = await subjectOf(owner, await newAgent(owner));
  const all = await newKey(owner, { scopes: gatewayScopes });
  expect(all.scopes).toEqual(gatewayScopes);
  for (const { apiKey } of [owner, all]) {
    for (const route of routes.filter((each) => each !== 'useApproval'))
      expect([route, (await ask(route, apiKey, subject)).code]).toEqual([route, 80000000]);
  }
  expect(await ask('useApproval', owner.apiKey, subject)).toMatchObject({ status: 200 });
});

/** What a key of another agent is told. Screening and public keys are of any counterparty. */
const toAnother: Readonly<Record<KeyRoute, number>> = {
  publicKey: 200,
  kycCheck: 200,
  kytCheck: 200,
  announceAgent: 403,
  announceGateway: 403,
  introspectTokens: 200,
  mandateCredential: 403,
  createApproval: 403,
  reportTransaction: 403,
  holdMandate: 404,
  releaseHold: 404,
  getApproval: 404,
  useApproval: 404,
};

test('a key of one agent moves nothing of another agent or of the owner [dashboard.key.agent]', async () => {
  const owner = await dashboard.newAccount();
  const [a, b] = [await newAgent(owner), await newAgent(owner)];
  const ofA = await newKey(owner, { agentWallet: a.address });
  const [aboutA, aboutB] = [await subjectOf(owner, a), await subjectOf(owner, b)];
  const mandateOf = async (agent: Agent) => (await agents.lookUp(owner, agent.address)).data;
  const before = await mandateOf(b);
  for (const route of routes)
    expect([route, (await ask(route, ofA.apiKey, aboutB)).status]).toEqual([route, toAnother[route]]);
  expect(await mandateOf(b)).toEqual(before);
  const own = await dashboard.newMandate(owner);
  expect(await agents.lookUp(ofA, owner.address)).toMatchObject({ status: 403 });
  expect(await ask('holdMandate', ofA.apiKey, { ...aboutB, agent: { ...b, mandateId: own } })).toMatchObject({
    status: 404,
  });
  // The same of its own agent; and of B by a key that is nobody's alone.
  for (const [apiKey, subject] of [
    [ofA.apiKey, aboutA],
    [owner.apiKey, aboutB],
  ] as const) {
    for (const route of routes)
      expect([route, (await ask(route, apiKey, subject)).code]).toEqual([route, 80000000]);
  }
});

test('paid by another agent, a key’s own agent charges nothing of the payer’s [dashboard.key.agent.report]', async () => {
  const owner = await dashboard.newAccount();
  const [a, b] = [await newAgent(owner), await newAgent(owner)];
  const { apiKey } = await newKey(owner, { agentWallet: a.address });
  const report = (body: object) => dashboard.post('/api/transactions', { apiKey, ...body });
  const fromB = paymentOf(b.address, { payee: a.address, amount: '0.5' });
  expect(await report({ ...fromB, intentMandateId: b.mandateId })).toMatchObject({ status: 403, data: null });
  expect(await report({ ...fromB, intentMandateId: b.mandateId, serviceResult: 'reject' })).toMatchObject({
    status: 403,
  });
  expect(await report(fromB)).toMatchObject({ status: 201 });
  // With its own budget nobody else’s payment is paid, and its hold takes none of theirs.
  expect(await report(paymentOf(a.address, { intentMandateId: b.mandateId }))).toMatchObject({ status: 403 });
  expect((await agents.lookUp(owner, b.address)).data.mandate.usedAmount).toBe('0');
  // Without parties it is its own payment, not the owner’s.
  const { id } = (await report({ serviceName: 'quotes', serviceResult: 'error', chain: 'base' })).data;
  const read = await dashboard.request('GET', `/api/transactions/${id}`, { token: owner.token });
  expect(read.data.transaction.payer).toBe(a.address);
});

test('a key of one agent cannot report another’s payment first; its own is one payment by whatever key [dashboard.key.agent.report]', async () => {
  const owner = await dashboard.newAccount();
  const [a, b] = [await newAgent(owner), await newAgent(owner)];
  const [ofA, ofB] = [
    await newKey(owner, { agentWallet: a.address }),
    await newKey(owner, { agentWallet: b.address }),
  ];
  const used = async (agent: Agent) => (await agents.lookUp(owner, agent.address)).data.mandate.usedAmount;
  const report = ({ apiKey }: Json, agent: Agent, more: object) =>
    dashboard.post('/api/transactions', {
      apiKey,
      ...paymentOf(agent.address, { amount: '0.25', intentMandateId: agent.mandateId, ...more }),
    });
  for (const genuine of [ofB, owner]) {
    const [txHash, traceId] = [`0x${randomBytes(32).toString('hex')}`, newId()];
    for (const same of [{ txHash }, { metadata: { traceId } }]) {
      expect(await report(ofA, a, same)).toMatchObject({ status: 201 });
      expect(await report(genuine, b, same)).toMatchObject({ status: 201 });
      // Sent again with the key that came after it, or the one before.
      for (const again of [ofB, owner])
        expect(await report(again, b, same)).toMatchObject({ status: 409, code: 80000003 });
    }
  }
  expect([await used(a), await used(b)]).toEqual(['1', '1']);
});

test('a key of one agent ends with it, and there is none for a wallet that is no agent [dashboard.key.agent.ends]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const [a, b] = [await newAgent(owner), await newAgent(owner)];
  const [ofA, ofB] = [
    await newKey(owner, { agentWallet: a.address }),
    await newKey(owner, { agentWallet: b.address }),
  ];
  await agents.revoke(owner, a.agentId);
  expect(await agents.lookUp(ofA, a.address)).toMatchObject({ status: 401, code: 80000040 });
  for (const apiKey of [ofB.apiKey, owner.apiKey])
    expect(await agents.lookUp({ apiKey }, b.address)).toMatchObject({ status: 200 });
  for (const agentWallet of [a.address, newWallet().address, owner.address, (await newAgent(other)).address])
    expect(await dashboard.post('/api/keys', { name: 'x', agentWallet }, owner.token)).toMatchObject({
      status: 404,
      code: 80000011,
    });
});

test('stopping an agent ends its mandate and its keys in one act, which the agent’s record keeps [dashboard.agents.stop]', async () => {
  const owner = await dashboard.newAccount();
  const [a, b] = [await newAgent(owner), await newAgent(owner)];
  const [one, two] = [
    await newKey(owner, { agentWallet: a.address }),
    await newKey(owner, { agentWallet: a.address }),
  ];
  const [ended, ofB] = [
    await newKey(owner, { agentWallet: a.address }),
    await newKey(owner, { agentWallet: b.address }),
  ];
  await dashboard.request('DELETE', `/api/keys/${ended.id}`, { token: owner.token });
  const at = dashboard.clock.now.toISOString();
  const keys = expect.arrayContaining([one.id, two.id]);
  const stop = { at, mandates: [a.mandateId], keys, connections: [] };
  const stopped = (await agents.revoke(owner, a.agentId)).data.agent;
  expect(stopped).toMatchObject({ state: 'revoked', stop });
  expect(stopped.stop.keys).toHaveLength(2);
  const revokedAt = (await listed(owner))
    .filter(({ id }) => stopped.stop.keys.includes(id))
    .map((key) => key.revokedAt);
  expect(revokedAt).toEqual([at, at]);
  // Once more, later, it says the same.
  dashboard.clock.advance(1000);
  expect((await agents.revoke(owner, a.agentId)).data.agent).toEqual(stopped);
  const [other] = (await agents.list(owner, { state: 'active' })).data;
  expect(other).toMatchObject({ agentId: b.agentId, stop: null });
  expect(await agents.lookUp(ofB, b.address)).toMatchObject({ status: 200 });
});

test('a key of an agent that its owner has not signed for reports nothing [dashboard.key.agent]', async () => {
  const owner = await dashboard.newAccount();
  const wallet = newWallet();
  await agents.announce(owner, wallet);
  const early = await newKey(owner, { agentWallet: wallet.address });
  const report = () =>
    dashboard.post('/api/transactions', { apiKey: early.apiKey, ...paymentOf(wallet.address) });
  expect(await report()).toMatchObject({ status: 403 });
  const [{ agentId }] = (await agents.list(owner)).data;
  const terms = (await agents.prepare(owner, agentId, { name: 'Research', validDays: 90 })).data;
  expect((await agents.sign(owner, terms)).status).toBe(200);
  expect(await report()).toMatchObject({ status: 201 });
});

test('a key ends with its agent, also when a process stopped it that knows no such keys [dashboard.agents.stop]', async () => {
  const owner = await dashboard.newAccount();
  const agent = await newAgent(owner);
  const ofAgent = await newKey(owner, { agentWallet: agent.address });
  expect(await agents.lookUp(ofAgent, agent.address)).toMatchObject({ status: 200 });
  const { storage } = dashboard.config;
  const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
  await client.connect();
  await client.query('update dashboard.agent_wallet set revoked_at = now() where id = $1', [agent.agentId]);
  await client.end();
  expect(await agents.lookUp(ofAgent, agent.address)).toMatchObject({ status: 401 });
});

test('each agent has what it spent, what was refused to it, and when it was last seen [dashboard.agents.activity]', async () => {
  const owner = await dashboard.newAccount();
  const [a, b] = [await newAgent(owner), await newAgent(owner)];
  const activityOf = async ({ agentId }: Agent) =>
    (await agents.list(owner)).data.find((each: Json) => each.agentId === agentId).activity;
  const nothing = { lastSeenAt: null, days: 30, spent: '0', payments: 0, refused: 0 };
  expect(await activityOf(a)).toEqual(nothing);
  const report = (apiKey: string, more: Readonly<Record<string, unknown>> = {}) =>
    dashboard.post('/api/transactions', { apiKey, ...paymentOf(a.address, more) });
  const now = dashboard.clock.now.toISOString();
  await report(owner.apiKey, { amount: '0.25' });
  await report(owner.apiKey, { amount: '0.000001' });
  await report(owner.apiKey, { amount: '3', serviceResult: 'reject' });
  await report(owner.apiKey, { amount: '4', serviceResult: 'error' });
  // What a stranger says of it counts for nothing.
  const stranger = await dashboard.newAccount();
  await report(stranger.apiKey, { amount: '5', payee: stranger.address });
  const lately = { days: 30, spent: '0.250001', payments: 2, refused: 1 };
  expect(await activityOf(a)).toEqual({ ...lately, lastSeenAt: expect.any(String) });
  expect((await activityOf(a)).lastSeenAt >= now).toBe(true);
  expect(await activityOf(b)).toEqual(nothing);
  // A key of its own tells that it is there, before it pays.
  const { apiKey } = await newKey(owner, { agentWallet: b.address });
  await agents.lookUp({ apiKey }, b.address);
  await expect.poll(async () => (await activityOf(b)).lastSeenAt).toBe(now);
});

test('a key has its scopes, agent and expiry in every answer, and hands them on when rolled [dashboard.key.reach] [dashboard.key.roll.same]', async () => {
  const owner = await dashboard.newAccount();
  const { address } = await newAgent(owner);
  const reach = { scopes: ['report', 'mandates:read'], agentWallet: address };
  const made = await newKey(owner, { ...reach, validDays: 30 });
  const inDays = (days: number) => new Date(dashboard.clock.now.getTime() + days * 86_400_000).toISOString();
  expect(made).toMatchObject({ ...reach, expiresAt: inDays(30) });
  expect((await listed(owner))[0]).toMatchObject({ id: made.id, ...reach, expiresAt: made.expiresAt });
  expect((await listed(owner))[1]).toMatchObject({ scopes: null, agentWallet: null, expiresAt: null });
  dashboard.clock.advance(86_400_000);
  const { token } = await dashboard.newAccount(owner.wallet);
  const rolled = (await dashboard.post(`/api/keys/${made.id}/roll`, {}, token)).data;
  expect(rolled).toMatchObject({ name: made.name, ...reach, expiresAt: inDays(30) });
});

test('an expired key is told so, and what to do; rolled it works again [dashboard.key.expiry]', async () => {
  const owner = await dashboard.newAccount();
  const key = await newKey(owner, { validDays: 1 });
  const lookUp = ({ apiKey }: Json) =>
    dashboard.post('/api/accounts/public-key', { apiKey, walletAddress: owner.address });
  dashboard.clock.advance(86_400_000 - 1);
  expect(await lookUp(key)).toMatchObject({ status: 200 });
  dashboard.clock.advance(1);
  const refused = await lookUp(key);
  expect(refused).toMatchObject({ status: 401, code: 80000040, data: null });
  expect(refused.msg).toContain(`expired at ${key.expiresAt}: roll it in the console`);
  const { token } = await dashboard.newAccount(owner.wallet);
  const rolled = (await dashboard.post(`/api/keys/${key.id}/roll`, { graceSeconds: 3600 }, token)).data;
  expect(await lookUp(rolled)).toMatchObject({ status: 200 });
  expect(await lookUp(key)).toMatchObject({ status: 401, code: 80000040 });
});

test('what no key can be is refused: scopes that are none, twice or empty, days out of range [dashboard.key.reach]', async () => {
  const owner = await dashboard.newAccount();
  const { address } = await newAgent(owner);
  for (const reach of [
    { scopes: [] },
    { scopes: ['admin'] },
    { scopes: ['report', 'report'] },
    { validDays: 0 },
    { validDays: 366 },
    { agentWallet: '0x12' },
    { scopes: ['transactions:read'], agentWallet: address },
  ])
    expect(await dashboard.post('/api/keys', { name: 'x', ...reach }, owner.token)).toMatchObject({
      status: 400,
      code: 80000012,
    });
});

test('an owner sees which key announced an agent, until that key is gone [dashboard.agents.announced-by]', async () => {
  const owner = await dashboard.newAccount();
  const key = await newKey(owner, { scopes: ['agents:announce'] });
  const wallet = newWallet();
  await agents.announce({ ...owner, ...key }, wallet);
  await agents.announce(owner, wallet);
  const [agent] = (await agents.list(owner)).data;
  expect(agent.announcedBy).toEqual({ id: key.id, name: 'gateway', prefix: key.prefix });
});
