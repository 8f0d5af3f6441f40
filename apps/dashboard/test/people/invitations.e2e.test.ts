import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDashboard, openDashboardForTest, type TestDashboard } from '../dashboard.ts';
import { everythingKept, foundIn } from '../../../../packages/service/test/everything-kept.ts';
import { erase, urlOf } from '../personal-data.ts';
import { aPassword, aUserName, peopleCalls } from './people.ts';

let dashboard: TestDashboard;
let people: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  dashboard = await openDashboard();
  people = peopleCalls(dashboard);
});
afterAll(() => dashboard.stop());

const hour = 60 * 60_000;
const chosen = () => ({ userName: aUserName(), password: aPassword() });
const gone = { status: 404, code: 80000011 };
const forbidden = { status: 403, code: 80000004 };

test('an owner invites, and whoever accepts has a sign-in of their own and the roles offered [dashboard.people.invite] [dashboard.people.accept]', async () => {
  const owner = await dashboard.newAccount();
  const { invitation, token } = (await people.invite(owner.token, ['approver', 'merchant'], 'Grace')).data;
  expect(invitation).toMatchObject({
    name: 'Grace',
    roles: ['approver', 'merchant'],
    state: 'open',
    personId: null,
    invitedBy: { id: 'holder' },
    expiresAt: new Date(dashboard.clock.now.getTime() + 72 * hour).toISOString(),
  });
  expect((await dashboard.post('/api/invitations/look', { token })).data).toEqual({
    name: 'Grace',
    roles: ['approver', 'merchant'],
    walletAddress: owner.address,
    renews: false,
    expiresAt: invitation.expiresAt,
  });
  const password = chosen();
  const accepted = await people.accept({ token, name: 'Grace H.', password });
  expect(accepted).toMatchObject({ status: 200, data: { account: owner.account } });
  expect(accepted.headers.get('set-cookie')).toMatch(/^platform_session=.+; HttpOnly; SameSite=Lax/);
  expect((await people.me(accepted.data.token)).data).toEqual({
    account: owner.account,
    operator: false,
    person: { id: expect.any(String), name: 'Grace H.', roles: ['approver', 'merchant'], holder: false },
  });
  expect(await people.logIn(password.userName, password.password)).toMatchObject({ status: 200 });
  const listed = (await dashboard.request('GET', '/api/people', { token: owner.token })).data.data;
  expect(listed).toMatchObject([
    { id: 'holder', holder: true, roles: ['owner'] },
    { name: 'Grace H.', holder: false, userName: password.userName, passkeys: 0 },
  ]);
});

test('an invitation ends by its use, by being revoked, and after 72 hours [dashboard.people.invitation.once]', async () => {
  const { token: owner } = await dashboard.newAccount();
  const offer = async () => (await people.invite(owner, ['auditor'])).data;
  const [used, revoked, late] = [await offer(), await offer(), await offer()];
  await people.accept({ token: used.token, password: chosen() });
  const revoke = () =>
    dashboard.request('DELETE', `/api/people/invitations/${revoked.invitation.id}`, { token: owner });
  expect(await revoke()).toMatchObject({ status: 200 });
  expect(await revoke()).toMatchObject(gone);
  dashboard.clock.advance(72 * hour);
  for (const { token } of [used, revoked, late, { token: 'inv_unknown' }]) {
    expect(await dashboard.post('/api/invitations/look', { token })).toMatchObject(gone);
    expect(await people.accept({ token, password: chosen() })).toMatchObject(gone);
  }
});

test('of two who accept one invitation at the same moment one comes in [dashboard.people.invitation.once]', async () => {
  const { token: owner } = await dashboard.newAccount();
  const { token } = (await people.invite(owner, ['auditor'])).data;
  const replies = await Promise.all([1, 2, 3, 4].map(() => people.accept({ token, password: chosen() })));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
  const listed = (await dashboard.request('GET', '/api/people', { token: owner })).data.data;
  expect(listed).toHaveLength(2);
});

test('of a token and a password hashes alone are kept [dashboard.people.kept]', async () => {
  const owner = await dashboard.newAccount();
  const { token } = (await people.invite(owner.token, ['auditor'])).data;
  const password = chosen();
  await people.accept({ token, password });
  const kept = await everythingKept(urlOf(dashboard));
  expect(foundIn(kept, [password.userName])).not.toEqual([]);
  expect(foundIn(kept, [token, token.slice(4), password.password])).toEqual([]);
});

