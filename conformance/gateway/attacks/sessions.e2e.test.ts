import { type Agent, connectAgent } from '@countersign/local/agent';
import type { Tool } from '@countersign/local/merchant/tool';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { challenged } from '../fixtures/approval.ts';
import { type Battlefield, startBattlefield } from '../fixtures/battlefield.ts';
import { callMessage, envelopeIn, post } from '../fixtures/http.ts';
import { sale, sellTool } from '../fixtures/sell-tool.ts';

let field: Battlefield;
let url: string;
let alice: Agent;
let bob: Agent;
let sold = 0;

/** Each sale gives another secret. */
const secrets = (): Tool =>
  sellTool(field.world.merchant, {
    run: () => ({ content: [{ type: 'text', text: `secret ${(sold += 1)}` }] }),
  });
const dear = (): Tool => sellTool(field.world.merchant, { name: 'dear', price: '2' });

beforeAll(async () => {
  field = await startBattlefield();
  const shop = await field.world.service('shop', [secrets(), dear()]);
  const env = { GATEWAY_AUTH_TOKENS: 'alice:token-of-alice, bob:token-of-bob' };
  const gateway = await field.world.gateway(field.owner, { shop }, env);
  url = gateway.url;
  alice = gateway.agent;
  bob = await connectAgent(url, 'token-of-bob');
});
afterAll(async () => {
  await bob?.close();
  await field?.stop();
});

const authorized = (token: string) => ({ authorization: `Bearer ${token}` });
const bought = async (headers: Readonly<Record<string, string>>) => post(url, callMessage(1, sale), headers);

test('a stolen session is worth nothing: each request shows who asks, and no answer names a session [attack 21] [attack 21 control]', async () => {
  const spent = await field.cost(field.owner.wallet.address, async () => {
    const honest = await bought(authorized('token-of-alice'));
    expect(envelopeIn(honest.body).code).toBe('SUCCESS');
    expect(honest.headers).not.toHaveProperty('mcp-session-id');
    for (const stolen of ['alice', String(honest.headers['mcp-session-id']), '1']) {
      const session = { 'mcp-session-id': stolen };
      expect((await bought(session)).status).toBe(401);
      expect((await bought({ ...session, ...authorized('token-of-mallory') })).status).toBe(401);
      expect((await bought({ ...session, ...authorized('token-of-alic') })).status).toBe(401);
    }
  });
  expect(spent).toBe(10_000n);

  // The control: an ordinary MCP server, whose owner checks who opens a session. The id is then all that counts.
  const naive = await field.world.service('naive', [secrets()]);
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'victim', version: '1' },
  };
  const opening = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello };
  const opened = await post(naive, opening, authorized('token-of-alice'));
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const listed = await post(naive, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, session);
  expect([listed.status, listed.body.includes('sell')]).toEqual([200, true]);
});

test('an agent that guesses another one’s idempotency key does not get what that one paid for [gateway.attack.key-per-agent] [attack 21]', async () => {
  const call = { ...sale, idempotencyKey: 'order-number-1' };
  const told = async (agent: Agent) => {
    const { detail } = await agent.call(call);
    return detail.downstreamContent;
  };
  const spent = await field.cost(field.owner.wallet.address, async () => {
    const hers = await told(alice);
    expect(await told(alice)).toEqual(hers);
    const his = await told(bob);
    expect(his).not.toEqual(hers);
    expect(await told(bob)).toEqual(his);
  });
  expect(spent).toBe(20_000n);
});

test('what the owner approved for one agent another one cannot use [gateway.attack.approval-per-agent] [attack 21] [attack 18]', async () => {
  const call = { ...sale, toolName: 'dear' };
  const wallet = privateKeyToAccount(field.owner.wallet.privateKey);
  const paymentPayload = await challenged(alice, call, wallet);
  const spent = await field.cost(field.owner.wallet.address, async () => {
    expect((await bob.call({ ...call, paymentPayload })).code).toBe('PAYMENT_PAYLOAD_INVALID');
  });
  expect(spent).toBe(0n);
  expect((await alice.call({ ...call, paymentPayload })).ok).toBe(true);
});

test('one agent’s cancellation does not reach another one’s call, though both chose the same id', async () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const [answer] = await Promise.all([
    bought(authorized('token-of-alice')),
    ...Array.from({ length: 8 }, () => post(url, cancel, authorized('token-of-bob'))),
  ]);
  expect(envelopeIn(answer.body).code).toBe('SUCCESS');
});
