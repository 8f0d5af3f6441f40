import { afterAll, beforeAll, expect, test } from 'vitest';
import { redirectUri, resource } from './client.ts';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
});
afterAll(() => dashboard?.stop());

const inactive = { active: false };
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

const newClient = async (metadata = {}): Promise<string> =>
  (await dashboard.client.register(metadata)).body.client_id;

test('a stolen code is worth nothing without its verifier, elsewhere, or to another client [dashboard.oauth.code]', async () => {
  const owner = await dashboard.newOwner();
  const [client, thief] = [await newClient(), await newClient()];
  const { code, verifier } = await dashboard.consentedCode(owner, client);
  const { exchange } = dashboard.client;
  expect(await exchange(client, code, 'w'.repeat(43))).toMatchObject(invalidGrant);
  expect(await exchange(client, code, verifier, { redirect_uri: 'https://evil.example/' })).toMatchObject(
    invalidGrant,
  );
  expect(await exchange(thief, code, verifier)).toMatchObject(invalidGrant);
  // The control: who has the verifier is the client that asked.
  expect(await exchange(client, code, verifier)).toMatchObject({ status: 200 });
});

test('without PKCE, or with plain, there is no code [dashboard.oauth.code]', async () => {
  const client = await newClient();
  const errorOf = (change: Record<string, string | undefined>) => dashboard.client.errorShown(client, change);
  expect(await errorOf({ code_challenge: undefined, code_challenge_method: undefined })).toBe(
    'invalid_request',
  );
  expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
  expect(await errorOf({})).toBeNull();
});

test('a replayed code revokes what it gave [dashboard.oauth.code]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, code, verifier, accessToken, refreshToken } = await dashboard.connect(owner);
  const other = await dashboard.connect(owner);
  expect(await dashboard.introspect(owner, accessToken)).toMatchObject({ active: true });
  expect(await dashboard.client.exchange(clientId, code, verifier)).toMatchObject(invalidGrant);
  expect(await dashboard.introspect(owner, accessToken)).toEqual(inactive);
  expect(await dashboard.client.refresh(clientId, refreshToken)).toMatchObject(invalidGrant);
  expect(await dashboard.introspect(owner, other.accessToken)).toMatchObject({ active: true });
});

test('a replayed refresh token revokes the family, whoever shows it first [dashboard.oauth.refresh]', async () => {
  const owner = await dashboard.newOwner();
  const { clientId, refreshToken } = await dashboard.connect(owner);
  const thiefs = await dashboard.client.refresh(clientId, refreshToken);
  expect(await dashboard.introspect(owner, thiefs.body.access_token)).toMatchObject({ active: true });
  expect(await dashboard.client.refresh(clientId, refreshToken)).toMatchObject(invalidGrant);
  expect(await dashboard.introspect(owner, thiefs.body.access_token)).toEqual(inactive);
  expect(await dashboard.client.refresh(clientId, thiefs.body.refresh_token)).toMatchObject(invalidGrant);
});

test('used twice at the same moment, a code or refresh token leaves nothing that works [dashboard.oauth.code] [dashboard.oauth.refresh]', async () => {
  const owner = await dashboard.newOwner();
  const client = await newClient();
  const { code, verifier } = await dashboard.consentedCode(owner, client);
  const { refreshToken, clientId } = await dashboard.connect(owner);
  const attempts = [
    [1, 2, 3].map(() => dashboard.client.exchange(client, code, verifier)),
    [1, 2, 3].map(() => dashboard.client.refresh(clientId, refreshToken)),
  ];
  for (const attempt of attempts) {
    const answers = await Promise.all(attempt);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of answers)
      expect(await dashboard.introspect(owner, body.access_token ?? 'none')).toEqual(inactive);
  }
});

test('a token is for one gateway that is known, and the token endpoint gives no other [dashboard.oauth.resource]', async () => {
  const owner = await dashboard.newOwner();
  const client = await newClient();
  const errorOf = (change: Record<string, string | undefined>) => dashboard.client.errorShown(client, change);
  expect(await errorOf({ resource: 'https://evil.example/mcp' })).toBe('invalid_target');
  expect(await errorOf({ resource: undefined })).toBe('invalid_target');
  await dashboard.newOwner('https://other.example/mcp');
  const { code, verifier } = await dashboard.consentedCode(owner, client);
  const elsewhere = { resource: 'https://other.example/mcp' };
  expect(await dashboard.client.exchange(client, code, verifier, elsewhere)).toMatchObject({
    status: 400,
    body: { error: 'invalid_target' },
  });
});

test('an owner connects a client as an agent of their own behind that gateway, and as no other [dashboard.oauth.same-browser]', async () => {
  const owner = await dashboard.newOwner();
  const elsewhere = await dashboard.agents.newAgent(owner);
  const stranger = await dashboard.newOwner();
  const asked = await dashboard.client.authorize(await newClient());
  const say = (agentId: string) => dashboard.answer(owner, asked.uid, asked.cookie, { agentId });
  expect((await say(stranger.agent.agentId)).status).toBe(404);
  expect((await say(elsewhere.agentId)).status).toBe(403);
  await dashboard.agents.revoke(stranger, stranger.agent.agentId);
  expect((await say(owner.agent.agentId)).status).toBe(200);
  expect((await say(owner.agent.agentId)).status).toBe(409);
});

