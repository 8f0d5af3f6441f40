import { Client } from 'pg';
import { expect } from 'vitest';
import { agentCalls } from '../agents.ts';
import { type Json, openDashboard } from '../dashboard.ts';
import type { DashboardConfig } from '../../src/config.ts';
import type { World } from '../../src/app.ts';
import { oauthClient, resource, sha256 } from './client.ts';

export type OauthDashboard = Awaited<ReturnType<typeof openOauthDashboard>>;

/** A dashboard that is an authorization server, on the real clock, which oidc-provider reads too. */
export async function openOauthDashboard(
  overrides: Partial<DashboardConfig> = {},
  world: Partial<World> = {},
) {
  const dashboard = await openDashboard({ oauth: true, ...overrides }, { now: () => new Date(), ...world });
  dashboard.clock.now = new Date();
  const agents = agentCalls(dashboard);
  const client = oauthClient(dashboard.url);
  const { post } = dashboard;

  /** An owner with an agent whose gateway is at `at`. */
  async function newOwner(at = resource) {
    const owner = await dashboard.newAccount();
    const agent = await agents.newAgent(owner);
    const body = { apiKey: owner.apiKey, agentWallet: agent.address, resource: at };
    expect((await post('/api/oauth/gateways', body)).status).toBe(200);
    return { ...owner, agent };
  }
  type Owner = Awaited<ReturnType<typeof newOwner>>;

  /** What the owner answers, in the browser in which the client’s request waits. */
  const answer = (owner: { token: string }, uid: string, cookie: string, body: Json = {}) =>
    dashboard.request('POST', `/oauth/interactions/${uid}/${'agentId' in body ? 'connect' : 'refuse'}`, {
      token: owner.token,
      headers: { cookie },
      body,
    });

  /** A code that the owner consented to. */
  async function consentedCode(owner: Owner, clientId: string, change = {}) {
    const asked = await client.authorize(clientId, change);
    const said = await answer(owner, asked.uid, asked.cookie, { agentId: owner.agent.agentId });
    expect(said).toMatchObject({ status: 200 });
    const back = await client.visit(said.data.redirectTo, asked.cookie);
    const code = back.location?.searchParams.get('code') ?? '';
    return { code, verifier: asked.verifier, location: back.location };
  }

  /** A client that is connected: its tokens. */
  async function connect(owner: Owner, change = {}) {
    const { client_id: clientId } = (await client.register()).body;
    const { code, verifier } = await consentedCode(owner, clientId, change);
    const { body } = await client.exchange(clientId, code, verifier);
    return {
      clientId: clientId as string,
      code,
      verifier,
      accessToken: body.access_token as string,
      refreshToken: body.refresh_token as string,
    };
  }

  const introspect = async ({ apiKey }: { apiKey: string }, token: string): Promise<Json> =>
    (await post('/api/oauth/introspect', { apiKey, tokenHashes: [sha256(token)] })).data.tokens[0];

  /** Every row that OAuth has written, as text: hashes are in hex. */
  async function everyRecord(): Promise<string> {
    const { storage } = dashboard.config;
    const client = new Client({ connectionString: storage.kind === 'given' ? storage.url : '' });
    await client.connect();
    const records = await client.query('select r::text from dashboard.oauth_record r');
    const connections = await client.query('select c::text from dashboard.oauth_connection c');
    await client.end();
    return JSON.stringify([records.rows, connections.rows]);
  }

  return { ...dashboard, everyRecord, agents, client, newOwner, answer, consentedCode, connect, introspect };
}
