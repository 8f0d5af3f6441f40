import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countersign } from '@countersign/local/countersign';
import { startGatewayProcess } from '@countersign/local/gateway-process';
import type { FacilitatorClient } from '@countersign/local/merchant/facilitator-client';
import { paidTool } from '@countersign/local/merchant/paid-tool';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startLyingDashboard } from './fixtures/lying-dashboard.ts';
import { until } from './fixtures/until.ts';
import { type Owner, startWorld, type World } from './fixtures/world.ts';

let world: World;
let owner: Owner;
let dir: string;

beforeAll(async () => {
  world = await startWorld();
  owner = await world.newOwner();
  dir = await mkdtemp(join(tmpdir(), 'countersign-exports-'));
});
afterAll(async () => {
  await world?.stop();
  await rm(dir, { recursive: true, force: true });
});

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** A command in an environment of its own: nothing of a wallet, a dashboard or a network is in it. */
function run(words: readonly string[], stateDir = ''): Promise<Ended> {
  const { command, args } = countersign(...words);
  const env = { PATH: process.env['PATH'], GATEWAY_STATE_DIR: stateDir };
  return new Promise((resolve) => {
    execFile(command, [...args], { env, maxBuffer: 1e9 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function exported(stateDir: string, ...options: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['receipt', 'export', ...options], stateDir);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

async function verify(lines: readonly string[], ...options: string[]): Promise<Ended> {
  const file = join(dir, `${Math.random()}.jsonl`);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return run(['receipt', 'verify', file, ...options]);
}

type Line = {
  readonly receipt: {
    readonly receiptId: string;
    readonly seq: number;
    readonly verdict: { readonly stage: string; readonly code: string; readonly paymentMade: boolean };
    readonly inputs: Readonly<Record<string, string>>;
    readonly trace: readonly { readonly rule: string }[];
    readonly payment?: { readonly nonce: string; readonly transaction?: string };
  };
};
const receiptsIn = (lines: readonly string[]) =>
  lines.slice(0, -1).map((line) => (JSON.parse(line) as Line).receipt);

const quote = { serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } };
const overLimit = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };

/** A tool whose merchant settles as told, or asks for something odd. */
const tool = (name: string, settle: Partial<FacilitatorClient>, odd: object = {}) =>
  paidTool({
    name,
    title: name,
    description: name,
    input: z.object({}),
    run: () => ({ content: [{ type: 'text', text: 'sold' }] }),
    merchant: { ...world.merchant, facilitator: { ...world.merchant.facilitator, ...settle } },
    price: '0.01',
    mutate: (required) => {
      const [first, ...others] = required.accepts;
      return { ...required, accepts: [{ ...first, ...odd } as typeof first & object, ...others] };
    },
  });

test('each end of a priced call leaves one receipt, which the envelope names, and all of them verify offline [gateway.receipt.every-priced-call] [gateway.receipt.content] [gateway.receipt.signed] [gateway.receipt.export] [gateway.receipt.verify] [gateway.envelope.detail.payment-context.optional]', async () => {
  const shop = await world.service('shop', [
    tool('fails', { settle: async () => ({ success: false, transaction: '', errorReason: 'failed' }) }),
    tool('vanishes', {
      settle: async () => ({ success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:84532' }),
    }),
    tool('odd', {}, { scheme: 'upto' }),
    tool('broken', {}, { payTo: 'me' }),
    tool('forged', {}, { amount: '10001' }),
  ]);
  const services = Object.fromEntries(world.card.services.map(({ serviceId, url }) => [serviceId, url]));
  const gateway = await world.gateway(owner, { ...services, shop });
  const { agent } = gateway;
  const inShop = (toolName: string) => agent.call({ serviceId: 'shop', toolName });

  await agent.call({ serviceId: 'quotes', toolName: 'ping' });
  const answers: GatewayEnvelope[] = [await agent.call(quote)];
  for (const name of ['fails', 'vanishes', 'odd', 'broken', 'forged']) answers.push(await inShop(name));
  const challenge = await agent.call(overLimit);
  const approval = challenge.detail.paymentContext?.['approval'] as {
    approvalId: string;
    typedData: Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0];
  };
  const signature = await privateKeyToAccount(owner.wallet.privateKey).signTypedData(approval.typedData);
  const paymentPayload = { approvalId: approval.approvalId, signature };
  answers.push(challenge, await agent.call({ ...overLimit, paymentPayload }));

  expect(answers.map(({ code }) => code)).toEqual([
    'SUCCESS',
    'SETTLEMENT_FAILED',
    'PAYMENT_OUTCOME_UNKNOWN',
    'PAYMENT_UNSUPPORTED',
    'PAYMENT_REQUIREMENT_INVALID',
    'CART_MANDATE_MISMATCH',
    'WALLET_APPROVAL_REQUIRED',
    'SUCCESS',
  ]);
  const lines = await exported(gateway.stateDir);
  const receipts = receiptsIn(lines);
  expect(receipts.map(({ receiptId, verdict }) => ({ receiptId, ...verdict }))).toEqual(
    answers.map(({ stage, code, detail }) => ({
      receiptId: detail.paymentContext?.['receiptId'],
      stage,
      code,
      paymentMade: detail.paymentMade,
    })),
  );
  expect(receipts[0]?.payment).toMatchObject({
    nonce: answers[0]?.detail.paymentContext?.['nonce'],
    transaction: answers[0]?.detail.paymentResponse?.['transaction'],
  });
  expect(receipts.at(-1)?.trace).toContainEqual({ rule: 'approval', verdict: 'pass' });

  const { stdout: key } = await run(['gateway', 'receipt-key'], gateway.stateDir);
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(await verify(lines, '--key', key.trim())).toEqual({
    code: 0,
    stdout: `${owner.wallet.address}, its own owner: 8 receipts\n8 receipts: signatures, chain and inputs hold, and every verdict follows\n`,
    stderr: '',
  });
  await gateway.stop();
});

test('without a dashboard, and of a party that does not pass, there is a receipt too [gateway.receipt.every-priced-call] [gateway.receipt.verify]', async () => {
  const alone = await world.gateway(owner, null, { COMPLIANCE_BASE_URL: '' });
  expect((await alone.agent.call(quote)).code).toBe('COMPLIANCE_NOT_CONFIGURED');
  const unknown = await world.gateway(await world.newOwner({ kyc: false }));
  expect((await unknown.agent.call(quote)).code).toBe('PAYER_KYC_NOT_APPROVED');
  for (const { stateDir } of [alone, unknown]) {
    const lines = await exported(stateDir);
    expect(lines).toHaveLength(2);
    expect(await verify(lines)).toMatchObject({ code: 0 });
  }
});

test('the record that goes to the dashboard names the receipt by its hash, and the hold [gateway.report.metadata.receipt-hash]', async () => {
  const dashboard = await startLyingDashboard(world.card.dashboardUrl, (_path, ask) => ask());
  const gateway = await world.gateway(owner, null, { COMPLIANCE_BASE_URL: dashboard.url });
  await gateway.agent.call(quote);
  const at = await until(
    async () => dashboard.asked.indexOf('/api/transactions'),
    (index) => index >= 0,
  );
  const [line = ''] = await exported(gateway.stateDir);
  // The line is RFC 8785 already: its receipt stands between two of its own keys.
  const receipt = line.slice(line.indexOf(',"receipt":') + 11, line.lastIndexOf(',"signature":'));
  expect(dashboard.bodies[at]?.['metadata']).toMatchObject({
    receiptHash: createHash('sha256').update(receipt).digest('hex'),
    holdId: expect.stringMatching(/^hld_/),
  });
  await gateway.stop();
  await dashboard.stop();
});

test('two gateway processes on one directory make one chain, also when one of them is killed [gateway.receipt.chained] [system.cli.receipt]', async () => {
  const payer = await world.newOwner({ usdc: 0n });
  const stateDir = await mkdtemp(join(tmpdir(), 'countersign-shared-'));
  const env = {
    EVM_PRIVATE_KEY: payer.wallet.privateKey,
    DOWNSTREAM_MCP_URLS: `quotes=${world.card.services.find(({ serviceId }) => serviceId === 'quotes')?.url ?? ''}`,
    COMPLIANCE_BASE_URL: world.card.dashboardUrl,
    COMPLIANCE_API_KEY: payer.apiKey,
    COMPLIANCE_CHAIN: 'base-sepolia',
    PAYMENT_NETWORKS: 'eip155:84532',
  };
  const [one, two] = await Promise.all([
    startGatewayProcess(env, { stateDir }),
    startGatewayProcess(env, { stateDir }),
  ]);
  const calls = (gateway: typeof one, count: number) =>
    Promise.all(Array.from({ length: count }, () => gateway.agent.call(quote)));
  const answers = (await Promise.all([calls(one, 12), calls(two, 12)])).flat();

  const killed = new Set<string>();
  const hurried = Array.from({ length: 24 }, async () => {
    const answer = await one.agent.call(quote);
    killed.add(String(answer.detail.paymentContext?.['receiptId']));
    if (killed.size === 4) process.kill(one.child.pid, 'SIGKILL');
  });
  await Promise.race([
    // Those that are under way when it is killed fail.
    Promise.allSettled(hurried),
    until(
      async () => killed.size,
      (size) => size >= 4,
    ),
  ]);
  await calls(two, 4);
  await two.stop();

  const lines = await exported(stateDir);
  const receipts = receiptsIn(lines);
  const ids = new Set(receipts.map(({ receiptId }) => receiptId));
  expect(receipts.map(({ seq }) => seq)).toEqual(receipts.map((_, n) => n + 1));
  expect(ids.size).toBe(receipts.length);
  // What an agent was told of is there, whatever happened afterwards.
  for (const { detail } of answers) expect(ids).toContain(detail.paymentContext?.['receiptId']);
  for (const receiptId of killed) expect(ids).toContain(receiptId);
  expect(await verify(lines)).toMatchObject({ code: 0 });
  await Promise.allSettled(hurried);
  await one.stop().catch(() => {});
  await rm(stateDir, { recursive: true, force: true });
});

test('the exit code tells good from bad from incomplete [gateway.receipt.verify] [gateway.receipt.verify.bad] [gateway.receipt.verify.incomplete] [gateway.receipt.chained]', async () => {
  const gateway = await world.gateway(owner);
  for (let n = 0; n < 3; n++) await gateway.agent.call(quote);
  const lines = await exported(gateway.stateDir);
  const [first = '', second = '', third = '', head = ''] = lines;
  const codeOf = async (file: readonly string[], ...options: string[]) =>
    (await verify(file, ...options)).code;

  expect(await codeOf(lines)).toBe(0);
  expect(await codeOf([first.replace('"0.01"', '"0.02"'), second, third, head])).toBe(1);
  expect(await codeOf([first, third, head])).toBe(1);
  expect(await codeOf([second, first, third, head])).toBe(1);
  expect(await codeOf([first, second, second, third, head])).toBe(1);
  expect(await codeOf([first, second, head])).toBe(1);
  expect(await codeOf(lines, '--key', Buffer.alloc(32, 7).toString('base64'))).toBe(1);
  expect(await codeOf([first, second, third])).toBe(2);
  const { inputs: _, ...rest } = JSON.parse(first) as Record<string, unknown>;
  const stripped = JSON.stringify({ inputs: {}, ...rest });
  expect(await verify([stripped, second, third, head])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('line 1: receipt 1: the input "configuration" is missing'),
  });
  expect(await run(['receipt', 'verify', join(dir, 'none.jsonl')])).toMatchObject({ code: 64, stdout: '' });
  expect(await run(['receipt', 'verify'])).toMatchObject({ code: 64, stdout: '' });
  expect(await run(['receipt', 'export', '--since', 'yesterday'], gateway.stateDir)).toMatchObject({
    code: 2,
  });
  expect(await run(['receipt', 'export'], dir)).toMatchObject({ code: 1, stdout: '' });
});

test('a later export leaves out the older receipts, and shows where it begins [gateway.receipt.export]', async () => {
  const gateway = await world.gateway(owner);
  await gateway.agent.call(quote);
  const since = new Date().toISOString();
  await gateway.agent.call(quote);
  const later = await exported(gateway.stateDir, '--since', since);
  expect(receiptsIn(later).map(({ seq }) => seq)).toEqual([2]);
  expect(await verify(later)).toMatchObject({ code: 0 });
  expect(await verify(later.slice(1))).toMatchObject({ code: 1 });
  expect(await readFile(join(gateway.stateDir, 'receipt-key.pem'), 'utf8')).not.toContain(
    owner.wallet.privateKey.slice(2),
  );
});
