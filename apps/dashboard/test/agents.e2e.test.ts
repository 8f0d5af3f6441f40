import { agentRoutes } from '@countersign/protocol/dashboard/agents';
import { agentWalletTypedData } from '@countersign/protocol/dashboard/agent-wallet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from './agents.ts';
import {
  chainId,
  demoMandate,
  type Json,
  newWallet,
  openDashboard,
  type TestDashboard,
} from './dashboard.ts';

let dashboard: TestDashboard;
let agents: ReturnType<typeof agentCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  agents = agentCalls(dashboard);
});
afterAll(() => dashboard.stop());

const day = 24 * 60 * 60_000;
const denied = { status: 403, code: 80000004 };
const repeated = { status: 409, code: 80000003 };
const notFound = { status: 404, code: 80000011 };
const noMandate = { status: 404, code: 80000053 };

test('an agent announces itself, its owner signs for it, and both say the same of it [dashboard.agents.announce] [dashboard.agents.sign] [dashboard.agents.fields]', async () => {
  const owner = await dashboard.newAccount();
  const wallet = newWallet();
  const announced = await agents.announce(owner, wallet);
  const { agentId } = announced.data.agent;
  expect(announced.data.agent).toEqual({
    agentId,
    agentWallet: wallet.address,
    name: '',
    networks: [],
    state: 'announced',
    signature: null,
    createdAt: dashboard.clock.now.toISOString(),
    signedAt: null,
    expiresAt: null,
    announcedBy: { id: expect.stringMatching(/^key_/), name: 'test', prefix: owner.apiKey.slice(0, 8) },
    activity: { lastSeenAt: null, days: 30, spent: '0', payments: 0, refused: 0 },
    stop: null,
    mandate: null,
  });
  expect((await agents.announce(owner, wallet)).data).toEqual(announced.data);

  const terms = { name: 'Research', networks: ['eip155:8453', 'eip155:10'], validDays: 90 };
  const prepared = await agents.prepare(owner, agentId, terms);
  const expiresAt = new Date(dashboard.clock.now.getTime() + 90 * day).toISOString();
  const { validDays: _, ...named } = terms;
  const accountId = owner.account.id;
  const message = {
    agentId,
    accountId,
    owner: owner.address,
    agentWallet: wallet.address,
    ...named,
    expiresAt,
  };
  expect(prepared.data.typedData).toEqual(agentWalletTypedData(message, chainId));
  expect(prepared.data.agent.state).toBe('announced');

  const signed = await agents.sign(owner, prepared.data);
  const signature = owner.wallet.signTypedData(prepared.data.typedData);
  expect(signed.data.agent).toMatchObject({ state: 'active', signature, ...named, expiresAt });
  expect(agentRoutes.signAgent.data.safeParse(signed.data).error).toBeUndefined();
  expect((await agents.announce(owner, wallet)).data).toEqual(signed.data);
  expect(await agents.list(owner, { state: 'active' })).toMatchObject({
    total: 1,
    data: [signed.data.agent],
  });
  expect(await agents.list(owner, { state: 'announced' })).toMatchObject({ total: 0 });

  dashboard.clock.now = new Date(expiresAt);
  const { token } = (await dashboard.loginReply(owner.wallet)).data;
  expect((await agents.list({ token })).data[0]).toMatchObject({ state: 'expired' });
});

test('nobody claims a wallet that has not consented to this very owner [dashboard.agents.consent]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const [wallet, stranger] = [newWallet(), newWallet()];
  const send = (signature: string, apiKey = owner.apiKey) =>
    dashboard.post('/api/agents/announce', { apiKey, agentWallet: wallet.address, signature });
  expect(await send(agents.consent(other.address, wallet))).toMatchObject(denied);
  expect(await send(agents.consent(owner.address, stranger))).toMatchObject(denied);
  expect(await send(owner.wallet.signTypedData(loginLike(owner.address)))).toMatchObject(denied);
  expect(await send('0x')).toMatchObject(denied);
  const operator = await dashboard.newOperatorKey();
  expect(await send(agents.consent(owner.address, wallet), operator.apiKey)).toMatchObject(denied);
  expect(await send(agents.consent(owner.address, wallet), 'csk_none')).toMatchObject({ status: 401 });
  expect(await agents.list(owner)).toMatchObject({ total: 0 });
});

const loginLike = (owner: string) => ({
  domain: { name: 'Another program', version: '1', chainId },
  types: { AgentConsent: [{ name: 'owner', type: 'address' }] },
  primaryType: 'AgentConsent',
  message: { owner },
});

