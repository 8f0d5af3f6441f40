import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { narrow, signIn, startConsole, type TestConsole, wide } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';

let world: TestConsole;
let database: Client;
beforeAll(async () => {
  world = await startConsole();
  database = new Client({ connectionString: world.card.databaseUrl ?? '' });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world.stop();
});

const title = 'If a wallet is lost';

test.each([wide, narrow])(
  'an owner names a recovery address and objects; its wallet then recovers the account, by keyboard, at $width px [dashboard.console.recovery]',
  async (viewport) => {
    const [owner, helper] = [await world.newOwner(), await world.newOwner()];
    await world.newMandate(owner);
    const theirs = await world.visit({ wallet: owner.testWallet, viewport });
    const { page } = theirs;
    await signIn(theirs);
    await page.goto('/settings');
    const section = page.getByRole('region', { name: title });
    await section.getByText('None', { exact: true }).waitFor();
    const field = section.getByRole('textbox', { name: 'Recovery address' });
    await field.fill(owner.wallet.address);
    await section.getByRole('button', { name: 'Name it' }).press('Enter');
    await section.getByText('This is the wallet that could be lost.').waitFor();
    await field.fill(helper.wallet.address.slice(0, -1));
    await section.getByRole('button', { name: 'Name it' }).press('Enter');
    await section.getByText('Enter a complete address: 0x and 40 hex digits').waitFor();
    await field.fill(helper.wallet.address);
    await section.getByRole('button', { name: 'Name it' }).press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Review and sign' });
    await sheet.getByText(helper.wallet.address).waitFor();
    await expectAccessible(page, `Naming a recovery address-${viewport.width}`);
    await sheet.getByRole('button', { name: 'Sign with wallet' }).press('Enter');
    await section.getByRole('button', { name: 'Name nobody' }).waitFor();
    await expectAccessible(page, `A recovery address-${viewport.width}`);

    // Whoever is named sees the account, and asks for it.
    const mine = await world.visit({ wallet: helper.testWallet, viewport });
    await signIn(mine);
    await mine.page.goto('/settings');
    const named = mine.page.getByRole('region', { name: 'Accounts that you may recover' });
    const recover = async () => {
      await named.getByRole('button', { name: 'Recover this account' }).press('Enter');
      await mine.page
        .getByRole('dialog', { name: 'Review and sign' })
        .getByRole('button', { name: 'Sign with wallet' })
        .press('Enter');
      await named.getByText('You are recovering it.').waitFor();
    };
    await recover();
    await expectAccessible(mine.page, `Recovering-${viewport.width}`);

    // It is told above every page, at once, and the owner still has the wallet.
    await page.goto('/mandates');
    await page.getByText('This account is being recovered').waitFor();
    await expectAccessible(page, `Being recovered-${viewport.width}`);
    await page.getByRole('button', { name: 'Object with your wallet' }).press('Enter');
    await sheet.getByRole('button', { name: 'Sign with wallet' }).press('Enter');
    await page.getByText('This account is being recovered').waitFor({ state: 'hidden' });
    await named.getByText('You are recovering it.').waitFor({ state: 'hidden' });

    // A week and two days later.
    await database.query(
      `update dashboard.recovery_claim set ended_at = ended_at - interval '8 days' where account_id = $1`,
      [owner.accountId],
    );
    await recover();
    await database.query('update dashboard.recovery_claim set due_at = now() where account_id = $1', [
      owner.accountId,
    ]);
    await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
    await page.getByRole('button', { name: 'Continue with Test Wallet' }).click();
    await page.getByText('recovered by its recovery address').waitFor();

    const recovered = mine.page.getByRole('region', { name: 'Accounts that you recovered' });
    const [file] = await Promise.all([
      mine.page.waitForEvent('download'),
      recovered.getByRole('button', { name: 'Download its records' }).click(),
    ]);
    const records = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(records).toMatchObject({ complete: true, mandates: { records: [{ status: 'revoked' }] } });
    await expectAccessible(mine.page, `Recovered-${viewport.width}`);
    expect(mine.faults).toEqual([]);
    await Promise.all([theirs.close(), mine.close()]);
  },
);