test('nobody gives away what they may not do themselves [dashboard.people.no-higher]', async () => {
  const owner = await dashboard.newAccount();
  const admin = await people.newPerson(owner, ['admin']);
  for (const roles of [['owner'], ['operator'], ['auditor', 'owner']])
    expect(await people.invite(admin.token, roles)).toMatchObject(forbidden);
  for (const roles of [['admin'], ['approver'], ['merchant'], ['auditor']])
    expect(await people.invite(admin.token, roles)).toMatchObject({ status: 200 });
  const coOwner = await people.newPerson(owner, ['owner']);
  const operator = await people.newPerson(owner, ['operator']);
  for (const { id } of [coOwner, operator]) {
    expect(await people.changeRoles(admin.token, id, ['auditor'])).toMatchObject(forbidden);
    expect(await people.remove(admin.token, id)).toMatchObject(forbidden);
  }
  const auditor = await people.newPerson(admin, ['auditor']);
  expect(await people.changeRoles(admin.token, auditor.id, ['owner'])).toMatchObject(forbidden);
  expect(await people.changeRoles(admin.token, admin.id, ['owner'])).toMatchObject(forbidden);
  expect(await people.changeRoles(admin.token, auditor.id, ['approver'])).toMatchObject({
    status: 200,
    data: { person: { id: auditor.id, roles: ['approver'] } },
  });
});

test('an admin revokes no invitation that is higher, and fills nobody’s room [dashboard.people.no-higher]', async () => {
  const owner = await dashboard.newAccount();
  const admin = await people.newPerson(owner, ['admin']);
  const coOwner = await people.newPerson(owner, ['owner']);
  const offer = (await people.invite(owner.token, ['owner'])).data.invitation;
  const renew = () => dashboard.post(`/api/people/${coOwner.id}/invitation`, {}, owner.token);
  const renewal = (await renew()).data.invitation;
  const revoke = (token: string, { id }: { id: string }) =>
    dashboard.request('DELETE', `/api/people/invitations/${id}`, { token });
  for (const each of [offer, renewal]) expect(await revoke(admin.token, each)).toMatchObject(forbidden);
  for (let n = 0; n < 20; n++)
    expect(await people.invite(admin.token, ['auditor'])).toMatchObject({ status: 200 });
  expect(await people.invite(admin.token, ['auditor'])).toMatchObject({ status: 409, code: 80000003 });
  expect(await people.invite(owner.token, ['auditor'])).toMatchObject({ status: 200 });
  expect(await renew()).toMatchObject({ status: 200 });
  expect(await revoke(owner.token, offer)).toMatchObject({ status: 200 });
});

test('nobody who accepts calls themselves as the holder or somebody else is called [dashboard.people.accept]', async () => {
  const owner = await dashboard.newAccount();
  await people.newPerson(owner, ['admin'], 'Margaret');
  const { token } = (await people.invite(owner.token, ['auditor'])).data;
  for (const name of ['Wallet’s holder', "WALLET'S HOLDER", 'margaret'])
    expect(await people.accept({ token, name, password: chosen() })).toMatchObject({
      status: 409,
      code: 80000003,
    });
  expect(await people.accept({ token, name: 'Mary', password: chosen() })).toMatchObject({ status: 200 });
});

test('what somebody offered falls with them, and with their roles [dashboard.people.invitation.inviter]', async () => {
  const owner = await dashboard.newAccount();
  const [removed, lowered] = [
    await people.newPerson(owner, ['admin']),
    await people.newPerson(owner, ['admin']),
  ];
  const offers = [
    (await people.invite(removed.token, ['admin'])).data.token,
    (await people.invite(lowered.token, ['admin'])).data.token,
  ];
  await people.remove(owner.token, removed.id);
  await people.changeRoles(owner.token, lowered.id, ['auditor']);
  for (const token of offers) expect(await people.accept({ token, password: chosen() })).toMatchObject(gone);
});

test('an invited owner cannot remove or lower the wallet’s holder, nor sign for them [dashboard.people.holder]', async () => {
  const owner = await dashboard.newAccount();
  const coOwner = await people.newPerson(owner, ['owner']);
  expect(await people.remove(coOwner.token, 'holder')).toMatchObject(forbidden);
  expect(await people.changeRoles(coOwner.token, 'holder', ['auditor'])).toMatchObject(forbidden);
  const draft = await dashboard.draftMandate(coOwner.token);
  const other = (await dashboard.newAccount()).wallet;
  expect(await dashboard.signMandate({ wallet: other, token: coOwner.token }, draft)).toMatchObject(
    forbidden,
  );
  for (const path of ['/api/personal-data/export', '/api/personal-data/erase', '/api/kyc/submit'])
    expect(await dashboard.post(path, {}, coOwner.token)).toMatchObject(forbidden);
  expect(await people.remove(owner.token, coOwner.id)).toMatchObject({ status: 200 });
  expect(await people.me(coOwner.token)).toMatchObject({ status: 401 });
});

