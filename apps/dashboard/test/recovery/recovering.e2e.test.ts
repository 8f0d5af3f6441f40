import { randomBytes } from 'node:crypto';
import type { Address } from '@countersign/protocol/address';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAccount } from '../../src/recovery/close.ts';
import { countPersonalData } from '../../src/personal/count.ts';
import { agentCalls } from '../agents.ts';
import { askedOf } from '../approvals.ts';
import { newWallet, openDashboard, paymentOf, type TestDashboard } from '../dashboard.ts';
import { peopleCalls } from '../people/people.ts';
import { operators, operatorWallet, query, urlOf } from '../personal-data.ts';
import { dayMs, hourMs, recoveryCalls } from './recovery.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await openDashboard({ operators });
});
afterAll(() => dashboard.stop());

const done = { status: 200 };
const forbidden = { status: 403, code: 80000004 };
const repeated = { status: 409, code: 80000003 };
const unknown = { status: 404, code: 80000011 };
const unauthenticated = { status: 401, code: 80000019 };

/** Two payments of an agent that wait; the first is used at once. */
async function waitingFor(payer: Address, apiKey: string): Promise<readonly [string, string]> {
  const both = [askedOf(payer, dashboard.clock.now), askedOf(payer, dashboard.clock.now)] as const;
  for (const asked of both)
    expect(await dashboard.post('/api/approvals', { apiKey, ...asked })).toMatchObject(done);
  const [{ approvalId }] = both;
  expect(await dashboard.post('/api/approvals/use', { apiKey, approvalId })).toMatchObject(done);
  return [approvalId, both[1].approvalId];
}

test('a recovered account signs in no more, and nothing that it signed or made counts [dashboard.recovery.closed]', async () => {
  const [calls, agents, people] = [recoveryCalls(dashboard), agentCalls(dashboard), peopleCalls(dashboard)];
  const { owner, helper } = await calls.newPair();
  const person = await people.newPerson(owner, ['admin']);
  const invited = await people.invite(owner.token, ['auditor'], 'Olga');
  const agent = await agents.newAgent(owner);
  await dashboard.newMandate(owner);
  await agents.newMandateFor(owner, agent.address);
  const draft = await dashboard.draftMandate(owner.token);
  const operator = await dashboard.newOperatorKey();
  const look = (key: { apiKey: string }) => agents.lookUp({ apiKey: key.apiKey }, agent.address);
  expect([await look(owner), await look(operator)]).toMatchObject([done, done]);

  expect(await calls.claim(helper, owner)).toMatchObject(done);
  dashboard.clock.advance(2 * dayMs - 1);
  await calls.closeNow();
  expect([await look(owner), await dashboard.loginReply(owner.wallet)]).toMatchObject([done, done]);
  const approvalIds = await waitingFor(agent.address, owner.apiKey);
  await query(
    dashboard,
    `insert into dashboard.first_word (deed, subject, said_by, said_at) values ('undeny', $1, $2, now())`,
    [newWallet().address, owner.account.id],
  );
  const { token } = (await dashboard.loginReply(owner.wallet)).data;
  const persons = (await people.logIn(person.userName, person.password)).data.token;
  dashboard.clock.advance(1);
  await calls.closeNow();

  expect(await dashboard.loginReply(owner.wallet)).toMatchObject(unauthenticated);
  for (const old of [token, persons]) expect(await people.me(old)).toMatchObject(unauthenticated);
  expect(await people.logIn(person.userName, person.password)).toMatchObject(unauthenticated);
  const password = { userName: `u${randomBytes(6).toString('hex')}`, password: 'correct horse battery 7' };
  expect(await people.accept({ token: invited.data.token, password })).toMatchObject(unknown);
  expect(await look(owner)).toMatchObject({ status: 401, code: 80000040 });
  expect(await look(operator)).toMatchObject({
    status: 404,
    code: 80000053,
    data: { found: false, hadMandate: true },
  });
  const words = await query(dashboard, 'select from dashboard.first_word where said_by = $1', [
    owner.account.id,
  ]);
  expect(words).toHaveLength(0);
  // What an older process wrote after the close does not count.
  await query(
    dashboard,
    `update dashboard.mandate set status = 'active' where account_id = $1 and activated_at is not null`,
    [owner.account.id],
  );
  await query(dashboard, 'update dashboard.agent_wallet set revoked_at = null where account_id = $1', [
    owner.account.id,
  ]);
  for (const payer of [agent.address, owner.address])
    expect(await agents.lookUp(operator, payer)).toMatchObject({
      status: 404,
      data: { found: false, hadMandate: true },
    });
  const use = (approvalId: string) => dashboard.post('/api/approvals/use', { ...operator, approvalId });
  // Control: the first one was used while the account was open.
  expect(await use(approvalIds[0])).toMatchObject(repeated);
  expect(await use(approvalIds[1])).toMatchObject({ status: 400, code: 80000054 });
  expect(await dashboard.signMandate({ wallet: owner.wallet, token }, draft)).toMatchObject(unauthenticated);
  expect(await calls.claim(helper, owner)).toMatchObject(unknown);
  const ended = await query(
    dashboard,
    'select person_id, roles from dashboard.person_ending where account_id = $1 order by person_id',
    [owner.account.id],
  );
  expect(ended).toEqual([
    { person_id: 'holder', roles: [] },
    { person_id: person.id, roles: [] },
  ]);
});

