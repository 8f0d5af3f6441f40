import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectOk } from '@countersign/local/dashboard-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announceAgent, inConsole, signAgent, signedAgent } from './fixtures/agents.ts';
import { startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';

let world: TestConsole;
/** The client’s own place, as browsers come back to it. */
const place = createServer((_, response) => response.end('back at the client'));
let redirectUri: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve));
  redirectUri = `http://127.0.0.1:${(place.address() as AddressInfo).port}/callback`;
  world = await startConsole({ env: { OAUTH: 'on' } });
});
afterAll(async () => {
  place.close();
  place.closeAllConnections();
  await world?.stop();
});

const resource = 'https://gateway.example/mcp';
const verifier = randomBytes(32).toString('base64url');

/** A client that has registered under this name, and where it sends its user. */
async function newClient(name: string) {
  const response = await fetch(`${world.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  const asked = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
  });
  return { clientId, sendsTo: `/oauth/authorize?${asked.toString()}` };
}

const exchange = async (clientId: string, code: string) => {
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri };
  const body = new URLSearchParams({ ...form, code_verifier: verifier });
  return (await fetch(`${world.url}/oauth/token`, { method: 'POST', body })).json() as Promise<{
    access_token: string;
  }>;
};

const announceGateway = async (apiKey: string, agentWallet: string) => {
  const body = { apiKey, agentWallet, resource };
  expectOk('announce', await world.dashboard.announceGateway({ body }));
};

const isBack = (query: string) => (url: URL) => url.href.startsWith(`${redirectUri}?${query}`);

test('an owner reads who asks, connects the client as an agent, and cuts it off by one click [dashboard.console.connect-client]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const agent = await signedAgent(world, owner, apiKey);
  await world.newMandate(owner, { agentWallet: agent.agentWallet });
  await announceGateway(apiKey, agent.agentWallet);
  const { clientId, sendsTo } = await newClient('<b>Research</b> client');

  await page.goto(sendsTo);
  await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
  const about = page.getByRole('region', { name: 'Client' });
  await about.getByText('<b>Research</b> client', { exact: true }).waitFor();
  await about.getByText(`a program on this device (port ${new URL(redirectUri).port})`).waitFor();
  await about.getByText(resource).waitFor();
  const actsAs = page.getByRole('region', { name: 'Acts as' });
  await actsAs.getByText('Reading agent').waitFor();
  await actsAs.getByText(/per payment/).waitFor();
  await expectAccessible(page, 'Connect a client');
  expect(faults).toEqual([]);

  await page.getByRole('button', { name: 'Connect client' }).click();
  await page.waitForURL(isBack('code='));
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const { access_token: token } = await exchange(clientId, code);
  const body = { apiKey, tokenHashes: [createHash('sha256').update(token).digest('hex')] };
  const ask = async () => expectOk('ask', await world.dashboard.introspectTokens({ body })).tokens[0]?.active;
  expect(await ask()).toBe(true);

  await page.goto(`/agents/${agent.agentId}`);
  const clients = page.getByRole('region', { name: 'Connected clients' });
  await clients.getByText('<b>Research</b> client').waitFor();
  await expectAccessible(page, 'Agent with a connected client');
  await clients.getByRole('button', { name: /^Disconnect client/ }).click();
  await page.getByRole('status').getByText('Client disconnected.').waitFor();
  await clients.waitFor({ state: 'hidden' });
  expect(await ask()).toBe(false);
  await close();
});

test('who is not signed in signs in on the way; a client that is refused is told so [dashboard.console.connect-client]', async () => {
  const { owner, apiKey, close: closeFirst } = await inConsole(world);
  await closeFirst();
  const [first, second] = [
    await signedAgent(world, owner, apiKey, 'First agent'),
    await signedAgent(world, owner, apiKey, 'Second agent'),
  ];
  await announceGateway(apiKey, first.agentWallet);
  await announceGateway(apiKey, second.agentWallet);
  const { page, close } = await world.visit({ wallet: owner.testWallet });
  await page.goto((await newClient('Some client')).sendsTo);
  await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
  await page.getByRole('radio', { name: 'First agent' }).check();
  const actsAs = page.getByRole('region', { name: 'Acts as' });
  await actsAs.getByText('No active mandate').waitFor();
  await expectAccessible(page, 'Connect a client as one of two');
  await page.getByRole('button', { name: 'Refuse client' }).click();
  await page.waitForURL(isBack('error=access_denied'));
  await close();
});

test('an agent that is not signed for, and a request of another browser, are told as such [dashboard.console.connect-client]', async () => {
  const { page, owner, apiKey, close } = await inConsole(world);
  const { agentId, agentWallet } = await announceAgent(world, owner, apiKey);
  await announceGateway(apiKey, agentWallet);
  const { sendsTo } = await newClient('Some client');
  await page.goto(sendsTo);
  await page.getByText('The agent needs your signature').waitFor();
  expect(await page.getByRole('button', { name: 'Connect client' }).count()).toBe(0);
  await signAgent(world, owner, agentId, 'Late agent');
  await page.reload();
  await page.getByRole('button', { name: 'Connect client' }).waitFor();

  const waiting = page.url();
  const other = await inConsole(world);
  await other.page.goto(waiting);
  await other.page.getByText('No client is waiting here').waitFor();
  await expectAccessible(other.page, 'Connect nobody');
  await other.close();
  await close();
});
