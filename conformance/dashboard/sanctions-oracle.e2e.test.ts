import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sanctionsList } from '@countersign/contracts/sanctions-list';
import { createTestClient, getContractAddress, http, publicActions, walletActions } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../contracts/test-chain.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

/** anvil's first account, unlocked. */
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const { abi, bytecode } = sanctionsList;
const newAddress = () => privateKeyToAddress(generatePrivateKey());
const [listed, late] = [newAddress(), newAddress()];

let chain: TestChain;
let dashboard: OwnDashboard;
let sanction: (address: `0x${string}`) => Promise<void>;
beforeAll(async () => {
  chain = await startTestChain();
  const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    .extend(publicActions)
    .extend(walletActions);
  const contract = getContractAddress({ from: account, nonce: 0n });
  const confirmed = { account, chain: { ...foundry, id: 84532 } } as const;
  const deployed = await client.deployContract({ abi, bytecode, ...confirmed });
  await client.waitForTransactionReceipt({ hash: deployed });
  sanction = async (address) => {
    const about = { address: contract, abi, functionName: 'addToSanctionsList', args: [[address]] } as const;
    await client.waitForTransactionReceipt({ hash: await client.writeContract({ ...about, ...confirmed }) });
  };
  await sanction(listed);
  dashboard = await startOwnDashboard({
    KYT_PROVIDER: 'sanctions-oracle',
    SANCTIONS_ORACLE_RPC_URL: chain.url,
    SANCTIONS_ORACLE_ADDRESS: contract,
  });
});
afterAll(async () => {
  await dashboard?.stop();
  await chain?.stop();
});

test('a contract on chain tells who is sanctioned, and a node that is down tells nothing [dashboard.provider.sanctions-oracle]', async () => {
  expect(await dashboard.decisionAbout(listed)).toBe('reject');
  expect(await dashboard.decisionAbout(late)).toBe('pass');
  const unknown = newAddress();
  await sanction(unknown);
  expect(await dashboard.decisionAbout(unknown)).toBe('reject');
  await chain.stop();
  expect(await dashboard.decisionAbout(newAddress())).toBe(500);
  // What it said within the hour is remembered.
  expect(await dashboard.decisionAbout(late)).toBe('pass');
});

test('its answers are evidence, under a key that was made beside the private database [dashboard.provider.evidence.read]', async () => {
  expect(existsSync(join(dashboard.dir, 'evidence.key'))).toBe(true);
  const { code, stdout } = await dashboard.run(['compliance', 'evidence', listed]);
  expect(code).toBe(0);
  const [kept] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(kept).toMatchObject({ provider: 'sanctions-oracle', verdict: 'reject', subject: listed });
  expect(JSON.parse(kept.answer)).toEqual({ jsonrpc: '2.0', id: 1, result: `0x${'0'.repeat(63)}1` });
});

test('an address without a contract has no answer, and never a pass [dashboard.provider.sanctions-oracle]', async () => {
  const other = await startTestChain();
  const lost = await startOwnDashboard({
    KYT_PROVIDER: 'sanctions-oracle',
    SANCTIONS_ORACLE_RPC_URL: other.url,
  });
  try {
    expect(await lost.decisionAbout(newAddress())).toBe(500);
  } finally {
    await lost.stop();
    await other.stop();
  }
});
