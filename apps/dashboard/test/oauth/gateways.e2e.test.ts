import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from './client.ts';
import { type OauthDashboard, openOauthDashboard } from './connected.ts';

let dashboard: OauthDashboard;
beforeAll(async () => {
  dashboard = await openOauthDashboard();
});
afterAll(() => dashboard?.stop());

test('a gateway asks about 1 to 300 tokens at once, and is answered in the order asked [dashboard.oauth.introspection]', async () => {
  const owner = await dashboard.newOwner();
  const { accessToken } = await dashboard.connect(owner);
  const { apiKey } = owner;
  const ask = (tokenHashes: readonly string[]) =>
    dashboard.post('/api/oauth/introspect', { apiKey, tokenHashes });
  const others = Array.from({ length: 299 }, (_, n) => sha256(`guess ${n}`));
  const { data } = await ask([...others.slice(0, 7), sha256(accessToken), ...others.slice(7)]);
  expect(data.tokens).toHaveLength(300);
  expect(data.tokens.flatMap(({ active }: { active: boolean }, n: number) => (active ? [n] : []))).toEqual([
    7,
  ]);
  expect((await ask([...others, sha256('a'), sha256('b')])).status).toBe(400);
  expect((await ask([])).status).toBe(400);
});

test('questions about tokens take nothing from the requests that payments need [dashboard.oauth.introspection]', async () => {
  const narrow = await openOauthDashboard({ limits: { logins: 100, requests: 40 } });
  try {
    const owner = await narrow.newOwner();
    const ask = async () =>
      (await narrow.post('/api/oauth/introspect', { apiKey: owner.apiKey, tokenHashes: [sha256('x')] }))
        .status;
    const statuses = await Promise.all(Array.from({ length: 41 }, ask));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const { address: agentWallet } = owner.agent;
    const body = { apiKey: owner.apiKey, agentWallet, resource: 'https://gateway.example/mcp' };
    expect((await narrow.post('/api/oauth/gateways', body)).status).toBe(200);
  } finally {
    await narrow.stop();
  }
});

const places = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `https://${name}-${n}.example/mcp`);
const knows = async (clientId: string, at: string) =>
  (await dashboard.client.errorShown(clientId, { resource: at })) === null;

test('the 21st place of an agent takes that of the oldest without a connected client, or none [dashboard.oauth.places]', async () => {
  const [first = '', second = '', ...more] = places('old', 21);
  const owner = await dashboard.newOwner(first);
  const announce = async (at: string) => {
    const body = { apiKey: owner.apiKey, agentWallet: owner.agent.address, resource: at };
    return (await dashboard.post('/api/oauth/gateways', body)).status;
  };
  const { client_id: clientId } = (await dashboard.client.register()).body;
  await dashboard.consentedCode(owner, clientId, { resource: first });
  for (const at of [second, ...more]) expect(await announce(at)).toBe(200);
  expect(await knows(clientId, first)).toBe(true);
  expect(await knows(clientId, second)).toBe(false);
  expect(await knows(clientId, more.at(-1) ?? '')).toBe(true);
  for (const at of more) await dashboard.consentedCode(owner, clientId, { resource: at });
  expect(await announce(second)).toBe(409);
  expect(await announce(first)).toBe(200);
});

test('announced at the same moment, the places of an agent are 20 all the same [dashboard.oauth.places]', async () => {
  const [first = '', ...more] = places('many', 30);
  const owner = await dashboard.newOwner(first);
  const { client_id: clientId } = (await dashboard.client.register()).body;
  const announced = more.map((at) =>
    dashboard.post('/api/oauth/gateways', {
      apiKey: owner.apiKey,
      agentWallet: owner.agent.address,
      resource: at,
    }),
  );
  for (const { status } of await Promise.all(announced)) expect(status).toBe(200);
  const known = await Promise.all([first, ...more].map((at) => knows(clientId, at)));
  expect(known.filter((each) => each)).toHaveLength(20);
});
