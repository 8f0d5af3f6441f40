import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { multicall3Address, usdcAddress } from '@countersign/contracts/addresses';
import { testUsdc } from '@countersign/contracts/test-usdc';
import { freePort } from '@countersign/service/free-port';
import { type OwnedChild, type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { balanceOf, mint } from './chain-accounts.ts';
import { startChain } from './chain.ts';
import { callRpc } from './json-rpc.ts';
import { newPrivateKey } from './market.ts';

let processes: OwnedProcesses;
let dir: string;

beforeAll(async () => {
  processes = await ownedProcesses();
});
afterAll(() => processes.stopAll());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'countersign-chain-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const someone = privateKeyToAccount(newPrivateKey()).address;
let anvil: OwnedChild;
const spawn: OwnedProcesses['spawn'] = (spec) => {
  anvil = processes.spawn(spec);
  return anvil;
};
const start = async () =>
  startChain({ dir, port: await freePort(), processes: { spawn }, funded: [someone] });

test('the chain is Base Sepolia by its id, with a USDC of 6 decimals and EIP-3009 at the same address [system.start.chain] [system.start.token]', async () => {
  const chain = await start();
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const token = { address: usdcAddress, abi: testUsdc.abi } as const;
  const read = { allowFailure: false, multicallAddress: multicall3Address } as const;

  expect(await client.getChainId()).toBe(84532);
  const facts = await client.multicall({
    ...read,
    contracts: [
      { ...token, functionName: 'decimals' },
      { ...token, functionName: 'symbol' },
      { ...token, functionName: 'authorizationState', args: [someone, `0x${'00'.repeat(32)}`] },
    ],
  });
  expect(facts).toEqual([6, 'USDC', false]);
  expect(await client.getBalance({ address: someone })).toBe(1000n * 10n ** 18n);
  await chain.stop();
});

test('a second start has the balances, nonces, code, blocks and receipts of the first', async () => {
  const first = await start();
  await mint(first.rpcUrl, someone, 12_345_678n);
  const [minter] = (await callRpc(first.rpcUrl, 'eth_accounts', [])) as string[];
  const block = (await callRpc(first.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as {
    number: string;
    transactions: string[];
  };
  await first.stop();

  const second = await start();
  const ask = (method: string, ...params: unknown[]) => callRpc(second.rpcUrl, method, params);
  expect(await balanceOf(second.rpcUrl, someone)).toBe(12_345_678n);
  expect(await ask('eth_getTransactionCount', minter, 'latest')).toBe('0x1');
  expect(await ask('eth_getCode', usdcAddress, 'latest')).toBe(testUsdc.deployedBytecode);
  expect(await ask('eth_blockNumber')).toBe(block.number);
  expect(await ask('eth_getTransactionReceipt', block.transactions[0])).toMatchObject({ status: '0x1' });
  await mint(second.rpcUrl, someone, 1n);
  expect(await balanceOf(second.rpcUrl, someone)).toBe(12_345_679n);
  await second.stop();
});

test('a chain that was killed goes on from at most two seconds before', async () => {
  const first = await start();
  await mint(first.rpcUrl, someone, 7n);
  const { hash } = (await callRpc(first.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as {
    hash: string;
  };
  await vi.waitFor(() => expect(JSON.stringify(JSON.parse(stateText()))).toContain(hash), { timeout: 8000 });
  process.kill(anvil.pid, 'SIGKILL');
  await first.stop();

  const second = await start();
  expect(await balanceOf(second.rpcUrl, someone)).toBe(7n);
  await second.stop();
});

test('a state file that was torn by a kill is replaced by that of the last start', async () => {
  const first = await start();
  await mint(first.rpcUrl, someone, 5n);
  await first.stop();
  await (await start()).stop();
  writeFileSync(join(dir, 'chain.json'), stateText().slice(0, 1000));

  const second = await start();
  expect(await balanceOf(second.rpcUrl, someone)).toBe(5n);
  await second.stop();
});

test('a port that is taken is told in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const starting = startChain({ dir, port, processes });
  await expect(starting).rejects.toThrow(`port ${port} is taken by another process`);
  other.close();
});

const stateText = (): string => readFileSync(join(dir, 'chain.json'), 'utf8');
