import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from './agents.ts';
import { askedOf } from './approvals.ts';
import { newWallet, openDashboard, paymentOf, type TestDashboard } from './dashboard.ts';
import { erase, exportOf, query, urlOf } from './personal-data.ts';

// What holds of agent wallets whoever writes the tables, and what their owner is shown of them.

let dashboard: TestDashboard;
let agents: ReturnType<typeof agentCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  agents = agentCalls(dashboard);
});
afterAll(() => dashboard.stop());

/** The login of a dashboard of the release before, which knows of no agents. */
const upsert = `insert into dashboard.account (id, wallet_address, public_key, created_at) values ($1, $2, null, now())
  on conflict (wallet_address) do update set public_key = coalesce(account.public_key, excluded.public_key)`;

test('no process of an earlier release makes an account of an agent’s wallet [dashboard.agents.one-owner]', async () => {
  const owner = await dashboard.newAccount();
  const agent = await agents.newAgent(owner);
  const logIn = (wallet: string) => query(dashboard, upsert, [`old-${wallet}`, wallet]);
  await expect(logIn(agent.address)).rejects.toThrow('is or was an agent');
  await agents.revoke(owner, agent.agentId);
  await expect(logIn(agent.address)).rejects.toThrow('is or was an agent');
  await logIn(owner.address);
  await logIn(newWallet().address);
});

const waiting = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

test('an earlier release that makes the account at this very moment is waited for [dashboard.agents.one-owner]', async () => {
  const owner = await dashboard.newAccount();
  const wallet = newWallet();
  const { agentId } = (await agents.announce(owner, wallet)).data.agent;
  const prepared = (await agents.prepare(owner, agentId, { name: 'Research', validDays: 1 })).data;
  const old = new Client({ connectionString: urlOf(dashboard) });
  await old.connect();
  await old.query('begin');
  await old.query(upsert, ['old', wallet.address]);
  const signing = agents.sign(owner, prepared);
  await expect.poll(async () => (await query(dashboard, waiting)).length).toBe(1);
  await old.query('commit');
  await old.end();
  expect(await signing).toMatchObject({ status: 403, code: 80000004 });
  await expect(
    query(
      dashboard,
      `update dashboard.agent_wallet set signed_at = now(), signature = '0x', expires_at = now() where id = $1`,
      [agentId],
    ),
  ).rejects.toThrow('becomes no agent');
});

test('a wallet that became both before the database held it has its payments settled all the same [dashboard.agents.one-owner]', async () => {
  const owner = await dashboard.newAccount();
  const payee = await dashboard.newAccount();
  const agent = await agents.newAgent(owner);
  const trigger = (what: string) =>
    query(dashboard, `alter table dashboard.account ${what} trigger account_is_no_agent`);
  await trigger('disable');
  await query(dashboard, upsert, ['both', agent.address]);
  await trigger('enable');
  const txHash = `0x${'ab'.repeat(32)}`;
  const payment = paymentOf(agent.address, { payee: payee.address, txHash });
  for (const { apiKey } of [payee, owner])
    expect(await dashboard.post('/api/transactions', { apiKey, ...payment })).toMatchObject({ status: 201 });
  const standings = `select payer_standing as payer, payee_standing as payee from dashboard.transaction_log where tx_hash = $1 order by id`;
  expect(await query(dashboard, standings, [txHash])).toEqual([
    { payer: 'double', payee: 'counted' },
    { payer: 'counted', payee: 'double' },
  ]);
});

test('an approval’s id is one payment’s among all wallets of an account [dashboard.approvals.agents]', async () => {
  const owner = await dashboard.newAccount();
  const [one, two] = [await agents.newAgent(owner), await agents.newAgent(owner)];
  const ask = (payer: string, change: object = {}) =>
    dashboard.post('/api/approvals', {
      apiKey: owner.apiKey,
      ...askedOf(payer as typeof owner.address, dashboard.clock.now, change),
    });
  const first = await ask(one.address);
  const { approvalId } = first.data.approval;
  for (const payer of [two.address, owner.address])
    expect(await ask(payer, { approvalId })).toMatchObject({ status: 409, code: 80000003 });
  const shown = (await dashboard.post('/api/approvals/list', {}, owner.token)).data;
  expect(shown).toMatchObject({ total: 1, data: [{ payer: one.address, approvalId }] });
  const get = await dashboard.post('/api/approvals/get', { apiKey: owner.apiKey, approvalId });
  expect(get.data).toEqual(first.data);

  // Ids are each account's own: nobody takes or finds out another's.
  const other = await dashboard.newAccount();
  const body = askedOf(other.address, dashboard.clock.now, { approvalId });
  expect(await dashboard.post('/api/approvals', { apiKey: other.apiKey, ...body })).toMatchObject({
    status: 200,
  });

  // And at the same moment too.
  const id = { approvalId: `${approvalId}-2` };
  const both = await Promise.all([one, two, one, two].map(({ address }) => ask(address, id)));
  expect((await dashboard.post('/api/approvals/list', {}, owner.token)).data.total).toBe(2);
  expect(both.filter(({ status }) => status === 200)).not.toHaveLength(0);
});