test('the recovering account reads the old records, and signs the old agents anew with their consent [dashboard.recovery.goes-on]', async () => {
  const [calls, agents] = [recoveryCalls(dashboard), agentCalls(dashboard)];
  const { owner, helper } = await calls.newPair();
  const agent = await agents.newAgent(owner);
  await agents.newMandateFor(owner, agent.address);
  await dashboard.post('/api/transactions', { apiKey: owner.apiKey, ...paymentOf(agent.address) });
  await waitingFor(agent.address, owner.apiKey);
  // Control: before the recovery they are nobody's but the owner's.
  expect(await agents.announce(helper, agent.wallet)).toMatchObject(forbidden);
  const recordsFor = async (by: typeof helper) =>
    fetch(`${dashboard.url}/api/recovery/records`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await calls.again(by)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ accountId: owner.account.id }),
    });
  expect((await recordsFor(helper)).status).toBe(404);
  await calls.recover(owner, helper);

  const records = (await (await recordsFor(helper)).json()) as {
    data: Record<string, { records: unknown[] }>;
  };
  expect(records.data['transactions']?.records).toHaveLength(1);
  expect(records.data['mandates']?.records).toHaveLength(1);
  expect(Object.keys(records.data)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/submissions|businesses|people|sessions/)]),
  );
  const stranger = await dashboard.newAccount();
  expect((await recordsFor(stranger)).status).toBe(404);
  expect(await agents.announce(stranger, agent.wallet)).toMatchObject(forbidden);

  const fresh = { ...helper, token: await calls.again(helper) };
  const announced = await agents.announce(fresh, agent.wallet);
  expect(announced).toMatchObject(done);
  const { agentId } = announced.data.agent;
  const prepared = (await agents.prepare(fresh, agentId, { name: 'Research', validDays: 90 })).data;
  expect(await agents.sign(fresh, prepared)).toMatchObject({ ...done, data: { agent: { state: 'active' } } });
  await agents.newMandateFor(fresh, agent.address);
  expect(await agents.lookUp(fresh, agent.address)).toMatchObject({
    ...done,
    data: { agentWallet: { message: { owner: helper.address } } },
  });
  const paid = await dashboard.post('/api/transactions', {
    apiKey: helper.apiKey,
    ...paymentOf(agent.address),
  });
  expect(paid).toMatchObject({ status: 201 });
  // What was asked before the wallet was handed on stays with the old account.
  const [mine1] = await waitingFor(agent.address, helper.apiKey);
  const inbox = await dashboard.post('/api/approvals/list', {}, fresh.token);
  expect(inbox.data).toMatchObject({ total: 2 });
  const kept = (await (await recordsFor(helper)).json()) as typeof records;
  expect(kept.data['approvals']?.records).toHaveLength(1);
  expect(kept.data['approvals']?.records).not.toMatchObject([{ id: mine1 }]);
  const pool = createPool(urlOf(dashboard), createLogger('dashboard', 'silent'));
  const counts = await countPersonalData(pool, { accountId: helper.account.id, wallet: helper.address });
  await pool.end();
  expect(counts).toMatchObject({ approvals: 1, unpaidApprovals: 1, callArguments: expect.any(Number) });
  const mine = await dashboard.request('GET', '/api/transactions?scope=myAll', { token: fresh.token });
  expect(mine.data.data).toHaveLength(1);
});

