import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createSealer } from '../src/compliance/seal.ts';
import { sealIdentities } from '../src/compliance/seal-identities.ts';
import { openDashboardForTest } from './dashboard.ts';

const log = createLogger('test', 'silent');

async function connect(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test('the file is written anew only after every transaction that may still see a readable row [dashboard.personal.sealed.older-transaction]', async () => {
  const { config } = await openDashboardForTest({});
  const { url } = config.storage as { url: string };
  const pool = createPool(url, log);
  onTestFinished(() => pool.end());
  const name = `Ada ${randomBytes(9).toString('hex')} Byron`;
  const client = await connect(url);
  await client.query(
    `insert into dashboard.account (id, wallet_address, created_at) values ('acc_1', '0x' || lpad('1', 40, '0'), now())`,
  );
  await client.query(
    `insert into dashboard.kyc_submission
       (id, account_id, full_name, country, document_type, document_number, status, created_at)
     values ('kyc_1', 'acc_1', $1, 'LI', 'passport', 'X1', 'pending', now())`,
    [name],
  );
  const fileNow = async () => {
    await client.query('checkpoint');
    const { rows } = await client.query(
      `select current_setting('data_directory') as dir, pg_relation_filepath('dashboard.kyc_submission') as path`,
    );
    return join(rows[0].dir, rows[0].path);
  };
  const before = await fileNow();
  expect(readFileSync(before, 'latin1')).toContain(name);

  const backup = await connect(url);
  await backup.query('begin isolation level repeatable read read only');
  await backup.query('select 1 from dashboard.account');
  const sealer = createSealer(randomBytes(32));
  await sealIdentities(pool, sealer, log);
  expect(await fileNow()).toBe(before);

  await client.query('vacuum (full) dashboard.kyc_submission');
  expect(readFileSync(await fileNow(), 'latin1'), 'control: written anew too early').toContain(name);

  const { rows } = await backup.query('select full_name from dashboard.kyc_submission');
  expect(rows).toEqual([{ full_name: name }]);
  await backup.query('commit');
  const writer = await connect(url.replace(/[^/]*$/, 'postgres'));
  await writer.query('begin');
  await writer.query('select pg_current_xact_id()');
  await client.query('insert into dashboard.kyc_rewrite_due default values');
  const held = await fileNow();
  await sealIdentities(pool, sealer, log);
  expect(await fileNow(), 'a writer in another database holds it up').toBe(held);

  await writer.query('commit');
  const dueNow = async () => {
    await sealIdentities(pool, sealer, log);
    return (await client.query('select id from dashboard.kyc_rewrite_due')).rows;
  };
  await expect.poll(dueNow).toEqual([]);
  expect(existsSync(before)).toBe(false);
  expect(readFileSync(await fileNow(), 'latin1')).not.toContain(name);
});
