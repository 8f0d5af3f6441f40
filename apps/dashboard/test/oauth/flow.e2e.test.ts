import { afterAll, beforeAll, expect, test } from 'vitest';
import { redirectUri, resource, sha256 } from './client.ts';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
});
afterAll(() => dashboard?.stop());

const inactive = { active: false };

test('the metadata is told at both well-known paths, and PKCE is S256 alone [dashboard.oauth.metadata]', async () => {
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const metadata = await (await fetch(`${dashboard.url}/.well-known/${name}`)).json();
    expect(metadata).toMatchObject({
      issuer: dashboard.url,
      authorization_endpoint: `${dashboard.url}/oauth/authorize`,
      token_endpoint: `${dashboard.url}/oauth/token`,
      registration_endpoint: `${dashboard.url}/oauth/register`,
      revocation_endpoint: `${dashboard.url}/oauth/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  }
});

test('an owner connects a client as an agent, and its token says so to the gateway [dashboard.oauth.connect]', async () => {
  const owner = await dashboard.newOwner();
  const { body } = await dashboard.client.register();
  expect(body).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [redirectUri] });
  expect(body).not.toHaveProperty('client_secret');
  const asked = await dashboard.client.authorize(body.client_id);
  expect(asked).toMatchObject({ status: 303, uid: expect.stringMatching(/^[\w-]{20,}$/) });
  const page = await dashboard.client.visit(asked.location?.pathname ?? '', asked.cookie);
  expect(page.location?.pathname).toBe(`/connect/${asked.uid}`);

  const request = await dashboard.request('GET', `/oauth/interactions/${asked.uid}/request`, {
    token: owner.token,
    headers: { cookie: asked.cookie },
  });
  expect(request.data).toMatchObject({
    client: { name: 'Test client', verifiedHost: null, documentUrl: null, returnsTo: 'client.example' },
    resource,
    scopes: ['services:read', 'services:call'],
    agents: [{ agentId: owner.agent.agentId, state: 'active' }],
  });

  const said = await dashboard.answer(owner, asked.uid, asked.cookie, { agentId: owner.agent.agentId });
  const back = await dashboard.client.visit(said.data.redirectTo, asked.cookie);
  expect(back.location?.href).toMatch(/^https:\/\/client\.example\/callback\?/);
  const { code, state, iss } = Object.fromEntries(back.location?.searchParams ?? []);
  expect({ state, iss }).toEqual({ state: 'some-state', iss: dashboard.url });

  const tokens = await dashboard.client.exchange(body.client_id, code ?? '', asked.verifier);
  expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
  expect(tokens.body.scope).toBe('services:read services:call');
  const { access_token: token, refresh_token: refreshToken } = tokens.body;
  expect(await dashboard.introspect(owner, token)).toEqual({
    active: true,
    iss: dashboard.url,
    aud: resource,
    exp: expect.any(Number),
    scopes: ['services:read', 'services:call'],
    agentWallet: owner.agent.address,
    connectionId: expect.stringMatching(/^con_/),
  });
  // To another account it is no token at all.
  expect(await dashboard.introspect(await dashboard.newOwner(), token)).toEqual(inactive);

  const renewed = await dashboard.client.refresh(body.client_id, refreshToken);
  expect(renewed.status).toBe(200);
  expect(renewed.body.refresh_token).not.toBe(refreshToken);
  expect(await dashboard.introspect(owner, renewed.body.access_token)).toMatchObject({
    active: true,
    aud: resource,
  });
});

test('a refused client is told so, and gets nothing [dashboard.oauth.connect]', async () => {
  const owner = await dashboard.newOwner();
  const { client_id: clientId } = (await dashboard.client.register()).body;
  const asked = await dashboard.client.authorize(clientId);
  const said = await dashboard.answer(owner, asked.uid, asked.cookie);
  const back = await dashboard.client.visit(said.data.redirectTo, asked.cookie);
  const { error, code } = Object.fromEntries(back.location?.searchParams ?? []);
  expect({ error, code }).toEqual({ error: 'access_denied', code: undefined });
});

test('connected clients are listed, and one click cuts one off and not the other [dashboard.oauth.disconnect]', async () => {
  const owner = await dashboard.newOwner();
  const [one, two] = [await dashboard.connect(owner), await dashboard.connect(owner)];
  const list = async () => (await dashboard.post('/api/oauth/connections/list', {}, owner.token)).data;
  const listed = await list();
  expect(listed).toMatchObject({ total: 2, data: [{ agentId: owner.agent.agentId, resource }, {}] });
  const { connectionId } = await dashboard.introspect(owner, one.accessToken);

  const stranger = await dashboard.newOwner();
  const cut = (token: string) => dashboard.post('/api/oauth/connections/disconnect', { connectionId }, token);
  expect((await cut(stranger.token)).status).toBe(404);
  expect(await dashboard.introspect(owner, one.accessToken)).toMatchObject({ active: true });

  expect((await cut(owner.token)).status).toBe(200);
  expect(await dashboard.introspect(owner, one.accessToken)).toEqual(inactive);
  expect(await dashboard.client.refresh(one.clientId, one.refreshToken)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect(await dashboard.introspect(owner, two.accessToken)).toMatchObject({ active: true });
  expect((await list()).total).toBe(1);
  expect((await cut(owner.token)).status).toBe(200);
});

test('a client gives its tokens back itself [dashboard.oauth.revocation]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, accessToken, refreshToken } = await dashboard.connect(owner);
  const other = await dashboard.connect(owner);
  // A token of another client is not given back, and nothing is told of it.
  expect((await dashboard.client.revoke(other.clientId, accessToken)).status).toBe(200);
  expect(await dashboard.introspect(owner, accessToken)).toMatchObject({ active: true });
  expect((await dashboard.client.revoke(clientId, refreshToken)).status).toBe(200);
  expect(await dashboard.introspect(owner, accessToken)).toEqual(inactive);
});

test('an agent that is revoked takes its clients with it [dashboard.oauth.disconnect]', async () => {
  const owner = await dashboard.newOwner();
  const { accessToken } = await dashboard.connect(owner);
  expect(await dashboard.introspect(owner, accessToken)).toMatchObject({ active: true });
  await dashboard.agents.revoke(owner, owner.agent.agentId);
  expect(await dashboard.introspect(owner, accessToken)).toEqual(inactive);
});

test('the database has no code and no token, only hashes [dashboard.oauth.hashed]', async () => {
  const owner = await dashboard.newOwner();
  const connected = await dashboard.connect(owner);
  const dump = await dashboard.everyRecord();
  expect(dump).toContain(sha256(connected.accessToken));
  for (const secret of [connected.accessToken, connected.refreshToken, connected.code, connected.verifier])
    expect(dump).not.toContain(secret);
});

test('without OAUTH=on there is no authorization server', async () => {
  const off = await openOauthDashboard({ oauth: false });
  try {
    expect((await fetch(`${off.url}/.well-known/oauth-authorization-server`)).status).toBe(404);
    expect((await fetch(`${off.url}/oauth/register`, { method: 'POST', body: '{}' })).status).toBe(404);
    const owner = await off.newOwner();
    expect(await off.introspect(owner, 'anything')).toEqual(inactive);
  } finally {
    await off.stop();
  }
});