test('a wallet is one thing: an account, or the agent of one owner for good [dashboard.agents.one-owner]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  expect(await agents.announce(owner, owner.wallet)).toMatchObject(denied);
  expect(await agents.announce(owner, other.wallet)).toMatchObject(denied);

  const agent = await agents.newAgent(owner);
  expect(await agents.announce(other, agent.wallet)).toMatchObject(denied);
  expect(await dashboard.loginReply(agent.wallet)).toMatchObject({ status: 401, code: 80000019 });
  await agents.revoke(owner, agent.agentId);
  expect(await agents.announce(other, agent.wallet)).toMatchObject(denied);
  expect(await dashboard.loginReply(agent.wallet)).toMatchObject({ status: 401, code: 80000019 });

  // Both were offered it, or it logged in meanwhile: who is first has it.
  const wallet = newWallet();
  const terms = { name: 'Research', validDays: 1 };
  const offered = await Promise.all(
    [owner, other].map(async (each) => {
      const { agentId } = (await agents.announce(each, wallet)).data.agent;
      return (await agents.prepare(each, agentId, terms)).data;
    }),
  );
  const late = newWallet();
  const { agentId } = (await agents.announce(owner, late)).data.agent;
  const prepared = (await agents.prepare(owner, agentId, terms)).data;
  await dashboard.newAccount(late);
  expect(await agents.sign(owner, prepared)).toMatchObject(denied);
  expect(await agents.sign(other, offered[1])).toMatchObject({ status: 200 });
  expect(await agents.sign(owner, offered[0])).toMatchObject(denied);
});

test('only the owner’s signature over what was prepared last activates an agent [dashboard.agents.signature]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const wallet = newWallet();
  const { agentId } = (await agents.announce(owner, wallet)).data.agent;
  const prepare = async (name: string) => (await agents.prepare(owner, agentId, { name, validDays: 1 })).data;
  expect(
    await agents.sign(owner, { agentId, typedData: (await prepare('A')).typedData }, wallet),
  ).toMatchObject(denied);
  const first = await prepare('B');
  const second = await prepare('C');
  expect(await agents.sign(owner, first)).toMatchObject(denied);
  expect(await agents.sign(other, second)).toMatchObject(notFound);
  expect(await agents.prepare(other, agentId, { name: 'D', validDays: 1 })).toMatchObject(notFound);
  expect(await agents.revoke(other, agentId)).toMatchObject(notFound);
  expect(await agents.sign(owner, second)).toMatchObject({ status: 200 });
  // Nothing is up for signature any more, so neither is anything an old signature could do.
  expect(await agents.sign(owner, second)).toMatchObject(repeated);

  // A statement that is being changed holds until the new one is signed.
  const renewed = await prepare('E');
  expect(renewed.agent).toMatchObject({ state: 'active', name: 'C' });
  dashboard.clock.advance(2 * day);
  const again = { ...owner, token: (await dashboard.loginReply(owner.wallet)).data.token };
  expect(await agents.sign(again, renewed)).toMatchObject(repeated);
  const fresh = (await agents.prepare(again, agentId, { name: 'F', validDays: 1 })).data;
  expect(await agents.sign(again, fresh)).toMatchObject({ data: { agent: { state: 'active', name: 'F' } } });
});

test('revoked is for good, and ends the agent’s mandate but no other’s [dashboard.agents.revoke] [dashboard.agents.one-mandate]', async () => {
  const owner = await dashboard.newAccount();
  const [one, two] = [await agents.newAgent(owner), await agents.newAgent(owner)];
  const own = await dashboard.newMandate(owner);
  const ofOne = await agents.newMandateFor(owner, one.address);
  const ofTwo = await agents.newMandateFor(owner, two.address);
  const statuses = async () => {
    const { data } = (await dashboard.post('/api/mandates/intent/list', {}, owner.token)).data;
    return Object.fromEntries(data.map((mandate: Json) => [mandate.id, mandate.status]));
  };
  expect(await statuses()).toEqual({ [own]: 'active', [ofOne]: 'active', [ofTwo]: 'active' });
  const next = await agents.newMandateFor(owner, one.address);
  expect(await statuses()).toMatchObject({ [ofOne]: 'revoked', [next]: 'active', [ofTwo]: 'active' });

  const pending = (
    await dashboard.post(
      '/api/mandates/intent/create',
      { ...demoMandate, agentWallet: one.address },
      owner.token,
    )
  ).data;
  const revoked = await agents.revoke(owner, one.agentId);
  expect(revoked.data.agent).toMatchObject({ state: 'revoked' });
  expect(await statuses()).toMatchObject({ [own]: 'active', [ofTwo]: 'active', [next]: 'revoked' });
  expect(await agents.revoke(owner, one.agentId)).toMatchObject({ status: 200 });
  expect(await agents.announce(owner, one.wallet)).toMatchObject({ data: { agent: { state: 'revoked' } } });
  expect(await agents.prepare(owner, one.agentId, { name: 'Back', validDays: 1 })).toMatchObject(repeated);
  expect(await dashboard.signMandate(owner, pending)).toMatchObject(notFound);
  const create = { ...demoMandate, agentWallet: one.address };
  expect(await dashboard.post('/api/mandates/intent/create', create, owner.token)).toMatchObject(notFound);
  const renew = { mandateId: next, validDays: 1 };
  expect(await dashboard.post('/api/mandates/intent/renew', renew, owner.token)).toMatchObject(notFound);
});

