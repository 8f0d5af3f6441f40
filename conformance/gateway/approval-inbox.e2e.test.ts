import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneOwnerWallet } from '@countersign/contracts/one-owner-wallet';
import { expectOk } from '@countersign/local/dashboard-account';
import { countersign } from '@countersign/local/countersign';
import { callRpc } from '@countersign/local/json-rpc';
import { newPrivateKey } from '@countersign/local/market';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentOf } from '@countersign/local/agent';
import { encodeDeployData } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalIn, challenged } from './fixtures/approval.ts';
import { sale, sellTool } from './fixtures/sell-tool.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let wallet: LocalAccount;
let gateway: Awaited<ReturnType<World['gateway']>>;

const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  wallet = privateKeyToAccount(owner.wallet.privateKey);
  gateway = await world.gateway(owner);
});
afterAll(() => world?.stop());

async function inbox(state?: 'pending' | 'approved' | 'used' | 'rejected') {
  const body = state === undefined ? {} : { state };
  return expectOk('list', await world.dashboard.listApprovals({ token: owner.token, body })).data;
}

test('a challenge lies in the owner’s inbox; signed there, the agent needs only its id [gateway.challenge.posted-to-dashboard] [gateway.approval.id-alone]', async () => {
  const { approvalId, typedData } = approvalIn(await gateway.agent.call(report));
  const [asked] = await inbox('pending');
  expect(asked).toMatchObject({
    approvalId,
    state: 'pending',
    serviceId: 'quotes',
    toolName: 'get_report',
    payTo: world.merchant.address,
    amount: '5',
    currency: 'USDC',
    reason: 'PER_TX_LIMIT_EXCEEDED',
  });

  const early = await gateway.agent.call({ ...report, paymentPayload: { approvalId } });
  expect(early.code).toBe('WALLET_APPROVAL_REQUIRED');

  const signature = await wallet.signTypedData(typedData);
  const params = { approvalId };
  expectOk(
    'approve',
    await world.dashboard.approveApproval({ token: owner.token, params, body: { signature } }),
  );
  const before = await world.balance(owner.wallet.address);
  expect(await gateway.agent.call({ ...report, paymentPayload: { approvalId } })).toMatchObject({ ok: true });
  expect(await world.balance(owner.wallet.address)).toBe(before - 5_000_000n);
  await until(
    () => inbox('used'),
    (used) => used.some((approval) => approval.approvalId === approvalId),
  );
});

test('challenge, approval and payment are one record of the owner’s log, which says what the owner was asked [gateway.report.metadata.payment]', async () => {
  const payer = await world.newOwner();
  const { agent } = await world.gateway(payer);
  const { token } = payer;
  const { approvalId, typedData } = approvalIn(await agent.call(report));
  const asked = await until(
    () => world.records(payer),
    (records) => records.length > 0,
  );
  expect(asked).toMatchObject([
    { serviceResult: 'reject', reason: 'PER_TX_LIMIT_EXCEEDED', toolName: 'get_report' },
  ]);
  const signature = await privateKeyToAccount(payer.wallet.privateKey).signTypedData(typedData);
  const params = { approvalId };
  expectOk('approve', await world.dashboard.approveApproval({ token, params, body: { signature } }));
  expect(await agent.call({ ...report, paymentPayload: { approvalId } })).toMatchObject({ ok: true });
  const records = await until(
    () => world.records(payer),
    (made) => made.length === 1 && made[0]?.serviceResult === 'pass',
  );
  const id = String(records[0]?.id);
  const { transaction } = expectOk(
    'open',
    await world.dashboard.getTransaction({ token, params: { id }, query: {} }),
  );
  expect(transaction).toMatchObject({
    metadata: { approvalId, code: 'SUCCESS' },
    steps: [{ result: 'reject' }, { kind: 'approved' }, { result: 'pass' }],
  });
});

test('what the owner rejected is not paid', async () => {
  const { approvalId } = approvalIn(await gateway.agent.call(report));
  const body = { reason: 'not now' };
  expectOk(
    'reject',
    await world.dashboard.rejectApproval({ token: owner.token, params: { approvalId }, body }),
  );
  const before = await world.balance(owner.wallet.address);
  const answer = await gateway.agent.call({ ...report, paymentPayload: { approvalId } });
  expect(answer.code).toBe('APPROVAL_REJECTED');
  expect(await world.balance(owner.wallet.address)).toBe(before);
});

