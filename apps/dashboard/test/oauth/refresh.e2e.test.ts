import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
let aheadMs = 0;
beforeAll(async () => {
  dashboard = await openOauthDashboard({}, { now: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => dashboard?.stop());

test('a client that asks for offline_access is connected by one consent, and renews [dashboard.oauth.connect]', async () => {
  const owner = await dashboard.newOwner();
  for (const prompt of ['consent', undefined]) {
    const scope = 'services:read services:call offline_access';
    const { clientId, refreshToken, accessToken } = await dashboard.connect(owner, { scope, prompt });
    expect(await dashboard.introspect(owner, accessToken)).toMatchObject({
      active: true,
      scopes: ['services:read', 'services:call'],
    });
    expect(await dashboard.client.refresh(clientId, refreshToken)).toMatchObject({
      status: 200,
      body: { scope: 'services:read services:call' },
    });
  }
});

test('a token that was narrowed when it was renewed allows no more than it says [dashboard.oauth.refresh]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, refreshToken } = await dashboard.connect(owner);
  const narrow = await dashboard.client.refresh(clientId, refreshToken, { scope: 'services:read' });
  expect(await dashboard.introspect(owner, narrow.body.access_token)).toMatchObject({
    active: true,
    scopes: ['services:read'],
  });
  const wide = await dashboard.client.refresh(clientId, narrow.body.refresh_token);
  expect(await dashboard.introspect(owner, wide.body.access_token)).toMatchObject({
    scopes: ['services:read', 'services:call'],
  });
});

test('half a minute after a renewal the access tokens before it have ended, and the new one has not [dashboard.oauth.refresh]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, refreshToken, accessToken } = await dashboard.connect(owner);
  const other = await dashboard.connect(owner);
  const renewed = await dashboard.client.refresh(clientId, refreshToken);
  // Calls that are under way with the old one still get their answer.
  expect(await dashboard.introspect(owner, accessToken)).toMatchObject({ active: true });
  aheadMs = 31_000;
  expect(await dashboard.introspect(owner, accessToken)).toEqual({ active: false });
  expect(await dashboard.introspect(owner, renewed.body.access_token)).toMatchObject({ active: true });
  expect(await dashboard.introspect(owner, other.accessToken)).toMatchObject({ active: true });
});
