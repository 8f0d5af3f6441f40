import { fundGas, mint } from '@countersign/local/chain-accounts';
import { expectOk } from '@countersign/local/dashboard-account';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inConsole, signedAgent } from './fixtures/agents.ts';
import { startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import type { TestWallet } from './fixtures/test-wallet.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole({ only: ['accounts', 'chain'] });
});
afterAll(() => world.stop());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const told = (page: Page, text: string | RegExp) =>
  page.getByRole('status').getByText(text).first().waitFor();
const sends = ({ asked }: TestWallet) => asked.filter((method) => method === 'eth_sendTransaction').length;

const topUp = 'Top up Reading agent';
const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Top up “Reading agent”' });
const amountOf = (page: Page) => sheetOf(page).getByRole('definition').filter({ hasText: '12.50 USDC' });

/** An owner with 20 USDC, on the page of an agent without any. */
async function withMoney() {
  const owned = await inConsole(world);
  const { page, owner, apiKey } = owned;
  const { rpcUrl } = world.card;
  await fundGas(rpcUrl ?? '', owner.wallet.address);
  await mint(rpcUrl ?? '', owner.wallet.address, 20_000_000n);
  const { agentId } = await signedAgent(world, owner, apiKey);
  await page.goto('/agents');
  await page.getByRole('link', { name: 'Reading agent' }).click();
  return { ...owned, agentId };
}

/** With an amount in its field. */
async function openSheet(page: Page): Promise<void> {
  await press(page, topUp);
  await page.getByText('Your wallet holds 20.00 USDC.').waitFor();
  await page.getByLabel('Amount').fill('12.50');
}

test('an owner tops up an agent from their own wallet, and reads what became of it [dashboard.console.agents.top-up] [dashboard.console.agents.balance]', async () => {
  const { page, wallet, faults, close } = await withMoney();
  const balance = page
    .getByRole('region', { name: 'Wallet' })
    .getByRole('definition')
    .filter({ hasText: /USDC$/ });
  await balance.getByText('0.00 USDC').waitFor();

  await press(page, topUp);
  await page.getByText('Your wallet holds 20.00 USDC.').waitFor();
  await page.getByLabel('Amount').fill('20.000001');
  await press(page, 'Send from wallet');
  await page.getByText('More than your wallet holds (20.00 USDC).').waitFor();
  await page.getByLabel('Amount').fill('12.50');
  wallet.declines = new Set(['eth_sendTransaction']);
  await press(page, 'Send from wallet');
  await page.getByRole('alert').getByText('You declined in your wallet. Nothing was sent.').waitFor();
  wallet.declines = new Set();
  wallet.chainId = 1;
  await press(page, 'Send from wallet');
  await page.getByText('Your wallet is on Ethereum. Switch it to Base Sepolia.').first().waitFor();
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
  wallet.chainId = world.chainId;
  await press(page, 'Send from wallet');
  await told(page, 'Confirmed. The money is in the agent’s wallet.');
  await expectAccessible(page, 'Agents-sent');
  await press(page, 'Done');
  await balance.getByText('12.50 USDC').waitFor();
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2);
  expect(faults).toEqual([]);
  await close();
});

