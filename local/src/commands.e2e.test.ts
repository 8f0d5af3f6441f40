import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barePayer } from './bare-payer.ts';
import { balanceOf, fundGas, mint } from './chain-accounts.ts';
import { callRpc } from './json-rpc.ts';
import { type Market, newPrivateKey, startMarket } from './market.ts';
import { facilitatorClient } from './merchant/facilitator-client.ts';
import { paymentRequired } from './merchant/payment-required.ts';
import { keyBytes } from './private-key.ts';

let market: Market;
const payer = barePayer(newPrivateKey());
const children: ChildProcess[] = [];

beforeAll(async () => {
  market = await startMarket();
  await mint(market.chain.rpcUrl, payer.address, 1_000_000n);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await market.stop();
});

const bin = fileURLToPath(new URL('../../cli/bin/countersign.js', import.meta.url));

/** A command in a process of its own; its channel tells when it listens. */
function run(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text) => (output.stdout += String(text)));
  child.stderr?.on('data', (text) => (output.stderr += String(text)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  const ready = once(child, 'message').then(([message]) => message as { ready: true; url: string });
  return { child, ended, ready };
}

test.each(['facilitator', 'sample-services'])(
  '%s --help names every variable and exits with 0',
  async (command) => {
    const { code, stdout } = await run([command, '--help'], {}).ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: countersign ${command}`);
    for (const name of command === 'facilitator' ? facilitatorVariables : sampleVariables)
      expect(stdout).toContain(name);
  },
);

const facilitatorVariables = [
  'FACILITATOR_PRIVATE_KEY',
  'EVM_RPC_URL',
  'FACILITATOR_CHAIN_ID',
  'FACILITATOR_HOST',
  'FACILITATOR_PORT',
];
const sampleVariables = [
  'MERCHANT_PRIVATE_KEY',
  'FACILITATOR_URL',
  'SAMPLE_HOST',
  'QUOTES_PORT',
  'ARCHIVE_PORT',
  'SAMPLE_NETWORK',
  'SAMPLE_ASSET',
];

test('facilitator tells every configuration error at once, never a value, and exits with 2 [system.service.configuration-errors]', async () => {
  const env = { FACILITATOR_PORT: 'eighty', FACILITATOR_PRIVATE_KEY: 'hunter2', EVM_RPC_URL: 'ftp://x' };
  const { code, stderr } = await run(['facilitator'], { ...env, FACILITATOR_CHAIN_ID: '-1' }).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('4 error(s)');
  for (const name of [...Object.keys(env), 'FACILITATOR_CHAIN_ID'])
    expect(stderr).toContain(`  ${name} must be`);
  expect(stderr).not.toContain('hunter2');
});

test('sample-services tells every configuration error at once, and exits with 2', async () => {
  const env = { QUOTES_PORT: '99999', SAMPLE_NETWORK: 'base', SAMPLE_ASSET: '0x12' };
  const { code, stderr } = await run(['sample-services'], env).ended;
  expect(code).toBe(2);
  for (const name of [...Object.keys(env), 'MERCHANT_PRIVATE_KEY', 'FACILITATOR_URL'])
    expect(stderr).toContain(`  ${name} `);
});

test('on SIGTERM facilitator finishes the settlement in flight, then ends with 0 [system.service.sigterm]', async () => {
  const { rpcUrl } = market.chain;
  const key = newPrivateKey();
  await fundGas(rpcUrl, addressOfPrivateKey(keyBytes(key)));
  const facilitator = run(['facilitator'], {
    FACILITATOR_PRIVATE_KEY: key,
    EVM_RPC_URL: rpcUrl,
    FACILITATOR_PORT: '0',
  });
  const { url } = await facilitator.ready;
  const sale = { toolName: 'x', description: 'x', price: '0.01', x402Version: 2, cart: 'none' } as const;
  const required = paymentRequired(market.merchant, sale);
  const [requirement = {}] = required.accepts;
  const before = await balanceOf(rpcUrl, payer.address);

  await callRpc(rpcUrl, 'evm_setAutomine', [false]);
  const settling = facilitatorClient(url).settle({
    payment: { ...(await payer.sign(required)) },
    requirement,
  });
  await untilPending(rpcUrl);
  facilitator.child.kill('SIGTERM');
  await untilRefused(url);
  await callRpc(rpcUrl, 'evm_setAutomine', [true]);
  await callRpc(rpcUrl, 'evm_mine', []);

  expect(await settling).toMatchObject({ success: true });
  const { code, stderr } = await facilitator.ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain(key.slice(2));
  expect(await balanceOf(rpcUrl, payer.address)).toBe(before - 10_000n);
});

test('sample-services and its tools work as a process of their own, and end with their parent', async () => {
  const services = run(['sample-services'], {
    MERCHANT_PRIVATE_KEY: market.merchantKey,
    FACILITATOR_URL: market.facilitator.url,
    QUOTES_PORT: '0',
    ARCHIVE_PORT: '0',
  });
  const { url } = await services.ready;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  });
  expect(await response.json()).toMatchObject({ result: { serverInfo: { name: 'quotes' } } });
  // Not `ended`: a child whose channel was closed from this side never reports `close`.
  const exited = once(services.child, 'exit');
  services.child.disconnect();
  expect(await exited).toEqual([0, null]);
});

/** Until a transaction waits to be mined. */
async function untilPending(rpcUrl: string): Promise<void> {
  const isPending = async () => ((await callRpc(rpcUrl, 'txpool_status', [])) as { pending: string }).pending;
  while ((await isPending()) === '0x0');
}

/** Until nobody listens there any more. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${url}/health`, { headers: { connection: 'close' } });
    } catch {
      return;
    }
  }
}
