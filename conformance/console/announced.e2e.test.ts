import { expectOk } from '@countersign/local/dashboard-account';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announceAgent, inConsole, signAgent, signedAgent } from './fixtures/agents.ts';
import { startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const told = (page: Page, text: string | RegExp) =>
  page.getByRole('status').getByText(text).first().waitFor();

/** The address that describes the first gateway's “Refuse”. */
async function addressOf(page: Page) {
  const refuse = page.getByRole('button', { name: 'Refuse', exact: true }).first();
  return page.locator(`[id="${await refuse.getAttribute('aria-describedby')}"]`);
}

const listed = '**/api/agents/list';

test('a dozen gateways that nobody knows are all seen, and refused at once; what was signed meanwhile stays [dashboard.console.agents.many]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  for (let index = 0; index < 12; index++) await announceAgent(world, owner, apiKey);
  await page.goto('/agents');
  await press(page, 'Show 2 more');
  await page.getByRole('article').nth(11).waitFor();
  const address = await (await addressOf(page)).textContent();
  await press(page, 'Refuse all 12');
  const question = page.getByRole('dialog', { name: 'Refuse all 12 gateways?' });
  await question.getByText('none can ask again').waitFor();
  await expectAccessible(page, 'Agents-refuse all');
  const { data } = expectOk('list', await world.dashboard.listAgents({ token: owner.token, body: {} }));
  const newest = data[0];
  expect(newest?.agentWallet).toBe(address);
  await signAgent(world, owner, newest?.agentId ?? '', 'Kept agent');
  await press(page, 'Refuse 12 gateways');
  await told(page, '11 gateways are refused.');
  await page.getByRole('row', { name: /Kept agent Active/ }).waitFor();
  await page.getByRole('article').first().waitFor({ state: 'hidden' });
  const left = await world.dashboard.listAgents({ token: owner.token, body: { state: 'announced' } });
  expect(expectOk('list', left).total).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('a refusal that was read before its gateway was signed for elsewhere stops nothing until it is read again [dashboard.console.agents.many]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const { agentId } = await announceAgent(world, owner, apiKey);
  await page.goto('/agents');
  await press(page, 'Refuse');
  await page.getByRole('dialog', { name: 'Refuse this gateway?' }).waitFor();
  await signAgent(world, owner, agentId, 'Reading agent');
  await press(page, 'Refuse gateway');
  const question = page.getByRole('dialog', { name: 'Stop this agent?' });
  await question.getByText('You have signed for this agent since you opened this.').waitFor();
  const state = async () =>
    expectOk('list', await world.dashboard.listAgents({ token: owner.token, body: {} })).data[0]?.state;
  expect(await state()).toBe('active');
  await question.getByRole('button', { name: 'Stop agent' }).click();
  await told(page, '“Reading agent” is stopped.');
  expect(await state()).toBe('revoked');
  expect(faults).toEqual([]);
  await close();
});

test('on the page of an announced agent, whose address is copied without gaps, a mandate follows the signature [dashboard.console.agents.sign]', async () => {
  const { page, owner, apiKey, faults, close } = await inConsole(world);
  const { agentId, agentWallet } = await announceAgent(world, owner, apiKey);
  await page.goto(`/agents/${agentId}`);
  await (await addressOf(page)).selectText();
  expect(await page.evaluate<string>('getSelection().toString()')).toBe(agentWallet);
  await press(page, 'Review and sign');
  await page.getByRole('textbox', { name: 'Name' }).fill('Reading agent');
  await press(page, 'Review');
  await press(page, 'Sign with wallet');
  // The page behind it knows the agent by then.
  await page.getByRole('heading', { level: 1, name: 'Reading agent', includeHidden: true }).waitFor();
  const draft = page.getByRole('dialog', { name: 'New mandate' });
  await draft.waitFor();
  expect(await draft.getByRole('combobox', { name: 'For', exact: true }).inputValue()).toBe(agentWallet);
  expect(faults).toEqual([]);
  await close();
});

test('a mandate begun for an agent is for it, whatever the list says; a draft for another wallet is not signed [dashboard.console.agents.payer]', async () => {
  const { page, owner, apiKey, wallet, faults, close } = await inConsole(world);
  const { agentId, agentWallet } = await signedAgent(world, owner, apiKey);
  // A list without active agents, as right after a signature.
  await page.route(listed, async (route) => {
    const isActive = route.request().postDataJSON()?.state === 'active';
    if (!isActive) return route.continue();
    const answer = await route.fetch();
    const { data, ...envelope } = await answer.json();
    return route.fulfill({ response: answer, json: { ...envelope, data: { ...data, data: [], total: 0 } } });
  });
  // A dashboard that knows no agent wallets drafts for the owner's own.
  await page.route('**/api/mandates/intent/create', async (route) => {
    const { agentWallet: asked, ...body } = route.request().postDataJSON();
    expect(asked).toBe(agentWallet);
    return route.fulfill({ response: await route.fetch({ postData: body }) });
  });
  await page.goto(`/agents/${agentId}`);
  await press(page, 'Give it a mandate');
  const payer = page.getByRole('combobox', { name: 'For', exact: true });
  await payer.waitFor();
  expect(await payer.inputValue()).toBe(agentWallet);
  expect(await payer.getByRole('option').allTextContents()).toEqual([
    'Your own wallet',
    `${agentWallet.slice(0, 6)}…${agentWallet.slice(-4)}`,
  ]);
  await page.getByLabel('Name').fill('Papers');
  await page.getByLabel('Limit per payment').fill('0.5');
  await page.getByLabel('Total budget').fill('15');
  await press(page, 'Review');
  await page.getByRole('alert').getByText('for a wallet other than the one you chose').waitFor();
  expect(wallet.asked).not.toContain('eth_signTypedData_v4');
  expect(faults).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
  await close();
});