test('an agent’s mandate names the agent as payer and is signed by its owner [dashboard.agents.mandate] [dashboard.agents.vc]', async () => {
  const [owner, other] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const agent = await agents.newAgent(owner);
  const without = await agents.lookUp(owner, agent.address);
  expect(without).toMatchObject({ ...noMandate, data: { found: false, hadMandate: true } });
  const foreign = { ...demoMandate, agentWallet: (await agents.newAgent(other)).address };
  expect(await dashboard.post('/api/mandates/intent/create', foreign, owner.token)).toMatchObject(notFound);

  const id = await agents.newMandateFor(owner, agent.address);
  const found = await agents.lookUp(owner, agent.address);
  const did = `did:ethr:eip155:${chainId}:${owner.address}`;
  expect(found.data).toMatchObject({
    found: true,
    mandate: { id, status: 'active' },
    vcJson: {
      issuer: did,
      credentialSubject: { payer: { address: agent.address } },
      proof: { verificationMethod: `${did}#controller` },
    },
    agentWallet: {
      message: { agentId: agent.agentId, owner: owner.address, agentWallet: agent.address },
      signature: agent.agent.signature,
    },
  });
  const operator = await dashboard.newOperatorKey();
  expect((await agents.lookUp(operator, agent.address)).data).toEqual(found.data);
  expect(await agents.lookUp(other, agent.address)).toMatchObject({
    ...noMandate,
    data: { hadMandate: null },
  });
  // The owner's own wallet has no mandate of its own by that.
  expect(await agents.lookUp(owner, owner.address)).toMatchObject({
    ...noMandate,
    data: { hadMandate: false },
  });

  await agents.revoke(owner, agent.agentId);
  expect(await agents.lookUp(owner, agent.address)).toMatchObject({
    ...noMandate,
    msg: 'MANDATE_REVOKED',
    data: { hadMandate: true },
  });
});

test('each agent spends a budget of its own, and only its own reports count [dashboard.agents.budget] [dashboard.agents.records]', async () => {
  const [owner, stranger] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const [one, two] = [await agents.newAgent(owner), await agents.newAgent(owner)];
  const [ofOne, ofTwo] = [
    await agents.newMandateFor(owner, one.address),
    await agents.newMandateFor(owner, two.address),
  ];
  const report = (apiKey: string, payer: string, more: object = {}) =>
    dashboard.post('/api/transactions', {
      apiKey,
      serviceName: 'quotes',
      serviceResult: 'pass',
      chain: 'base',
      amount: '3',
      payer,
      payee: stranger.address,
      ...more,
    });
  expect(await report(owner.apiKey, one.address, { intentMandateId: ofOne })).toMatchObject({ status: 201 });
  expect(await report(owner.apiKey, one.address, { intentMandateId: ofTwo })).toMatchObject(denied);
  expect(await report(owner.apiKey, owner.address, { intentMandateId: ofOne })).toMatchObject(denied);
  expect(await report(owner.apiKey, newWallet().address)).toMatchObject(denied);
  // What the other party says of an agent is not its owner's.
  expect(await report(stranger.apiKey, one.address)).toMatchObject({ status: 201 });

  const remaining = async (wallet: string) => (await agents.lookUp(owner, wallet)).data.remainingBudget;
  expect([await remaining(one.address), await remaining(two.address)]).toEqual(['17', '20']);
  const get = (path: string, token: string) => dashboard.request('GET', path, { token });
  for (const scope of ['myPayer', 'myAll']) {
    const { data } = await get(`/api/transactions?scope=${scope}`, owner.token);
    expect(data).toMatchObject({
      total: 1,
      data: [{ payer: one.address, amount: '3.00', reportedBy: 'payer' }],
    });
  }
  const [shown] = (await get('/api/transactions?scope=myAll', owner.token)).data.data;
  const whole = await get(`/api/transactions/${shown.id}`, owner.token);
  expect(whole.data.transaction).toMatchObject({ intentMandateId: ofOne });
  const overview = (await get('/api/overview', owner.token)).data;
  expect(overview).toMatchObject({ today: { spent: '3', count: 1 }, activeMandate: { id: ofTwo } });

  await agents.revoke(owner, one.agentId);
  const late = await report(owner.apiKey, one.address, { intentMandateId: ofOne, amount: '1' });
  expect(late).toMatchObject({ status: 201 });
  const sum = await get('/api/transactions?scope=myPayer&serviceName=quotes', owner.token);
  expect(sum.data.total).toBe(2);
});
