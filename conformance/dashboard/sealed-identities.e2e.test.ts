import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countersign } from '@countersign/local/countersign';
import { expectOk } from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { ownedProcesses } from '@countersign/service/owned-process';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../fixtures/new-database.ts';
import { until } from '../gateway/fixtures/until.ts';
import { everythingKept, foundIn } from '../../packages/service/test/everything-kept.ts';
import { startOwnDashboard } from './fixtures/own-dashboard.ts';

const newKey = () => randomBytes(32).toString('base64');
const word = () => randomBytes(9).toString('hex');
const newIdentity = () =>
  ({
    fullName: `Ada ${word()} Byron`,
    country: 'LI',
    documentType: 'driving_licence',
    documentNumber: `X${word()}`,
  }) as const;

async function startFor(env: Readonly<Record<string, string>>) {
  const dashboard = await startOwnDashboard(env);
  onTestFinished(() => dashboard.stop());
  return dashboard;
}

async function query(databaseUrl: string, text: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

test('what a person hands in is sealed: neither the database nor its statistics tell it, and the person and operators read it [dashboard.personal.sealed]', async () => {
  const [DATABASE_URL, privateKey, identity] = [await newDatabase(), newPrivateKey(), newIdentity()];
  const operator = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const dashboard = await startFor({
    DATABASE_URL,
    EVIDENCE_KEY: newKey(),
    OPERATOR_ADDRESSES: operator.address,
  });
  const { client, token } = dashboard;
  expectOk('hand in', await client.submitKyc({ token, body: identity }));
  const own = expectOk('look', await client.kycStatus({ token }));
  expect(own.review).toMatchObject({ ...identity, personalData: 'kept' });
  const desk = await dashboard.logIn(operator);
  const { data } = expectOk('list', await client.listKycReviews({ token: desk, body: {} }));
  expect(data).toMatchObject([{ ...identity, personalData: 'kept' }]);

  await query(DATABASE_URL, 'analyze');
  const kept = await everythingKept(DATABASE_URL);
  expect(foundIn(kept, [identity.fullName, identity.documentNumber, identity.documentType])).toEqual([]);
  expect(kept).not.toMatch(/\bLI\b/);
});

/** So many rows as releases before wrote them, of as many accounts, and the names in them. */
async function handedInBefore(databaseUrl: string, count: number): Promise<readonly string[]> {
  const prefix = word();
  await query(
    databaseUrl,
    `with a as (
       insert into dashboard.account (id, wallet_address, created_at)
       select 'acc_' || n, '0x' || lpad(n::text, 40, '0'), now() from generate_series(1, $1::int) n returning id)
     insert into dashboard.kyc_submission
       (id, account_id, full_name, country, document_type, document_number, status, created_at)
     select 'kyc_' || a.id, a.id, $2 || a.id, 'LI', 'passport', $2 || 'number' || a.id, 'pending', now() from a`,
    [count, prefix],
  );
  return Array.from({ length: count }, (_, n) => `${prefix}acc_${n + 1}`);
}

const openRows = async (databaseUrl: string): Promise<number> =>
  (
    await query(
      databaseUrl,
      `select count(*)::int as open from dashboard.kyc_submission
       where coalesce(full_name, country, document_type, document_number) is not null`,
    )
  )[0].open;

test('rows of earlier releases are sealed by whichever processes start; one that is killed leaves each row readable [dashboard.personal.sealed.earlier]', async () => {
  const count = 4_000;
  const [DATABASE_URL, EVIDENCE_KEY, privateKey] = [await newDatabase(), newKey(), newPrivateKey()];
  const operator = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const env = { DATABASE_URL, EVIDENCE_KEY, OPERATOR_ADDRESSES: operator.address };
  const first = await startFor(env);
  const names = await handedInBefore(DATABASE_URL, count);
  const [{ node }] = await query(
    DATABASE_URL,
    `select pg_relation_filepath('dashboard.kyc_submission') as node`,
  );
  await query(DATABASE_URL, 'analyze dashboard.kyc_submission');

  const processes = await ownedProcesses();
  onTestFinished(() => processes.stopAll());
  const start = (name: string) =>
    processes.spawn({
      name,
      ...countersign('dashboard'),
      env: {
        PATH: process.env['PATH'],
        DASHBOARD_PORT: '0',
        DASHBOARD_DATA_DIR: first.dir,
        LOG_LEVEL: 'error',
        ...env,
      },
      ipc: true,
    });
  const doomed = start('doomed');
  await until(
    () => openRows(DATABASE_URL),
    (open) => open < count,
  );
  process.kill(doomed.pid, 'SIGKILL');

  const desk = await first.logIn(operator);
  const listed: string[] = [];
  for (let page = 1; listed.length < count; page++) {
    const body = { page, limit: 100 };
    const { data } = expectOk('list', await first.client.listKycReviews({ token: desk, body }));
    expect(data.every(({ personalData }) => personalData === 'kept')).toBe(true);
    listed.push(...data.map(({ fullName }) => fullName ?? ''));
  }
  expect(listed.toSorted()).toEqual(names.toSorted());

  start('one');
  start('other');
  await until(
    () => openRows(DATABASE_URL),
    (open) => open === 0,
  );
  const rewritten = await until(
    async () =>
      (await query(DATABASE_URL, `select pg_relation_filepath('dashboard.kyc_submission') as node`))[0].node,
    (now) => now !== node,
  );
  const [{ data: directory }] = await query(DATABASE_URL, `select current_setting('data_directory') as data`);
  await query(DATABASE_URL, 'checkpoint');
  const file = readFileSync(join(directory, rewritten), 'latin1');
  expect(names.filter((name) => file.includes(name))).toEqual([]);
  expect(readdirSync(join(directory, node, '..')).includes(node.split('/').at(-1))).toBe(false);
  expect(foundIn(await everythingKept(DATABASE_URL), names)).toEqual([]);
  const { total } = expectOk('list', await first.client.listKycReviews({ token: desk, body: {} }));
  expect(total).toBe(count);
});

test('without a key identities are neither taken nor left open: submitting is refused, and no process starts over open ones [dashboard.personal.sealed.no-key]', async () => {
  const DATABASE_URL = await newDatabase();
  const keyless = await startFor({ DATABASE_URL });
  const { client, token } = keyless;
  const refused = await client.submitKyc({ token, body: newIdentity() });
  expect(refused).toMatchObject({ kind: 'refused', code: 'BUSINESS_NOT_FOUND' });
  expect(refused).toMatchObject({ msg: expect.stringContaining('EVIDENCE_KEY') });

  await handedInBefore(DATABASE_URL, 1);
  const { code, stderr, stdout } = await keyless.run(['dashboard'], { DATABASE_URL, DASHBOARD_PORT: '0' });
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(/identities of people lie unsealed.*EVIDENCE_KEY/);
});
