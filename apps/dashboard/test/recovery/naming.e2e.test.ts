import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentCalls } from '../agents.ts';
import { newWallet, openDashboard, type TestDashboard } from '../dashboard.ts';
import { follow } from '../event-stream.ts';
import { peopleCalls } from '../people/people.ts';
import { erase, operators, operatorWallet, query } from '../personal-data.ts';
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

test('the first recovery address counts at once; another one only when the delay is over [dashboard.recovery.naming]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  expect(await calls.read(owner)).toMatchObject({
    address: { walletAddress: helper.address, since: dashboard.clock.now.toISOString() },
    change: null,
    claim: null,
  });
  expect((await calls.read(helper)).namedBy).toMatchObject([{ walletAddress: owner.address }]);
  const next = newWallet().address;
  const countsFrom = new Date(dashboard.clock.now.getTime() + 7 * dayMs).toISOString();
  expect(await calls.name(owner, next)).toMatchObject({
    ...done,
    data: { recovery: { address: { walletAddress: helper.address }, change: { to: next, countsFrom } } },
  });
  expect(await calls.name(owner, null)).toMatchObject(repeated);
  dashboard.clock.advance(7 * dayMs - 1);
  expect((await calls.read(owner)).address).toMatchObject({ walletAddress: helper.address });
  dashboard.clock.advance(1);
  expect(await calls.read(owner)).toMatchObject({ address: { walletAddress: next }, change: null });
  expect((await calls.read(helper)).namedBy).toEqual([]);
  // A removal waits too, and so does whoever is named after it.
  await calls.name(owner, null);
  dashboard.clock.advance(7 * dayMs);
  expect(await calls.read(owner)).toMatchObject({ address: null, change: null });
  expect(await calls.name(owner, helper.address)).toMatchObject({
    data: { recovery: { address: null, change: { to: helper.address } } },
  });
});

test('whoever has stolen the wallet cannot move the address away while that one objects [dashboard.recovery.change-objected]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  const thiefs = newWallet().address;
  const { change } = (await calls.name(owner, thiefs)).data.recovery;
  const stranger = await dashboard.newAccount();
  expect(await calls.object(stranger, change.id)).toMatchObject(unknown);
  expect(await calls.object(helper, change.id, stranger.wallet)).toMatchObject(forbidden);
  expect(await calls.object(helper, change.id)).toMatchObject(done);
  dashboard.clock.advance(8 * dayMs);
  expect(await calls.read(owner)).toMatchObject({ address: { walletAddress: helper.address }, change: null });
  // Control: without an objection it moves, and what counts cannot be objected to.
  const again = (await calls.name(owner, thiefs)).data.recovery.change;
  dashboard.clock.advance(7 * dayMs);
  expect(await calls.object(helper, again.id)).toMatchObject(unknown);
  expect((await calls.read(owner)).address).toMatchObject({ walletAddress: thiefs });
});

test('an erasure does not take the recovery address away [dashboard.recovery.erasure]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  expect(await erase(dashboard, owner)).toMatchObject(done);
  expect((await calls.read(owner)).address).toMatchObject({ walletAddress: helper.address });
  expect(await calls.claim(helper, owner)).toMatchObject(done);
});

test('nobody names their own wallet, an agent’s, nobody’s or a closed account’s [dashboard.recovery.whom]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  await calls.recover(owner, helper);
  const other = await dashboard.newAccount();
  const agent = await agentCalls(dashboard).newAgent(other);
  const invalid = { status: 400, code: 80000012 };
  const zero = `0x${'00'.repeat(20)}` as typeof owner.address;
  for (const address of [other.address, agent.address, owner.address, zero])
    expect(await calls.name(other, address)).toMatchObject(invalid);
  expect(await calls.name(other, null)).toMatchObject(repeated);
  // Control.
  expect(await calls.name(other, helper.address)).toMatchObject(done);
});

test('each statement takes the wallet’s own signature and counts once; a session alone does nothing [dashboard.recovery.signed]', async () => {
  const calls = recoveryCalls(dashboard);
  const [owner, thief] = [await dashboard.newAccount(), await dashboard.newAccount()];
  expect(await calls.name(owner, thief.address, thief.wallet)).toMatchObject(forbidden);
  const message = { accountId: owner.account.id, wallet: owner.address, recoveryAddress: thief.address };
  const proof = await calls.signed(owner.wallet, 'NameRecoveryAddress', message);
  const send = async (recoveryAddress: string, path = 'address') =>
    dashboard.post(`/api/recovery/${path}`, { recoveryAddress, ...proof }, await calls.again(owner));
  // Another address than was signed burns the nonce, and what was signed does not count any more either.
  expect(await send(newWallet().address)).toMatchObject(forbidden);
  expect(await send(thief.address)).toMatchObject(forbidden);
  expect((await calls.read(owner)).address).toBeNull();
  const old = await calls.signed(owner.wallet, 'NameRecoveryAddress', message);
  dashboard.clock.advance(hourMs);
  const body = { recoveryAddress: thief.address, ...old };
  expect(await dashboard.post('/api/recovery/address', body, await calls.again(owner))).toMatchObject(
    forbidden,
  );
  expect(await calls.name(owner, thief.address)).toMatchObject(done);
});

test('all people of an account see its recovery, at once, and none of them changes it [dashboard.recovery.seen]', async () => {
  const calls = recoveryCalls(dashboard);
  const { owner, helper } = await calls.newPair();
  const people = peopleCalls(dashboard);
  const auditor = await people.newPerson(owner, ['auditor']);
  const second = await people.newPerson(owner, ['owner'], 'Olga');
  const stream = await follow(dashboard.url, { authorization: `Bearer ${auditor.token}` });
  await calls.claim(helper, owner);
  const told = await stream.until('recovery');
  expect(told).toMatchObject({ claim: { walletAddress: helper.address } });
  const message = { id: told.claim.id, wallet: owner.address };
  const proof = await calls.signed(owner.wallet, 'ObjectToRecovery', message);
  const body = { id: told.claim.id, ...proof };
  expect(await dashboard.post('/api/recovery/objections', body, second.token)).toMatchObject(forbidden);
});

test('a wallet on the deny list names nobody and objects to nothing [dashboard.recovery.denied]', async () => {
  const calls = recoveryCalls(dashboard);
  const operator = await dashboard.newAccount(operatorWallet);
  const { owner, helper } = await calls.newPair();
  const deny = async (address: string) =>
    dashboard.post(
      '/api/compliance/deny-list/add',
      { address, reason: 'reported stolen' },
      await calls.again(operator),
    );
  const change = (await calls.name(owner, newWallet().address)).data.recovery.change;
  await deny(helper.address);
  expect(await calls.object(helper, change.id)).toMatchObject(forbidden);
  expect(await calls.claim(helper, owner)).toMatchObject(forbidden);
  await calls.object(owner, change.id);
  await deny(owner.address);
  expect(await calls.name(owner, newWallet().address)).toMatchObject(forbidden);
  const rows = await query(dashboard, 'select ended_by from dashboard.recovery_address where id = $1', [
    change.id,
  ]);
  expect(rows).toEqual([{ ended_by: owner.address }]);
});