test('an agent’s wallet was screened for its owner: counted, exported, and emptied by an erasure [dashboard.personal.agents]', async () => {
  const owner = await dashboard.newAccount();
  const other = await dashboard.newAccount();
  const [agent, foreign] = [await agents.newAgent(owner), await agents.newAgent(other)];
  const keep = (subject: string) =>
    query(
      dashboard,
      `insert into dashboard.screening
         (id, kind, provider, subject, chain, verdict, risk_level, request_id, sealed_answer, key_id, screened_at)
       values (gen_random_uuid(), 'kyt', 'trm', $1, 'eip155:8453', 'pass', 'low', 'vendor-ref', 'x', 'k', now())`,
      [subject],
    );
  await keep(agent.address);
  await keep(foreign.address);
  await dashboard.post('/api/transactions', {
    apiKey: owner.apiKey,
    ...paymentOf(agent.address, { serviceName: 'of-the-agent' }),
  });
  const told = (await dashboard.request('GET', '/api/personal-data', { token: owner.token })).data.data;
  const count = Object.fromEntries(
    told.map((each: { kind: string; count: number }) => [each.kind, each.count]),
  );
  expect(count).toMatchObject({ agents: 1, screenings: 1, transactions: 1 });
  const { data } = await exportOf(dashboard, owner.token);
  expect(data.agents.records).toMatchObject([{ wallet: agent.address }]);
  expect(data.screenings.records).toMatchObject([{ subject: agent.address }]);
  expect(data.transactions.records).toMatchObject([{ serviceName: 'of-the-agent' }]);

  const { erased } = (await erase(dashboard, owner)).data;
  expect(erased).toMatchObject({ agents: 1, screenings: 1 });
  const left = `select sealed_answer, request_id from dashboard.screening where subject = $1`;
  expect(await query(dashboard, left, [agent.address])).toEqual([{ sealed_answer: null, request_id: null }]);
  expect(await query(dashboard, left, [foreign.address])).toMatchObject([{ request_id: 'vendor-ref' }]);
});

test('twenty unsigned offers are the most, and leave room for agents that are signed [dashboard.agents.limits]', async () => {
  const owner = await dashboard.newAccount();
  const agent = await agents.newAgent(owner);
  const offers = Array.from({ length: 20 }, newWallet);
  for (const wallet of offers) expect(await agents.announce(owner, wallet)).toMatchObject({ status: 200 });
  const late = newWallet();
  const full = { status: 409, code: 80000003, msg: expect.stringContaining('20 agents wait') };
  expect(await agents.announce(owner, late)).toMatchObject(full);
  expect(await agents.announce(owner, agent.wallet)).toMatchObject({ status: 200 });
  const [first] = offers;
  const { agentId } = (await agents.announce(owner, first ?? late)).data.agent;
  const prepared = (await agents.prepare(owner, agentId, { name: 'One', validDays: 1 })).data;
  expect(await agents.sign(owner, prepared)).toMatchObject({ status: 200 });
  expect(await agents.announce(owner, late)).toMatchObject({ status: 200 });

  await query(
    dashboard,
    `insert into dashboard.agent_wallet (id, account_id, wallet, consent, expires_at, signature, signed_at, created_at)
     select 'many-' || n, $1, '0xmany' || n, '', now(), '0x', now(), now() from generate_series(1, 98) n`,
    [owner.account.id],
  );
  const spare = (await agents.announce(owner, late)).data.agent;
  const terms = (await agents.prepare(owner, spare.agentId, { name: 'Spare', validDays: 1 })).data;
  const many = { status: 409, code: 80000003, msg: expect.stringContaining('100 agents') };
  expect(await agents.sign(owner, terms)).toMatchObject(many);
  expect(await agents.announce(owner, newWallet())).toMatchObject(many);
  // One that is signed can be signed anew.
  const again = (await agents.prepare(owner, agentId, { name: 'One', validDays: 2 })).data;
  expect(await agents.sign(owner, again)).toMatchObject({ status: 200 });
});
