import { expectOk } from '@countersign/local/dashboard-account';
import { createLogger } from '@countersign/service/logger';
import { createPool, rows, statement } from '@countersign/service/sql';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { announceAgent, inConsole, signedAgent } from './fixtures/agents.ts';
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

/** What a gateway is told that pays with this wallet. */
async function seen(apiKey: string, payerWalletAddress: string) {
  const body = { apiKey, payerWalletAddress };
  const answer = await world.dashboard.mandateCredential({ body });
  if (answer.kind === 'ok') return answer.data.vcJson?.credentialSubject.title ?? 'none';
  return answer.kind === 'refused' ? answer.msg : answer.kind;
}

const payerOf = (page: Page) => page.getByRole('combobox', { name: 'For', exact: true });

/** Signs what the sheet shows. */
async function sign({ page, wallet }: { page: Page; wallet: TestWallet }): Promise<void> {
  const signatures = () => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length;
  const before = signatures();
  await press(page, 'Sign with wallet');
  await page.getByRole('dialog', { name: 'Review and sign' }).waitFor({ state: 'hidden' });
  expect(signatures()).toBe(before + 1);
}

async function fillMandate(page: Page, title: string): Promise<void> {
  await page.getByLabel('Name').fill(title);
  await page.getByLabel('Limit per payment').fill('0.5');
  await page.getByLabel('Total budget').fill('15');
  await press(page, 'Review');
}

