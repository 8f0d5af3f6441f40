import { readFile } from 'node:fs/promises';
import { expectOk } from '@countersign/local/dashboard-account';
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

const identity = {
  fullName: 'Ada Byron',
  country: 'GB',
  documentType: 'passport',
  documentNumber: 'X 123 456',
} as const;

test.each([wide, narrow])(
  'a person downloads what is kept and has it erased by the wallet alone, told what that does, by keyboard, at $width px [dashboard.personal.console]',
  async (viewport) => {
    const owner = await world.newOwner();
    const { token } = owner;
    expectOk('hand in', await world.dashboard.submitKyc({ token, body: identity }));
    const visit = await world.visit({ wallet: owner.testWallet, viewport });
    const { page } = visit;
    await signIn(visit);
    await page.goto('/settings');
    const section = page.getByRole('region', { name: 'Your data' });
    await section.getByText('What is kept, and why').click();
    await section.getByText('anti-money-laundering law (Directive').waitFor();
    await section.getByText('Name, country, document and document number').waitFor();
    await expectAccessible(page, `Your data-${viewport.width}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Download my data' }).click(),
    ]);
    const got = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(got).toMatchObject({ complete: true, submissions: { records: [identity] } });

    await section.getByRole('button', { name: 'Erase my data' }).focus();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Erase your data?' });
    await sheet.getByText('payments stop immediately').waitFor();
    await expectAccessible(page, `Erase your data-${viewport.width}`);
    owner.testWallet.declines = new Set(['personal_sign']);
    await sheet.getByRole('button', { name: 'Sign and erase data' }).focus();
    await page.keyboard.press('Enter');
    await sheet.getByText('You declined in your wallet. Nothing was signed.').waitFor();
    const before = expectOk('look', await world.dashboard.kycStatus({ token }));
    expect(before.review).toMatchObject(identity);

    owner.testWallet.declines = new Set();
    await page.keyboard.press('Enter');
    await page.getByText('Your data has been erased, and you are signed out everywhere.').waitFor();
    await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor();
    expect(await world.dashboard.me({ token })).toMatchObject({ kind: 'refused', status: 401 });
    expect(visit.faults).toEqual([]);

    await signIn(visit);
    await page.goto('/settings');
    await page.getByText('Erased as you asked:').waitFor();
    await database.query(
      `insert into dashboard.erasure (account_id, asked_by, erased, erased_at) values ($1, 'operator', '{}', now())`,
      [owner.accountId],
    );
    await page.reload();
    await page.getByText('Erased by an operator:').waitFor();
    await page.goto('/compliance');
    await page.getByText('You are not verified yet.').waitFor();
    await visit.close();
  },
);
