import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../dashboard.ts';
import { type OauthDashboard, openOauthDashboard } from '../oauth/connected.ts';
import { peopleCalls } from './people.ts';

let dashboard: OauthDashboard;
let people: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
  people = peopleCalls(dashboard);
});
afterAll(() => dashboard?.stop());

type Owner = Awaited<ReturnType<OauthDashboard['newOwner']>>;
type Admin = Awaited<ReturnType<typeof people.newPerson>>;

/** How somebody loses what an admin may. */
const ways: Readonly<Record<string, (owner: Owner, admin: Admin) => Promise<Json>>> = {
  removed: (owner, admin) => people.remove(owner.token, admin.id),
  lowered: (owner, admin) => people.changeRoles(owner.token, admin.id, ['auditor']),
};
const newestChanges = async ({ token }: { token: string }): Promise<Json[]> =>
  (await dashboard.request('GET', '/api/people/changes', { token })).data.data;

test.each(Object.entries(ways))(
  'a client that an admin connected ends when the admin is %s, and the record names it [dashboard.people.left-behind]',
  async (_, end) => {
    const owner = await dashboard.newOwner();
    const admin = await people.newPerson(owner, ['admin']);
    const [theirs, mine] = [
      await dashboard.connect({ ...owner, token: admin.token }),
      await dashboard.connect(owner),
    ];
    const connections = await dashboard.post('/api/oauth/connections/list', {}, owner.token);
    const [, connection] = connections.data.data;
    expect(
      (await newestChanges(owner)).find(({ deed, by }) => deed === 'connectClient' && by.id === admin.id),
    ).toMatchObject({ result: connection.connectionId, outcome: 'done' });
    expect(await end(owner, admin)).toMatchObject({ status: 200 });
    expect(await dashboard.introspect(owner, theirs.accessToken)).toEqual({ active: false });
    expect(await dashboard.client.refresh(theirs.clientId, theirs.refreshToken)).toMatchObject({
      status: 400,
    });
    expect(await dashboard.introspect(owner, mine.accessToken)).toMatchObject({ active: true });
  },
);

test.each(Object.entries(ways))(
  'an admin who is %s takes along the keys whose text they know, rolled ones too, and no other [dashboard.people.left-behind]',
  async (_, end) => {
    const owner = await dashboard.newOwner();
    const admin = await people.newPerson(owner, ['admin']);
    const made = (await dashboard.post('/api/keys', { name: 'till' }, admin.token)).data;
    const second = (await dashboard.post('/api/keys', { name: 'shop' }, owner.token)).data;
    const roll = async (id: string, token: string) =>
      (await dashboard.post(`/api/keys/${id}/roll`, { graceSeconds: 3_600 }, token)).data;
    const [rolled, byHolder] = [await roll(second.id, admin.token), await roll(made.id, owner.token)];
    const byAdmin = (await newestChanges(owner)).filter(({ by }) => by.id === admin.id);
    expect(byAdmin.find(({ deed }) => deed === 'rollKey')).toMatchObject({
      subject: second.id,
      result: rolled.id,
    });
    const works = async ({ apiKey }: Json) =>
      (await dashboard.post('/api/oauth/introspect', { apiKey, tokenHashes: ['0'.repeat(64)] })).status;
    for (const key of [made, second, rolled, byHolder, owner]) expect(await works(key)).toBe(200);
    expect(await end(owner, admin)).toMatchObject({ status: 200 });
    for (const key of [made, rolled]) expect(await works(key)).toBe(401);
    for (const key of [second, byHolder, owner]) expect(await works(key)).toBe(200);
  },
);

test('a key that is made while its admin is removed does not outlive them [dashboard.people.left-behind]', async () => {
  const owner = await dashboard.newOwner();
  const admin = await people.newPerson(owner, ['admin']);
  const [making] = [
    Promise.all(
      Array.from({ length: 12 }, (_, n) => dashboard.post('/api/keys', { name: `key ${n}` }, admin.token)),
    ),
  ];
  expect(await people.remove(owner.token, admin.id)).toMatchObject({ status: 200 });
  await making;
  const { data } = (await dashboard.request('GET', '/api/keys', { token: owner.token })).data;
  const living = data.filter(({ revokedAt }: Json) => revokedAt === null);
  expect(living.map(({ id }: Json) => id)).toEqual([expect.any(String)]);
});