test('what an agent waits for when it is handed on expires at once, with the reason; later questions stay open [dashboard.recovery.open-approvals]', async () => {
  const [calls, agents] = [recoveryCalls(dashboard), agentCalls(dashboard)];
  const { owner, helper } = await calls.newPair();
  const agent = await agents.newAgent(owner);
  const operator = await dashboard.newOperatorKey();
  await calls.recover(owner, helper);
  // Gateways of operators ask for every payer, also between the close and the new signature.
  const ask = async () => {
    const asked = askedOf(agent.address, dashboard.clock.now);
    expect(await dashboard.post('/api/approvals', { ...operator, ...asked })).toMatchObject(done);
    return asked.approvalId;
  };
  const read = async (approvalId: string) =>
    (await dashboard.post('/api/approvals/get', { ...operator, approvalId })).data.approval;
  const before = await ask();
  const fresh = { ...helper, token: await calls.again(helper) };
  const { agentId } = (await agents.announce(fresh, agent.wallet)).data.agent;
  const prepared = (await agents.prepare(fresh, agentId, { name: 'Research', validDays: 90 })).data;
  // Control: until the signature it waits.
  expect(await read(before)).toMatchObject({ state: 'pending', rejectReason: null });
  dashboard.clock.advance(1);
  expect(await agents.sign(fresh, prepared)).toMatchObject(done);
  expect(await read(before)).toMatchObject({
    state: 'expired',
    rejectReason: 'the wallet of the agent went to another account',
  });
  const use = await dashboard.post('/api/approvals/use', { ...operator, approvalId: before });
  expect(use).toMatchObject({ status: 400, code: 80000054 });
  const after = await ask();
  // New terms of the same owner end nothing.
  const again = (await agents.prepare(fresh, agentId, { name: 'Research', validDays: 90 })).data;
  expect(await agents.sign(fresh, again)).toMatchObject(done);
  expect(await read(after)).toMatchObject({ state: 'pending' });
});

test('the old wallet objects before the end and not from it on; a claim is then not repeated for a while [dashboard.recovery.objected]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  const first = (await calls.claim(helper, owner)).data.recovery.namedBy[0].claim;
  expect(await calls.claim(helper, owner)).toMatchObject(repeated);
  expect(await calls.name(owner, newWallet().address)).toMatchObject(repeated);
  dashboard.clock.advance(2 * dayMs - 1);
  expect(await calls.object(await dashboard.newAccount(), first.id)).toMatchObject(unknown);
  expect(await calls.object(owner, first.id)).toMatchObject(done);
  dashboard.clock.advance(1);
  await calls.closeNow();
  expect(await dashboard.loginReply(owner.wallet)).toMatchObject(done);
  expect(await calls.claim(helper, owner)).toMatchObject(repeated);
  dashboard.clock.advance(7 * dayMs);
  const second = (await calls.claim(helper, owner)).data.recovery.namedBy[0].claim;
  // Whether the process that closes has come to it yet or not: the end counts.
  dashboard.clock.advance(2 * dayMs);
  expect(await calls.object(owner, second.id)).toMatchObject({ status: expect.toBeOneOf([401, 404]) });
  await calls.closeNow();
  expect(await dashboard.loginReply(owner.wallet)).toMatchObject(unauthenticated);
});

test('whoever claimed withdraws it, and may claim again at once; a claim ends a change that is under way [dashboard.recovery.withdrawn]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  await calls.name(owner, newWallet().address);
  const claim = (await calls.claim(helper, owner)).data.recovery.namedBy[0].claim;
  expect(await calls.read(owner)).toMatchObject({ change: null, claim: { id: claim.id } });
  expect(await calls.object(helper, claim.id)).toMatchObject(done);
  dashboard.clock.advance(8 * dayMs);
  await calls.closeNow();
  expect(await calls.read(owner)).toMatchObject({ address: { walletAddress: helper.address }, claim: null });
  expect(await calls.claim(helper, owner)).toMatchObject(done);
});

test('a stolen wallet on the deny list holds nobody up; a stolen recovery wallet on it recovers nothing [dashboard.recovery.denied]', async () => {
  const calls = recoveryCalls(dashboard);
  const operator = await dashboard.newAccount(operatorWallet);
  const deny = async (address: string) =>
    dashboard.post(
      '/api/compliance/deny-list/add',
      { address, reason: 'reported stolen' },
      await calls.again(operator),
    );
  const { owner, helper } = await calls.newPair();
  const first = (await calls.claim(helper, owner)).data.recovery.namedBy[0].claim;
  expect(await calls.object(owner, first.id)).toMatchObject(done);
  expect(await calls.claim(helper, owner)).toMatchObject(repeated);
  expect(await deny(owner.address)).toMatchObject(done);
  const second = (await calls.claim(helper, owner)).data.recovery.namedBy[0].claim;
  expect(await calls.object(owner, second.id)).toMatchObject(forbidden);
  dashboard.clock.advance(2 * dayMs);
  await calls.closeNow();
  expect(await dashboard.loginReply(owner.wallet)).toMatchObject(unauthenticated);

  const other = await calls.newPair();
  await calls.claim(other.helper, other.owner);
  expect(await deny(other.helper.address)).toMatchObject(done);
  dashboard.clock.advance(2 * dayMs);
  await calls.closeNow();
  expect(await dashboard.loginReply(other.owner.wallet)).toMatchObject(done);
  expect(await calls.read(other.owner)).toMatchObject({ claim: null });
});