test('a wallet is asked once, however often its network is switched and its sheet is left [dashboard.console.agents.once]', async () => {
  const { page, wallet, faults, close } = await withMoney();
  await openSheet(page);
  wallet.chainId = 1;
  await press(page, 'Send from wallet');
  wallet.holds = new Set(['wallet_switchEthereumChain', 'eth_sendTransaction']);
  const change = page.getByRole('button', { name: 'Switch to Base Sepolia' });
  // Whoever leaves while the wallet switches wants nothing sent.
  await change.click();
  await page.keyboard.press('Escape');
  await sheetOf(page).waitFor({ state: 'hidden' });
  wallet.release();
  await openSheet(page);
  wallet.chainId = 1;
  await press(page, 'Send from wallet');
  await change.waitFor();
  expect(sends(wallet)).toBe(0);

  wallet.holds = new Set(['eth_sendTransaction']);
  await change.dblclick();
  await page.getByRole('button', { name: 'Confirm in your wallet' }).waitFor();
  for (const leave of ['Escape', 'Close'] as const) {
    if (leave === 'Escape') await page.keyboard.press(leave);
    else await sheetOf(page).getByRole('button', { name: leave }).last().click();
    await sheetOf(page).waitFor({ state: 'hidden' });
    await press(page, topUp);
    await page.getByText('Your wallet is asking you.').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toBe('12.5');
    expect(await page.getByLabel('Amount').isEditable()).toBe(false);
    await page.getByLabel('Amount').press('Enter');
    await page.getByRole('button', { name: 'Confirm in your wallet' }).dispatchEvent('click');
  }
  await expectAccessible(page, 'Agents-asking');
  wallet.release();
  await told(page, 'Confirmed. The money is in the agent’s wallet.');
  await amountOf(page).waitFor();
  expect(sends(wallet)).toBe(1);
  await press(page, 'Done');
  await press(page, topUp);
  expect(await page.getByLabel('Amount').inputValue()).toBe('');
  expect(faults).toEqual([]);
  await close();
});

test('nothing is sent to an agent that was stopped elsewhere; what was asked before is told to its end [dashboard.console.agents.once]', async () => {
  const { page, owner, agentId, wallet, faults, close } = await withMoney();
  const { token } = owner;
  await openSheet(page);
  wallet.holds = new Set(['eth_sendTransaction']);
  await press(page, 'Send from wallet');
  await page.getByText('Your wallet is asking you.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByRole('link', { name: 'Agents' }).click();
  expectOk('stop', await world.dashboard.revokeAgent({ token, body: { agentId } }));
  await page.getByRole('row', { name: /Reading agent Stopped/ }).waitFor();
  await page.getByRole('link', { name: 'Reading agent' }).click();
  await press(page, 'Show transfer to Reading agent');
  wallet.release();
  await told(page, 'Confirmed. The money is in the agent’s wallet.');
  await press(page, 'Done');
  await page.getByRole('button', { name: /^Show transfer/ }).waitFor({ state: 'hidden' });

  const second = await withMoney();
  await openSheet(second.page);
  const stop = { token: second.owner.token, body: { agentId: second.agentId } };
  expectOk('stop', await world.dashboard.revokeAgent(stop));
  await press(second.page, 'Send from wallet');
  await second.page
    .getByRole('alert')
    .getByText('This agent is no longer active. Nothing was sent.')
    .waitFor();
  expect([sends(wallet), sends(second.wallet)]).toEqual([1, 0]);
  expect([...faults, ...second.faults]).toEqual([]);
  await close();
  await second.close();
});

test('a receipt counts from the right chain alone; what never comes is said to be late, not lost [dashboard.console.agents.once]', async () => {
  const { page, wallet, faults, close } = await withMoney();
  const receipt = (answer: unknown) => new Map([['eth_getTransactionReceipt', answer]]);
  await openSheet(page);
  wallet.answers = receipt(null);
  await press(page, 'Send from wallet');
  await told(page, 'Sent. Waiting for the network to confirm it.');
  await page.clock.install();
  await page.clock.fastForward('02:05');
  await told(
    page,
    'Not confirmed yet. Your wallet may have replaced it, or may be waiting for other signers',
  );
  wallet.answers = receipt({ status: '0x7' });
  await told(page, 'Your wallet does not report whether it is confirmed');
  wallet.answers = receipt(null);
  await told(page, 'Not confirmed yet.');
  wallet.chainId = 1;
  wallet.answers = receipt({ status: '0x1' });
  await told(page, 'Your wallet does not report whether it is confirmed');
  wallet.chainId = world.chainId;
  wallet.answers = receipt({ status: '0x0' });
  await page.getByRole('alert').getByText('The network refused this transfer. No USDC was moved.').waitFor();
  expect(sends(wallet)).toBe(1);
  expect(faults).toEqual([]);
  await close();
});
