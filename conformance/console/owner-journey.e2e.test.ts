import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './fixtures/accessible.ts';
import { signIn, startConsole, type TestConsole } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';
import { newTestWallet } from './fixtures/test-wallet.ts';

let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world.stop());

test('an owner signs in, drafts a mandate, reads what will be signed, signs it, checks it and revokes it [dashboard.console.sign-in.wallet] [dashboard.console.mandates.create] [dashboard.console.mandates.verify] [dashboard.console.mandates.revoke] [dashboard.listen.console]', async () => {
  const wallet = newTestWallet(world.chainId);
  const visit = await world.visit({ wallet });
  const { page } = visit;
  await signIn(visit);
  await page.getByText('No active mandate').waitFor();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mandates' }).click();
  await page.getByRole('button', { name: 'New mandate' }).click();
  await page.getByLabel('Name').fill('Research agent');
  await page.getByLabel('Limit per payment').fill('1.50');
  await page.getByLabel('Total budget').fill('20');
  await page.getByRole('button', { name: 'Review' }).click();

  const review = page.getByRole('dialog', { name: 'Review and sign' });
  await review.getByRole('definition').first().waitFor();
  const drafted = await world.dashboard.listMandates({
    token: await tokenOf(wallet),
    body: { status: 'pending' },
  });
  const draft = drafted.kind === 'ok' ? drafted.data.data[0] : undefined;
  const shown = (await review.getByRole('definition').allTextContents()).slice(0, 6);
  expect(shown).toEqual([draft?.id, draft?.accountId, wallet.account.address, '1.5', '20', draft?.expiresAt]);
  expect(await violations(page)).toEqual([]);

  await review.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByText('Signed. Your agent can pay').waitFor();
  expect(wallet.asked.at(-1)).toBe('eth_signTypedData_v4');

  await page.getByRole('link', { name: 'Research agent' }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(wallet.account.address).first().waitFor();
  expect(await page.getByText(': no').count()).toBe(0);
  await page.getByRole('button', { name: 'Copy credential' }).click();
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
  expect(copied.credentialSubject.payer.address).toBe(wallet.account.address);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`mandate-${draft?.id}.json`);

  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke mandate' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
  expect((await visit.context.cookies()).filter(({ value }) => value !== '')).toEqual([]);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

/** A session of the same account, for looking at it from outside. */
async function tokenOf(wallet: ReturnType<typeof newTestWallet>): Promise<string> {
  const { createSiweMessage } = await import('viem/siwe');
  const terms = await world.dashboard.nonce({});
  if (terms.kind !== 'ok') throw new Error('no nonce');
  const { origin, host } = new URL(world.url);
  const message = createSiweMessage({
    address: wallet.account.address,
    domain: host,
    uri: origin,
    version: '1',
    chainId: terms.data.chainId,
    nonce: terms.data.nonce,
  });
  const signature = await wallet.account.signMessage({ message });
  const session = await world.dashboard.login({ body: { message, signature } });
  if (session.kind !== 'ok') throw new Error('no session');
  return session.data.token;
}

test('on the wrong chain the owner is offered the switch, and then is in [dashboard.console.sign-in.chain]', async () => {
  const visit = await world.visit({ wallet: newTestWallet(1) });
  const { page } = visit;
  await page.goto('/mandates?status=revoked');
  await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
  await page.getByText('Your wallet is on Ethereum. Switch it to Base Sepolia.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Switch to Base Sepolia' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mandates' }).waitFor();
  expect(page.url()).toBe(`${world.url}/mandates?status=revoked`);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('an owner who declines signs nothing, is told so, and may try again [dashboard.console.wallet.declined]', async () => {
  const wallet = newTestWallet(world.chainId);
  const visit = await world.visit({ wallet });
  const { page } = visit;
  wallet.declines = new Set(['personal_sign']);
  await page.goto('/');
  await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
  await page.getByRole('alert').getByText('You declined in your wallet. Nothing was signed.').waitFor();
  wallet.declines = new Set(['eth_signTypedData_v4']);
  await signIn(visit);

  await page.goto('/mandates');
  await page.getByRole('button', { name: 'New mandate' }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('Enter a name that you will recognise.').waitFor();
  await page.getByLabel('Name').fill('Declined');
  await page.getByLabel('Limit per payment').fill('5');
  await page.getByLabel('Total budget').fill('2');
  await page.getByText('One payment cannot be larger than the total budget.').waitFor();
  await page.getByLabel('Total budget').fill('20');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByRole('alert').getByText('You declined in your wallet. Nothing was signed.').waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('cell', { name: '20.00 USDC', exact: true }).waitFor();

  // Later, from the list: the draft waits.
  wallet.declines = new Set();
  wallet.chainId = 1;
  await page.getByRole('link', { name: 'Declined' }).click();
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  await page.getByRole('button', { name: 'Switch to Base Sepolia' }).click();
  await page.getByText('Signed. Your agent can pay').waitFor();
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('another account in the wallet than the one signed in is refused before it is asked to sign [dashboard.console.wallet.account-changed]', async () => {
  const owner = await world.newOwner();
  const { testWallet: wallet } = owner;
  const visit = await world.visit({ wallet });
  const { page } = visit;
  await signIn(visit);
  const drafted = await world.dashboard.createMandate({
    token: owner.token,
    body: { title: 'Somebody else’s', perTxLimit: '1', totalBudget: '2', validDays: 3 },
  });
  if (drafted.kind !== 'ok') throw new Error('not drafted');
  const own = wallet.account;
  wallet.account = newTestWallet(world.chainId).account;
  await page.goto(`/mandates/${drafted.data.mandateId}`);
  await page.getByRole('button', { name: 'Review and sign' }).click();
  await page.getByRole('button', { name: 'Sign with wallet' }).click();
  await page
    .getByRole('alert')
    .getByText(`Select ${own.address.slice(0, 6)}…${own.address.slice(-4)} in your wallet`)
    .waitFor();
  expect(wallet.asked).not.toContain('eth_signTypedData_v4');
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('an account switched in the wallet is told at once, without losing the page; one may go back or sign in with it [dashboard.console.wallet.account-changed]', async () => {
  const { testWallet: wallet } = await world.newOwner();
  const visit = await world.visit({ wallet });
  const { page } = visit;
  const [own, other] = [wallet.account, newTestWallet(world.chainId).account];
  const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
  await signIn(visit);
  await page.goto('/mandates');
  await page.getByRole('button', { name: 'New mandate' }).click();
  await page.getByLabel('Name').fill('Half typed');
  await wallet.choose(other);
  const notice = page.getByRole('status').filter({ hasText: 'Your wallet has changed' });
  await notice.getByText(`You are signed in as ${short(own.address)}`).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Half typed');
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'Account switched');
  await wallet.choose(own);
  await notice.waitFor({ state: 'hidden' });

  await wallet.choose(other);
  await page.reload();
  await notice.getByRole('button', { name: `Sign in with ${short(other.address)}` }).click();
  await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: `Account ${short(other.address)}` }).waitFor();
  expect(await notice.count()).toBe(0);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('a browser without a wallet is told what to do [dashboard.console.sign-in.no-wallet]', async () => {
  const visit = await world.visit({ wallet: null });
  await visit.page.goto('/');
  await visit.page.getByText('No wallet found in this browser').waitFor();
  expect(await violations(visit.page)).toEqual([]);
  expect(visit.faults).toEqual([]);
  await visit.close();
});

test('a session that ended elsewhere leads to the sign-in page, and back to the same place [dashboard.console.session.ended]', async () => {
  const wallet = newTestWallet(world.chainId);
  const visit = await world.visit({ wallet });
  const { page } = visit;
  await signIn(visit);
  await visit.context.clearCookies();
  await page.goto('/mandates?status=expired');
  await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
  await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mandates' }).waitFor();
  expect(page.url()).toBe(`${world.url}/mandates?status=expired`);
  await visit.close();
});
