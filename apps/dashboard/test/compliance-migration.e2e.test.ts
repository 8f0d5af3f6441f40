import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate } from '@countersign/service/sql';
import { expect, onTestFinished, test } from 'vitest';
import { listHistory } from '../src/compliance/history.ts';
import { standingOf } from '../src/compliance/standing.ts';
import { openForKey } from '../src/personal/upkeep.ts';
import { newDatabase, newWallet } from './dashboard.ts';
import { migrationsBefore } from './earlier-migrations.ts';

test('what was decided before is on record too, in its order, and approvals end from their own day [dashboard.compliance.history] [dashboard.kyc.expiry]', async () => {
  const pool = createPool(await newDatabase(), createLogger('test', 'silent'));
  onTestFinished(() => pool.end());
  await migrate(pool, { schema: 'dashboard', directory: migrationsBefore('0017') });
  const [operator, ada, bob] = [newWallet().address, newWallet().address, newWallet().address];
  const denied = newWallet().address;
  for (const [id, wallet] of Object.entries({ acc_op: operator, acc_ada: ada, acc_bob: bob }))
    await pool.query(
      'insert into dashboard.account (id, wallet_address, created_at) values ($1, $2, now())',
      [id, wallet],
    );
  const submission = (
    id: string,
    account: string,
    status: string,
    reason: string | null,
    at: string | null,
  ) =>
    pool.query(
      `insert into dashboard.kyc_submission (id, account_id, full_name, country, document_type, document_number, status, reason, created_at, decided_at, decided_by)
       values ($1, $2, 'A', 'GB', 'passport', '1', $3, $4, '2026-01-01', $5, $6)`,
      [id, account, status, reason, at, at && 'acc_op'],
    );
  await submission('kyc_1', 'acc_ada', 'rejected', 'blurred', '2026-01-02T00:00:00.000Z');
  await submission('kyc_2', 'acc_ada', 'approved', null, '2026-01-04T00:00:00.000Z');
  await submission('kyc_3', 'acc_bob', 'pending', null, null);
  await pool.query(
    `insert into dashboard.deny_list (address, reason, added_by, added_at) values ($1, 'fraud', 'acc_op', '2026-01-03')`,
    [denied],
  );

  await migrate(pool, migrationsOf('dashboard'));

  const { items } = await listHistory(pool, { wallet: undefined, about: undefined }, { page: 1, limit: 10 });
  expect(items).toMatchObject([
    { deed: 'approve', walletAddress: ada, by: operator, reviewId: 'kyc_2', effective: true },
    { deed: 'deny', walletAddress: denied, by: operator, reason: 'fraud' },
    { deed: 'reject', walletAddress: ada, by: operator, reviewId: 'kyc_1', reason: 'blurred' },
  ]);
  const on = (day: string) => standingOf(pool, ada, { days: 365 }, new Date(day));
  expect(await on('2027-01-03T23:59:59.999Z')).toMatchObject({ kycStatus: 'approved' });
  expect(await on('2027-01-04T00:00:00.000Z')).toMatchObject({ kycStatus: 'pending' });
});

test('without a key a database with open identities is left to the release before: nothing is migrated [dashboard.personal.sealed.no-key]', async () => {
  const [url, log] = [await newDatabase(), createLogger('test', 'silent')];
  const pool = createPool(url, log);
  onTestFinished(() => pool.end());
  await migrate(pool, { schema: 'dashboard', directory: migrationsBefore('0017') });
  await pool.query(
    `insert into dashboard.account (id, wallet_address, created_at) values ('acc_ada', '${newWallet().address}', now())`,
  );
  await pool.query(
    `insert into dashboard.kyc_submission (id, account_id, full_name, country, document_type, document_number, status, created_at)
     values ('kyc_1', 'acc_ada', 'Ada', 'GB', 'passport', '1', 'pending', now())`,
  );
  await expect(openForKey({ kind: 'given', url }, null, log)).rejects.toThrow('set EVIDENCE_KEY');
  const { rows } = await pool.query(
    `select to_regclass('dashboard.compliance_history') as history, to_regclass('dashboard.kyc_identity') as identity`,
  );
  expect(rows).toEqual([{ history: null, identity: null }]);
});