test('nobody is led to answer a request that another browser began, or by another site [dashboard.oauth.same-browser]', async () => {
  const owner = await dashboard.newOwner();
  const asked = await dashboard.client.authorize(await newClient());
  const path = `/oauth/interactions/${asked.uid}`;
  const body = { agentId: owner.agent.agentId };
  // The attacker began it; the owner’s browser is signed in, and has no cookie of that request.
  const other = await dashboard.client.authorize(await newClient());
  for (const cookie of ['', other.cookie]) {
    const headers = { cookie };
    const { token } = owner;
    expect((await dashboard.request('GET', `${path}/request`, { token, headers })).status).toBe(404);
    expect((await dashboard.request('POST', `${path}/connect`, { token, headers, body })).status).toBe(404);
  }
  // Another site’s form or script: the browser adds both cookies, and an Origin that is not ours.
  const cookie = `platform_session=${owner.token}; ${asked.cookie}`;
  const from = (origin: string) =>
    dashboard.request('POST', `${path}/connect`, { headers: { cookie, origin }, body });
  expect((await from('https://evil.example')).status).toBe(403);
  expect((await from('null')).status).toBe(403);
  // Nobody is signed in.
  expect((await dashboard.answer({ token: 'none' }, asked.uid, asked.cookie, body)).status).toBe(401);
  expect((await from(dashboard.url)).status).toBe(200);
});

test('the browser goes to the client’s own redirect URI alone [dashboard.oauth.redirect]', async () => {
  const client = await newClient();
  const led = async (uri: string) =>
    dashboard.client.authorize(client, { redirect_uri: uri, scope: 'none', state: '<b>word</b>' });
  for (const uri of [
    'https://evil.example/callback',
    `${redirectUri}/../evil`,
    `${redirectUri}?more`,
    'https://client.example.evil.example/callback',
    'https://client.example@evil.example/callback',
  ]) {
    const { status, location, text } = await led(uri);
    expect({ status, location }).toEqual({ status: 400, location: null });
    expect(text).not.toMatch(/evil|word/);
  }
  const unknown = await dashboard.client.authorize('nobody');
  expect([unknown.status, unknown.location]).toEqual([400, null]);
  const native = await newClient({ redirect_uris: ['http://127.0.0.1/callback'] });
  const anyPort = await dashboard.client.authorize(native, {
    redirect_uri: 'http://127.0.0.1:3117/callback',
  });
  expect(anyPort.uid).not.toBe('');
});

test('registration refuses redirect URIs that browsers act on, in the RFC’s own form [dashboard.oauth.registration]', async () => {
  for (const uri of [
    'http://evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example/#b',
    'https://u:p@a.example/',
    'ms-settings:privacy',
    'search-ms:query=x',
    'search:x',
    'android-app://com.example',
    'intent://x',
    'nothing',
  ])
    expect(await dashboard.client.register({ redirect_uris: [uri] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri', error_description: expect.any(String) },
    });
  for (const redirect_uris of [[], Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`)])
    expect((await dashboard.client.register({ redirect_uris })).body.error).toBe('invalid_redirect_uri');
  expect((await dashboard.client.register({ response_types: ['token'] })).body.error).toBe(
    'invalid_client_metadata',
  );
  for (const uri of ['cursor://anysphere.cursor/callback', 'http://localhost:33418/', 'com.example.app:/cb'])
    expect((await dashboard.client.register({ redirect_uris: [uri] })).status).toBe(201);
});

test('what a client asks for beside that is left out: secrets, other grants, logos [dashboard.oauth.registration]', async () => {
  const { status, body } = await dashboard.client.register({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'implicit', 'client_credentials'],
    logo_uri: 'https://evil.example/logo.svg',
    jwks_uri: 'http://127.0.0.1:1/jwks',
    sector_identifier_uri: 'http://127.0.0.1:1/sector',
    scope: 'openid profile',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ token_endpoint_auth_method: 'none', grant_types: ['authorization_code'] });
  for (const name of ['client_secret', 'logo_uri', 'jwks_uri', 'sector_identifier_uri'])
    expect(body).not.toHaveProperty(name);
});

test('a name that would mislead its reader is not shown [dashboard.oauth.registration]', async () => {
  const owner = await dashboard.newOwner();
  const nameShown = async (client_name: string) => {
    const asked = await dashboard.client.authorize(await newClient({ client_name }));
    const { token } = owner;
    const path = `/oauth/interactions/${asked.uid}/request`;
    return (await dashboard.request('GET', path, { token, headers: { cookie: asked.cookie } })).data.client
      .name;
  };
  expect(await nameShown('Claude')).toBe('Claude');
  expect(await nameShown('edualC\u202e')).toBeNull();
  expect(await nameShown('x'.repeat(81))).toBeNull();
  expect(await nameShown(' ')).toBeNull();
});

test('a gateway is announced by the account of its agent, and by no operator [dashboard.oauth.resource]', async () => {
  const owner = await dashboard.newOwner();
  const stranger = await dashboard.newOwner();
  const announce = (apiKey: string, at: string) =>
    dashboard.post('/api/oauth/gateways', { apiKey, agentWallet: owner.agent.address, resource: at });
  expect((await announce(stranger.apiKey, resource)).status).toBe(404);
  expect((await announce((await dashboard.newOperatorKey()).apiKey, resource)).status).toBe(403);
  for (const at of [
    'https://gw.example',
    'https://gw.example/mcp?x',
    'https://GW.example/mcp',
    'ftp://gw.example/',
  ])
    expect([at, (await announce(owner.apiKey, at)).status]).toEqual([at, 400]);
  expect((await announce(owner.apiKey, resource)).data).toEqual({ issuer: dashboard.url });
});
