import { createHash } from 'node:crypto';
import { expectOk } from '@countersign/local/dashboard-account';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AgentWallet, newAgentWallet } from './fixtures/agent-wallet.ts';
import { callback, oauthClient } from './fixtures/oauth-client.ts';
import { connected, consent, oauthGateway } from './fixtures/oauth-world.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let agent: AgentWallet;
let gateway: Awaited<ReturnType<typeof oauthGateway>>;

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };

beforeAll(async () => {
  world = await startWorld({ OAUTH: 'on' });
  owner = await world.newOwner({ mandate: null });
  agent = await newAgentWallet(world, owner);
  gateway = await oauthGateway(world, owner, agent);
});
afterAll(() => world?.stop());

const post = (url: string, token: string | null, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const callTool = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

test('a client that knows only OAuth connects, pays within its limits, renews, and is cut off by one click [gateway.oauth.official-client]', async () => {
  const stock = oauthClient(gateway.url);
  await expect(stock.connect()).rejects.toThrow(UnauthorizedError);
  const { sentTo } = stock.kept;
  expect(sentTo?.origin).toBe(new URL(world.card.dashboardUrl).origin);
  expect(Object.fromEntries(sentTo?.searchParams ?? [])).toMatchObject({
    resource: gateway.url,
    code_challenge_method: 'S256',
    scope: 'services:read services:call',
    redirect_uri: callback,
  });

  await stock.finish(await consent(world, owner, agent.agentId, sentTo ?? new URL('http://nowhere')));
  const session = await stock.connect();
  expect(JSON.stringify((await session.list()).structuredContent)).toContain('get_quote');
  const before = await agent.balance();
  expect(await session.call(quote)).toMatchObject({
    ok: true,
    code: 'SUCCESS',
    detail: { paymentMade: true },
  });
  expect(await agent.balance()).toBeLessThan(before);

  // The access token runs out: the client renews it by itself, and its refresh token is another one then.
  const first = stock.kept.tokens;
  stock.kept.tokens = first && { ...first, access_token: 'x'.repeat(43) };
  expect(await session.call(quote)).toMatchObject({ ok: true });
  expect(stock.kept.tokens?.refresh_token).not.toBe(first?.refresh_token);

  const { token } = owner;
  const { data } = expectOk('list', await world.dashboard.listConnections({ token, body: {} }));
  expect(data).toMatchObject([
    { client: { name: 'Stock client', returnsTo: 'localhost:7777' }, agentId: agent.agentId },
  ]);
  const body = { connectionId: data[0]?.connectionId ?? '' };
  expectOk('disconnect', await world.dashboard.disconnectClient({ token, body }));
  const cutAt = Date.now();
  const accessToken = stock.kept.tokens?.access_token ?? '';
  await until(
    () => post(gateway.url, accessToken, ping),
    ({ status }) => status === 401,
  );
  expect(Date.now() - cutAt).toBeLessThan(5_000);
  await expect(session.call(quote)).rejects.toThrow(UnauthorizedError);
  await session.close();
});

test('the gateway tells where tokens come from, with and without one [gateway.oauth.metadata] [gateway.oauth.challenge]', async () => {
  const { origin } = new URL(gateway.url);
  for (const path of ['', '/mcp']) {
    const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    expect(await response.json()).toEqual({
      resource: gateway.url,
      authorization_servers: [new URL(world.card.dashboardUrl).origin],
      scopes_supported: ['services:read', 'services:call'],
      bearer_methods_supported: ['header'],
      resource_name: 'Countersign gateway',
    });
  }
  const where = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  const challengeOf = async (token: string | null) => {
    const { status, headers } = await post(gateway.url, token, ping);
    return [status, headers.get('www-authenticate')];
  };
  const scope = 'scope="services:read services:call"';
  expect(await challengeOf(null)).toEqual([401, `Bearer realm="countersign", ${where}, ${scope}`]);
  expect(await challengeOf('y'.repeat(43))).toEqual([
    401,
    `Bearer realm="countersign", error="invalid_token", ${where}, ${scope}`,
  ]);
  expect((await post(gateway.url, gateway.token, ping)).status).toBe(200);
});

test('a token without services:call reads and does not call, and the gateway’s state is none of its business [gateway.oauth.scope]', async () => {
  const stock = oauthClient(gateway.url);
  await stock.connect().catch(() => {});
  const asked = new URL(stock.kept.sentTo ?? 'http://nowhere');
  asked.searchParams.set('scope', 'services:read');
  await stock.finish(await consent(world, owner, agent.agentId, asked));
  const token = stock.kept.tokens?.access_token ?? '';
  expect((await post(gateway.url, token, callTool('list_gateway_services', {}))).status).toBe(200);
  const refused = await post(gateway.url, token, callTool('call_service_tool', quote));
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toMatch(
    /error="insufficient_scope", resource_metadata="[^"]+", scope="services:read services:call"$/,
  );
  const { origin } = new URL(gateway.url);
  const tell = async (path: string, shown: string) =>
    (await fetch(origin + path, { headers: { authorization: `Bearer ${shown}` } })).status;
  expect([await tell('/metrics', token), await tell('/metrics', gateway.token)]).toEqual([403, 200]);
});

test('a token of one agent is none at the gateway of another, by its address or by its agent alone [gateway.oauth.agent]', async () => {
  const other = await newAgentWallet(world, owner);
  const elsewhere = await oauthGateway(world, owner, other);
  const mine = await connected(world, owner, agent.agentId, gateway.url);
  const token = mine.kept.tokens?.access_token ?? '';
  expect((await post(gateway.url, token, ping)).status).toBe(200);
  expect((await post(elsewhere.url, token, ping)).status).toBe(401);

  // A gateway that was told the same public URL by mistake still knows whose agent it is.
  const sameName = await oauthGateway(world, owner, other, {
    GATEWAY_PUBLIC_URL: new URL(gateway.url).origin,
  });
  expect((await post(sameName.url, token, ping)).status).toBe(401);
  // Nor does another owner’s gateway take it.
  const stranger = await world.newOwner({ mandate: null });
  const strangers = await oauthGateway(world, stranger, await newAgentWallet(world, stranger), {
    GATEWAY_PUBLIC_URL: new URL(gateway.url).origin,
  });
  expect((await post(strangers.url, token, ping)).status).toBe(401);
  await mine.session.close();
});

test('the dashboard learns the hash of a token alone, and says nothing of other tokens [gateway.oauth.hash]', async () => {
  const mine = await connected(world, owner, agent.agentId, gateway.url);
  const token = mine.kept.tokens?.access_token ?? '';
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const { apiKey } = owner;
  const ask = (hash: string) => {
    const body = { apiKey, tokenHashes: [hash] };
    return world.dashboard.introspectTokens({ body });
  };
  const known = expectOk('ask', await ask(tokenHash));
  expect(known).toMatchObject({ tokens: [{ active: true, agentWallet: agent.address }] });
  const raw = await ask(token);
  expect(raw).toMatchObject({ kind: 'refused', code: 'INVALID_PARAM' });
  await mine.session.close();
});
