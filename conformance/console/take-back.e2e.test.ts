import { fundGas, mint } from '@countersign/local/chain-accounts';
import { expectOk } from '@countersign/local/dashboard-account';
import type { Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../fixtures/command.ts';
import { announceAgent, inConsole, signAgent } from './fixtures/agents.ts';
import { startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole({ only: ['accounts', 'chain'] });
});
afterAll(() => world.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Take money back from “Reading agent”' });

/** An owner on the page of an agent that was stopped with 12.50 USDC in its wallet. */
async function withStoppedAgent() {
  const owned = await inConsole(world);
  const { page, owner, apiKey } = owned;
  const rpcUrl = world.card.rpcUrl ?? '';
  await fundGas(rpcUrl, owner.wallet.address);
  const key = generatePrivateKey();
  const { agentId, agentWallet } = await announceAgent(world, owner, apiKey, key);
  await signAgent(world, owner, agentId, 'Reading agent');
  await mint(rpcUrl, agentWallet, 12_500_000n);
  expectOk('stop', await world.dashboard.revokeAgent({ token: owner.token, body: { agentId } }));
  const env = { EVM_PRIVATE_KEY: key, OWNER_ADDRESS: owner.wallet.address, EVM_RPC_URL: rpcUrl };
  await page.goto(`/agents/${agentId}`);
  return { ...owned, env };
}

/** What the command prints for a person to paste. */
async function sweep(env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = await runCommand(['gateway', 'sweep'], env);
  return { status, word: stdout.trim(), told: stderr };
}

test('an owner takes the money of a stopped agent back with what its key signed once more [dashboard.console.agents.take-back] [gateway.sweep]', async () => {
  const { page, owner, wallet, faults, env, close } = await withStoppedAgent();
  const { status, word, told } = await sweep(env);
  expect([status, told]).toEqual([0, expect.stringContaining(`12.5 USDC of `)]);
  expect(told).toContain(`to its owner ${owner.wallet.address}, within an hour.`);
  expect(`${word}${told}`).not.toContain(env.EVM_PRIVATE_KEY.slice(2));

  await press(page, 'Take money back');
  const pasted = page.getByLabel('Output of the command');
  await pasted.fill(word.slice(0, -20));
  await page.getByText('Paste the whole line that begins with csw_.').waitFor();
  await pasted.fill(word);
  await sheetOf(page).getByText('12.50 USDC').waitFor();
  await expectAccessible(page, 'Agents-take-back');
  wallet.declines = new Set(['eth_sendTransaction']);
  await press(page, 'Take back');
  await page.getByRole('alert').getByText('You declined in your wallet. Nothing was sent.').waitFor();
  wallet.declines = new Set();
  await press(page, 'Take back');
  await page.getByRole('status').getByText('Confirmed. The money is in your wallet.').first().waitFor();
  await press(page, 'Done');
  const balance = page
    .getByRole('region', { name: 'Wallet' })
    .getByRole('definition')
    .filter({ hasText: /USDC$/ });
  await balance.getByText('0.00 USDC').waitFor();
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
  expect(await sweep(env)).toMatchObject({
    status: 1,
    word: '',
    told: expect.stringContaining('holds no USDC'),
  });
  expect(faults).toEqual([]);
  await close();
});

test('what another agent’s key signed, or what goes to another wallet, is not sent [dashboard.console.agents.take-back]', async () => {
  const { page, wallet, env, close } = await withStoppedAgent();
  const other = await withStoppedAgent();
  await press(page, 'Take money back');
  const pasted = page.getByLabel('Output of the command');
  await pasted.fill((await sweep(other.env)).word);
  await page.getByText('This is for another agent’s wallet.').waitFor();
  await pasted.fill((await sweep({ ...env, OWNER_ADDRESS: other.env.OWNER_ADDRESS })).word);
  await page.getByText('This goes to a wallet other than yours.').waitFor();
  await press(page, 'Take back');
  expect(wallet.asked).not.toContain('eth_sendTransaction');
  await other.close();
  await close();
});
