import { randomBytes } from 'node:crypto';
import { expectOk } from '@countersign/local/dashboard-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase } from '../fixtures/new-database.ts';
import { everythingKept, foundIn } from '../../packages/service/test/everything-kept.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

let dashboard: OwnDashboard;
let DATABASE_URL: string;
beforeAll(async () => {
  DATABASE_URL = await newDatabase();
  dashboard = await startOwnDashboard({ DATABASE_URL, EVIDENCE_KEY: randomBytes(32).toString('base64') });
});
afterAll(() => dashboard?.stop());

const run = (...args: string[]) => dashboard.run(['dashboard', 'erase', ...args], { DATABASE_URL });

test('the command tells what it would erase, erases with --yes beside a dashboard that runs, and once more is harmless [dashboard.personal.erase.command]', async () => {
  const { client, token, wallet } = dashboard;
  const [fullName, documentNumber] = [randomBytes(9).toString('hex'), randomBytes(9).toString('hex')];
  const body = { fullName, country: 'DE', documentType: 'id_card', documentNumber } as const;
  expectOk('hand in', await client.submitKyc({ token, body }));
  const stream = await fetch(`${dashboard.url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
  });

  const told = await run('--wallet', wallet.address.toLowerCase());
  expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 0, stderr: '' });
  expect(told.stdout).toMatch(/deleted:\n {8}1 {2}Name, country, document/);
  expect(told.stdout).toMatch(/kept, .* law/);
  expect(told.stdout).toMatch(/Nothing has been erased yet\. Add --yes to erase\.\n$/);
  expectOk('see that nothing was done', await client.me({ token }));

  const done = await run('--yes', '--wallet', wallet.address);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toMatch(/^erased of account \w+: .*identities 1.*\n$/);
  expect(foundIn(await everythingKept(DATABASE_URL), [fullName, documentNumber])).toEqual([]);
  expect(await client.me({ token })).toMatchObject({ kind: 'refused', status: 401 });
  // Who looks on is told at once that the session is over.
  await stream.text();

  const [account] = /(?<=account )\w+/.exec(done.stdout) ?? [''];
  expect((await run('--account', account, '--yes')).stdout).toMatch(/identities 0/);
});

test('what cannot be understood is told in one line with 2, an account that is not there with 1 [dashboard.personal.erase.command]', async () => {
  const wrong = [
    [],
    ['--wallet'],
    ['--wallet', '0x1234'],
    ['--account', 'a', '--account', 'b'],
    ['0x7F367cC41522cE07553e823bf3be79A889DEbe1B'],
    ['--all'],
  ];
  for (const args of wrong) {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^dashboard erase: [^\n]* Try "countersign dashboard erase --help"\.\n$/);
  }
  const nobody = await run('--wallet', `0x${'00'.repeat(20)}`, '--yes');
  expect({ code: nobody.code, stdout: nobody.stdout }).toEqual({ code: 1, stdout: '' });
  expect(nobody.stderr).toMatch(/^countersign dashboard erase: no account 0x0{40}[^\n]*\n$/);
  expect((await run('--help')).stdout).toMatch(/^countersign dashboard erase --wallet ADDRESS/);
});
