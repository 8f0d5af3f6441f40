import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
});
afterAll(() => dashboard?.stop());

const wrong = { code_challenge_method: 'plain' };

test('a client that nobody connected has no browser led to it by an error [dashboard.oauth.redirect]', async () => {
  await dashboard.newOwner();
  const { client_id: clientId } = (await dashboard.client.register()).body;
  for (const change of [
    wrong,
    { ...wrong, response_mode: 'fragment' },
    { ...wrong, response_mode: 'form_post' },
    { prompt: 'none' },
    { response_type: 'token' },
    { resource: 'https://unknown.example/mcp' },
  ]) {
    const { status, location, text } = await dashboard.client.authorize(clientId, change);
    expect({ change, status, location }).toEqual({ change, status: 400, location: null });
    expect(text).toMatch(/Not connected.*<code>[a-z_]+<\/code>/s);
    expect(text).not.toContain('client.example');
  }
});

test('a client that is connected is told its error, and no longer once it is cut off [dashboard.oauth.redirect]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, accessToken } = await dashboard.connect(owner);
  const { location } = await dashboard.client.authorize(clientId, wrong);
  expect([location?.host, location?.searchParams.get('error')]).toEqual([
    'client.example',
    'invalid_request',
  ]);
  const { connectionId } = await dashboard.introspect(owner, accessToken);
  await dashboard.post('/api/oauth/connections/disconnect', { connectionId }, owner.token);
  expect(await dashboard.client.errorShown(clientId, wrong)).toBe('invalid_request');
});