test('accounts that name each other recover one at a time, and what was recovered before goes along [dashboard.recovery.circle]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  const third = await dashboard.newAccount();
  await calls.name(helper, owner.address);
  await calls.name(third, helper.address);
  await calls.claim(owner, helper);
  dashboard.clock.advance(hourMs);
  await calls.claim(helper, owner);
  dashboard.clock.advance(2 * dayMs);
  await calls.closeNow();
  // The first to claim is recovered into; the claim of the account that was closed is gone.
  expect(await dashboard.loginReply(helper.wallet)).toMatchObject(unauthenticated);
  expect(await calls.read(owner)).toMatchObject({
    claim: null,
    recovered: [{ walletAddress: helper.address }],
  });
  expect(await calls.claim(third, owner)).toMatchObject(unknown);
  const last = await dashboard.newAccount();
  dashboard.clock.advance(7 * dayMs);
  await calls.name(owner, last.address);
  dashboard.clock.advance(7 * dayMs);
  await calls.recover(owner, last);
  const wallets = (await calls.read(last)).recovered.map(
    (each: { walletAddress: string }) => each.walletAddress,
  );
  expect(new Set(wallets)).toEqual(new Set([owner.address, helper.address]));
});

test('a process that dies while it closes leaves the account open, and the next closes it whole [dashboard.recovery.whole]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  const mandate = await dashboard.newMandate(owner);
  const pool = createPool(urlOf(dashboard), createLogger('dashboard', 'silent'));
  const client = await pool.connect();
  // What a kill leaves: a connection that is gone before its commit.
  client.on('error', () => {});
  await client.query('begin');
  const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  await closeAccount(
    client,
    { id: owner.account.id, walletAddress: owner.address },
    helper.account.id,
    dashboard.clock.now,
  );
  await query(dashboard, 'select pg_terminate_backend($1)', [pid]);
  client.release(true);
  await pool.end();
  const statusOf = async () =>
    (await query(dashboard, 'select status from dashboard.mandate where id = $1', [mandate]))[0].status;
  expect(await statusOf()).toBe('active');
  expect(await dashboard.loginReply(owner.wallet)).toMatchObject(done);
  // Several at once close it once.
  await calls.claim(helper, owner);
  dashboard.clock.advance(2 * dayMs);
  await Promise.all([calls.closeNow(), calls.closeNow(), calls.closeNow()]);
  expect(await statusOf()).toBe('revoked');
  expect((await calls.read(helper)).recovered).toHaveLength(1);
});

test('25 recoveries that cannot be ended hold up none behind them for longer than two rounds [dashboard.recovery.whole]', async () => {
  const calls = recoveryCalls(dashboard);
  const helper = await dashboard.newAccount();
  const stuck = await Promise.all(Array.from({ length: 25 }, () => dashboard.newAccount()));
  const last = await dashboard.newAccount();
  const ids = [...stuck, last].map(({ account }) => account.id);
  await query(
    dashboard,
    `insert into dashboard.recovery_claim (id, account_id, claimant_id, signature, asked_at, due_at)
     select 'rcl_' || id, id, $1, '0x', $2, $2 from unnest($3::text[]) id`,
    [helper.account.id, dashboard.clock.now, ids],
  );
  await query(
    dashboard,
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''it cannot be''; end';
     create trigger refuse before update of closed_at on dashboard.account for each row
       when (old.id <> '${last.account.id}') execute function refuse()`,
  );
  await calls.closeNow();
  await calls.closeNow();
  await query(dashboard, 'drop trigger refuse on dashboard.account');
  expect(await dashboard.loginReply(last.wallet)).toMatchObject(unauthenticated);
  // Control: none of the others was closed.
  for (const { wallet } of stuck) expect(await dashboard.loginReply(wallet)).toMatchObject(done);
});