test('an approved payment takes no hold: the owner decided [gateway.approval.no-hold]', async () => {
  const { settle } = world.merchant.facilitator;
  const held: unknown[] = [];
  const watching = {
    ...world.merchant.facilitator,
    settle: async (order: Parameters<typeof settle>[0]) => {
      held.push((await world.mandateOf(owner))?.heldAmount);
      return settle(order);
    },
  };
  const tool = sellTool({ ...world.merchant, facilitator: watching }, { price: '2' });
  const shop = await world.gateway(owner, { shop: await world.service('shop', [tool]) });
  const paymentPayload = await challenged(shop.agent, sale, wallet);
  expect((await shop.agent.call({ ...sale, paymentPayload })).ok).toBe(true);
  expect(held).toEqual(['0']);
});

test('a contract wallet may approve: the chain is asked whether it signed [gateway.approval.signer.contract-wallet]', async () => {
  const key = newPrivateKey();
  const keeper = privateKeyToAccount(key);
  const { rpcUrl } = world.card;
  const [from] = (await callRpc(rpcUrl, 'eth_accounts', [])) as string[];
  const data = encodeDeployData({
    abi: oneOwnerWallet.abi,
    bytecode: oneOwnerWallet.bytecode,
    args: [keeper.address],
  });
  const hash = await callRpc(rpcUrl, 'eth_sendTransaction', [{ from, data, gas: '0x200000' }]);
  const receipt = await until(
    async () =>
      (await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) as { contractAddress: string } | null,
    (mined) => mined !== null,
  );
  const contract = receipt?.contractAddress ?? '';

  const named = await world.gateway(owner, null, { APPROVER_ADDRESSES: contract });
  const forged = await challenged(named.agent, report, privateKeyToAccount(newPrivateKey()));
  expect((await named.agent.call({ ...report, paymentPayload: forged })).code).toBe(
    'PAYMENT_PAYLOAD_INVALID',
  );
  const paymentPayload = await challenged(named.agent, report, keeper);
  expect(await named.agent.call({ ...report, paymentPayload })).toMatchObject({ ok: true });
});

/** A client that can open pages, and what it was offered to open. */
function opener() {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  const offered: unknown[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    offered.push(params);
    return { action: 'accept' as const };
  });
  const anyOffer = () =>
    until(
      async () => offered,
      (all) => all.length > 0,
    );
  return { client, offered, anyOffer };
}

test('a client that can open pages is also offered the page where the owner decides [gateway.challenge.elicitation]', async () => {
  const { client, anyOffer } = opener();
  const { command, args } = countersign('gateway');
  const env = {
    PATH: process.env['PATH'] ?? '',
    EVM_PRIVATE_KEY: owner.wallet.privateKey,
    DOWNSTREAM_MCP_URLS: `quotes=${world.card.services[0]?.url ?? ''}`,
    COMPLIANCE_BASE_URL: world.card.dashboardUrl,
    COMPLIANCE_API_KEY: owner.apiKey,
    COMPLIANCE_CHAIN: 'base-sepolia',
    PAYMENT_NETWORKS: 'eip155:84532',
    GATEWAY_STATE_DIR: await mkdtemp(join(tmpdir(), 'countersign-elicitation-')),
  };
  await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: 'ignore' }));
  const answer = await agentOf(client).call(report);
  const { approvalId, approvalUrl } = approvalIn(answer);
  expect(await anyOffer()).toMatchObject([{ mode: 'url', elicitationId: approvalId, url: approvalUrl }]);
  await client.close();
  await rm(env.GATEWAY_STATE_DIR, { recursive: true });
});

test('over HTTP too, whichever process answers; a client that cannot open pages is offered none [gateway.challenge.elicitation.http]', async () => {
  const { client, offered, anyOffer } = opener();
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
  expect((await agentOf(client).call({ serviceId: 'quotes', toolName: 'ping' })).ok).toBe(true);
  expect(offered).toEqual([]);
  const { approvalId, approvalUrl } = approvalIn(await agentOf(client).call(report));
  expect(await anyOffer()).toMatchObject([{ mode: 'url', elicitationId: approvalId, url: approvalUrl }]);

  const other = await world.gateway(owner);
  const call = { name: 'call_service_tool', arguments: report };
  const answer = await fetch(other.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': (client.transport as StreamableHTTPClientTransport).sessionId ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  expect(await answer.text()).toContain('"method":"elicitation/create"');

  const plain = await gateway.agent.client.callTool(call);
  expect(plain.structuredContent).toMatchObject({ code: 'WALLET_APPROVAL_REQUIRED' });
  const { sessionId } = gateway.agent.client.transport as StreamableHTTPClientTransport;
  expect(sessionId).toMatch(/^[\da-f-]{36}$/);
  await client.close();
});