test('an owner’s new invitation replaces a sign-in, and ends its sessions [dashboard.people.renew]', async () => {
  const owner = await dashboard.newAccount();
  const admin = await people.newPerson(owner, ['admin']);
  const person = await people.newPerson(owner, ['approver'], 'Hedy');
  const renew = (token: string) => dashboard.post(`/api/people/${person.id}/invitation`, {}, token);
  expect(await renew(admin.token)).toMatchObject(forbidden);
  const first = (await renew(owner.token)).data.token;
  const { token, invitation } = (await renew(owner.token)).data;
  expect(invitation).toMatchObject({ name: 'Hedy', roles: ['approver'], personId: person.id });
  expect(await dashboard.post('/api/invitations/look', { token: first })).toMatchObject(gone);
  const password = chosen();
  const accepted = await people.accept({ token, name: 'Mallory', password });
  expect((await people.me(accepted.data.token)).data.person).toMatchObject({ id: person.id, name: 'Hedy' });
  expect(await people.me(person.token)).toMatchObject({ status: 401 });
  expect(await people.logIn(person.userName, person.password)).toMatchObject({ status: 401 });
  expect(await people.logIn(password.userName, password.password)).toMatchObject({ status: 200 });
});

test('a sign-in that is replaced while it is checked opens no session, on any process [dashboard.people.renew]', async () => {
  const owner = await dashboard.newAccount();
  const person = await people.newPerson(owner, ['approver']);
  const sibling = await openDashboardForTest({ storage: dashboard.config.storage });
  sibling.clock.now = dashboard.clock.now;
  const renewed = await dashboard.post(`/api/people/${person.id}/invitation`, {}, owner.token);
  const logIns = Array.from({ length: 8 }, () => people.logIn(person.userName, person.password));
  const body = { token: renewed.data.token, password: chosen() };
  expect(await sibling.post('/api/invitations/accept', body)).toMatchObject({ status: 200 });
  const opened = (await Promise.all(logIns)).filter(({ status }) => status === 200);
  for (const { data } of opened) expect(await people.me(data.token)).toMatchObject({ status: 401 });
});

test('whoever is removed while they accept an invitation has no session, and nothing breaks [dashboard.people.remove]', async () => {
  const owner = await dashboard.newAccount();
  for (let round = 0; round < 3; round++) {
    const { token, invitation } = (await people.invite(owner.token, ['auditor'])).data;
    const accepting = people.accept({ token, password: chosen() });
    const id = invitation.id.replace('ivt_', 'per_');
    const remove = async (): Promise<number> => (await people.remove(owner.token, id)).status;
    let removed = await remove();
    while (removed === 404) removed = await remove();
    const accepted = await accepting;
    expect([removed, accepted.status]).toEqual([200, 200]);
    expect(await people.me(accepted.data.token)).toMatchObject({ status: 401 });
  }
});

test('an invited owner tightens a mandate’s policy, and the wallet’s holder alone loosens it [dashboard.people.policy]', async () => {
  const owner = await dashboard.newAccount();
  const coOwner = await people.newPerson(owner, ['owner']);
  const { mandateId } = await dashboard.draftMandate(owner.token);
  const open = {
    paused: false,
    period: null,
    allowedMerchants: null,
    allowedServices: null,
    approvalThreshold: null,
  };
  const set = (token: string, policy: object) =>
    dashboard.post('/api/mandates/intent/policy', { mandateId, policy }, token);
  const tight = { ...open, paused: true, allowedServices: ['weather'], approvalThreshold: '5' };
  expect(await set(coOwner.token, tight)).toMatchObject({ status: 200 });
  for (const change of [{ paused: false }, { allowedServices: null }, { approvalThreshold: '6' }])
    expect(await set(coOwner.token, { ...tight, ...change })).toMatchObject({
      ...forbidden,
      msg: `${Object.keys(change).join()}: only the wallet’s holder may loosen a rule of a policy`,
    });
  expect(await set(owner.token, open)).toMatchObject({ status: 200 });
});

test('people and invitations of another account do not exist for me [dashboard.people.foreign]', async () => {
  const [mine, theirs] = [await dashboard.newAccount(), await dashboard.newAccount()];
  const person = await people.newPerson(theirs, ['auditor']);
  const { invitation } = (await people.invite(theirs.token, ['auditor'])).data;
  expect(await people.remove(mine.token, person.id)).toMatchObject(gone);
  expect(await people.changeRoles(mine.token, person.id, ['owner'])).toMatchObject(gone);
  expect(await dashboard.post(`/api/people/${person.id}/invitation`, {}, mine.token)).toMatchObject(gone);
  expect(
    await dashboard.request('DELETE', `/api/people/invitations/${invitation.id}`, { token: mine.token }),
  ).toMatchObject(gone);
});

test('an erasure of personal data deletes the people, their sign-ins and what they did [dashboard.people.erased]', async () => {
  const owner = await dashboard.newAccount();
  const person = await people.newPerson(owner, ['approver'], 'Annie Easley');
  expect(await erase(dashboard, owner)).toMatchObject({ status: 200, data: { erased: { people: 2 } } });
  expect(foundIn(await everythingKept(urlOf(dashboard)), ['Annie Easley', person.userName])).toEqual([]);
  expect(await people.me(person.token)).toMatchObject({ status: 401 });
});