test('an owner reads how, a gateway appears, is named, signed for and given a mandate [dashboard.console.agents] [dashboard.console.agents.sign] [dashboard.console.agents.mandate]', async () => {
  const { page, owner, apiKey, wallet, faults, close } = await inConsole(world);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click();
  await page.getByText('No agents yet').waitFor();
  const variables = page.getByRole('region', { name: 'Variables of the gateway' });
  expect(await variables.textContent()).toContain(`OWNER_ADDRESS=${owner.wallet.address}\n`);
  await press(page, 'Copy variables');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await variables.textContent());

  const { agentWallet } = await announceAgent(world, owner, apiKey);
  const asking = page.getByRole('article', { name: 'A gateway wants to pay as your agent' });
  await asking.waitFor();
  expect(await asking.textContent()).toContain(agentWallet);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Agents 1 waiting for you' })
    .waitFor();
  await expectAccessible(page, 'Agents-announced');

  await press(page, 'Review and sign');
  await page.getByRole('textbox', { name: 'Name' }).fill('Reading agent');
  await page.getByLabel('Valid for').fill('400');
  await press(page, 'Review');
  await page.getByText('Enter a whole number of days, from 1 to 365.').waitFor();
  await page.getByLabel('Valid for').fill('30');
  await press(page, 'Review');
  const review = page.getByRole('dialog', { name: 'Review and sign' });
  await review.getByRole('definition').first().waitFor();
  const shown = await review.getByRole('definition').allTextContents();
  expect(shown.slice(2, 6)).toEqual([
    owner.wallet.address,
    agentWallet,
    'Reading agent',
    `eip155:${world.chainId}`,
  ]);
  await expectAccessible(page, 'Agents-review');
  wallet.declines = new Set(['eth_signTypedData_v4']);
  await press(page, 'Sign with wallet');
  await review.getByText('You declined in your wallet. Nothing was signed.').waitFor();
  wallet.declines = new Set();
  await sign({ page, wallet });

  // What it may spend comes next, with the agent chosen.
  const draft = page.getByRole('dialog', { name: 'New mandate' });
  await draft.waitFor();
  expect(await payerOf(page).inputValue()).toBe(agentWallet);
  expect(await seen(apiKey, agentWallet)).toBe('MANDATE_NOT_FOUND');
  await fillMandate(page, 'Papers and books');
  await sign({ page, wallet });
  await told(page, 'Signed. Your agent can pay within these limits.');
  expect(await seen(apiKey, agentWallet)).toBe('Papers and books');
  expect(await seen(apiKey, owner.wallet.address)).toBe('MANDATE_NOT_FOUND');

  await page.getByRole('row', { name: /Reading agent Active/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Reading agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reading agent' }).waitFor();
  await page.getByText('left of 15.00 USDC').waitFor();
  await page.getByRole('link', { name: 'Papers and books' }).click();
  await page.getByRole('link', { name: 'Reading agent' }).waitFor();
  await press(page, 'Verify');
  await page.getByText('The agent’s wallet pays').waitFor();
  expect(await page.getByText(': no').count()).toBe(0);
  await page.goto('/');
  await page
    .getByRole('region', { name: 'Active mandate' })
    .getByText('for Reading agent, up to 0.50 USDC')
    .waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('each agent and the wallet itself keep a mandate of their own; a mandate says whom it is for [dashboard.console.agents.mandate]', async () => {
  const { page, owner, apiKey, wallet, faults, close } = await inConsole(world);
  await world.newMandate(owner, { title: 'My own' });
  const agents = [
    await signedAgent(world, owner, apiKey, 'Reading agent'),
    await signedAgent(world, owner, apiKey, 'Travel agent'),
  ] as const;
  await world.newMandate(owner, { title: 'Papers', agentWallet: agents[0].agentWallet });
  await page.goto('/mandates');
  await press(page, 'New mandate');
  expect(await payerOf(page).inputValue()).toBe('');
  const options = await payerOf(page).getByRole('option').allTextContents();
  expect(options.map((option) => option.replace(/ \(.*/, ''))).toEqual([
    'Your own wallet',
    'Travel agent',
    'Reading agent',
  ]);
  await payerOf(page).selectOption(agents[1].agentWallet);
  await fillMandate(page, 'Trains');
  await page.getByRole('dialog', { name: 'Review and sign' }).getByText(agents[1].agentWallet).waitFor();
  expect(await page.getByText('This replaces').count()).toBe(0);
  await sign({ page, wallet });
  await page.getByRole('row', { name: /Trains Active Travel agent/ }).waitFor();
  await page.getByRole('row', { name: /Papers Active Reading agent/ }).waitFor();
  await page.getByRole('row', { name: /My own Active Your own wallet/ }).waitFor();

  await press(page, 'New mandate');
  await payerOf(page).selectOption(agents[0].agentWallet);
  await fillMandate(page, 'Papers and books');
  const replaced = page.getByRole('status').filter({ hasText: 'This replaces “Papers”' });
  await replaced.waitFor();
  await sign({ page, wallet });
  expect(await Promise.all(agents.map(({ agentWallet }) => seen(apiKey, agentWallet)))).toEqual([
    'Papers and books',
    'Trains',
  ]);
  expect(await seen(apiKey, owner.wallet.address)).toBe('My own');
  expect(faults).toEqual([]);
  await close();
});

test('an owner stops an agent: told before what that means, its mandate is revoked at once [dashboard.console.agents.stop]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const { agentWallet } = await signedAgent(world, owner, apiKey);
  await world.newMandate(owner, { title: 'Papers and books', agentWallet });
  await page.goto('/agents');
  await page.getByRole('link', { name: 'Reading agent' }).click();
  await press(page, 'Stop agent');
  const question = page.getByRole('dialog', { name: 'Stop this agent?' });
  await question.getByText('its mandate is revoked').waitFor();
  await question.getByText('Money left in its wallet stays there until you take it back').waitFor();
  await page.keyboard.press('Escape');
  expect(await seen(apiKey, agentWallet)).toBe('Papers and books');
  await press(page, 'Stop agent');
  await question.getByRole('button', { name: 'Stop agent' }).click();
  await told(page, '“Reading agent” is stopped.');
  await page.getByText('Stopped', { exact: true }).waitFor();
  expect(await seen(apiKey, agentWallet)).toMatch(/^MANDATE_(REVOKED|NOT_FOUND)$/);
  expect(await page.getByRole('button', { name: /Stop|Renew|Top up|Give/ }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('an agent’s page has its keys and what it did; stopping it ends its keys too, and the page says so [dashboard.console.agents.stop-all]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const { token } = owner;
  const { agentWallet } = await signedAgent(world, owner, apiKey);
  const intentMandateId = await world.newMandate(owner, { title: 'Papers and books', agentWallet });
  const about = { serviceName: 'books', chain: 'base', payer: agentWallet, amount: '0.25', intentMandateId };
  for (const serviceResult of ['pass', 'reject'] as const) {
    const body = { apiKey, ...about, serviceResult };
    expectOk('report', await world.dashboard.reportTransaction({ body }));
  }
  await page.goto('/agents');
  await page.getByRole('row', { name: /Reading agent Active .*0\.25.* 1 now/ }).waitFor();
  await page.getByRole('link', { name: 'Reading agent' }).click();
  await page.getByText('No key is for this agent alone').waitFor();
  const body = { name: 'laptop', agentWallet };
  const own = expectOk('key', await world.dashboard.createKey({ token, body }));
  await page.reload();
  const keys = page.getByRole('region', { name: 'API keys' });
  await keys.getByText('laptop').waitFor();
  await press(page, 'Stop agent');
  const question = page.getByRole('dialog', { name: 'Stop this agent?' });
  await question.getByText('The API key that is for this agent alone is revoked too.').waitFor();
  await question.getByRole('button', { name: 'Stop agent' }).click();
  await page.getByText(/^Stopped .* Revoked with it: 1 mandate and 1 API key\./).waitFor();
  await keys.getByText('Revoked').waitFor();
  expect([await seen(own.apiKey, agentWallet), await seen(apiKey, agentWallet)]).toEqual([
    'the API key is missing, unknown or revoked',
    expect.stringMatching(/^MANDATE_/),
  ]);
  expect(faults).toEqual([]);
  await close();
});

test('a gateway that nobody knows is refused: it leaves the page, and its wallet pays nothing [dashboard.console.agents.stop]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const { agentWallet } = await announceAgent(world, owner, apiKey);
  await page.goto('/agents');
  await press(page, 'Refuse');
  await page.getByRole('dialog', { name: 'Refuse this gateway?' }).getByText('cannot ask again').waitFor();
  await press(page, 'Refuse gateway');
  await told(page, 'Refused.');
  await page.getByRole('article').waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /Unnamed agent Refused/ }).waitFor();
  expect(await seen(apiKey, agentWallet)).toMatch(/^MANDATE_/);
  expect(faults).toEqual([]);
  await close();
});

test('where the wallet reads nothing from the chain, the balance is left out, and the page says why [dashboard.console.agents.balance]', async () => {
  const { page, owner, apiKey, wallet, faults, close } = await inConsole(world);
  wallet.rpcUrl = null;
  await signedAgent(world, owner, apiKey);
  await page.goto('/agents');
  await page.getByText('Balances are not shown. Your wallet cannot read balances from the chain.').waitFor();
  await page.getByRole('link', { name: 'Reading agent' }).click();
  await page.getByText('Not shown. Your wallet cannot read balances from the chain.').waitFor();
  await press(page, 'Top up Reading agent');
  await page.getByLabel('Amount').fill('1');
  await press(page, 'Send from wallet');
  await page.getByRole('alert').getByText('Nothing was sent.').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a name that turns the reading order or hides a part stands there by its codes, whatever stored it [dashboard.console.agents.legible]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const { agentId, agentWallet } = await signedAgent(world, owner, apiKey);
  const database = createPool(world.card.databaseUrl ?? '', createLogger('test', 'silent'), 1);
  onTestFinished(() => database.end());
  const name = `Bank\u202etnega\u200b<b>${'W'.repeat(180)}`;
  expect(await rows(database, rename, [agentId, name])).toHaveLength(1);
  const shown = 'Bank\\u202etnega\\u200b<b>';
  await page.goto('/agents');
  await page.getByRole('link', { name: shown }).waitFor();
  await expectAccessible(page, 'Agents-hostile name');
  await page.goto('/mandates');
  await press(page, 'New mandate');
  const options = payerOf(page).getByRole('option');
  expect(await options.last().textContent()).toContain(shown);
  await expectAccessible(page, 'Agents-hostile option');
  await page.goto(`/agents/${agentId}`);
  await page.getByRole('heading', { level: 1, name: shown }).waitFor();
  await press(page, 'Stop agent');
  await page.getByRole('dialog').getByText(shown).waitFor();
  await expectAccessible(page, 'Agents-hostile stop');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop agent' }).click();
  await page.getByText('Stopped', { exact: true }).waitFor();
  expect(await seen(apiKey, agentWallet)).toMatch(/^MANDATE_/);
  expect(faults).toEqual([]);
  await close();
});

const rename = statement(
  'test.rename-agent',
  'update dashboard.agent_wallet set name = $2 where id = $1 returning id',
);
