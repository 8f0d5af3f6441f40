import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate } from '@countersign/service/sql';
import { expect, onTestFinished, test } from 'vitest';
import { readSpending } from '../src/overview/spending.ts';
import { readPage } from '../src/transactions/page.ts';
import { countTransactions } from '../src/transactions/total.ts';
import { rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { newDatabase, newWallet } from './dashboard.ts';
import { migrationsBefore } from './earlier-migrations.ts';

const log = createLogger('test', 'silent');
const now = new Date('2026-11-21T12:00:00.000Z');

test('what was recorded before is told apart too: own, an operator’s, a claim, and twice the same; the roll-up follows [dashboard.transactions.claim]', async () => {
  const pool = createPool(await newDatabase(), log);
  onTestFinished(() => pool.end());
  await migrate(pool, { schema: 'dashboard', directory: migrationsBefore('0016') });
  const [payer, payee] = [newWallet().address, newWallet().address];
  for (const [id, wallet] of [
    ['acc_payer', payer],
    ['acc_payee', payee],
  ])
    await pool.query(
      'insert into dashboard.account (id, wallet_address, created_at) values ($1, $2, now())',
      [id, wallet],
    );
  const reports = [
    ['acc_payer', payer, payee, '0xA1'],
    ['acc_payee', payer, payee, '0xa1'],
    ['operator', payer, payee, '0xa1'],
    ['acc_payee', payer, payee, '0xb2'],
    ['operator', payer, payee, null],
    ['acc_payer', payer, payer, null],
    ['acc_payer', payer, null, '0xc3'],
  ];
  const insert = (
    id: number,
    reporter: string,
    from: string | null,
    to: string | null,
    hash: string | null,
    at: Date,
  ) =>
    pool.query(
      `insert into dashboard.transaction_log (id, reporter, service_name, service_result, chain, tx_hash, amount_exact, payer, payee, created_at)
       values ($1, $2, 'quotes', 'pass', 'base', $3, 1, $4, $5, $6)`,
      [id, reporter, hash, from, to, at],
    );
  for (const [n, [reporter = '', from = null, to = null, hash = null]] of reports.entries())
    await insert(n + 1, reporter ?? '', from, to, hash, new Date(now.getTime() - 86_400_000 + n));
  await pool.query(`select setval('dashboard.transaction_id', 7)`);
  await rollUpAdvancer(pool)(now);

  await migrate(pool, migrationsOf('dashboard'));

  const ids = async (wallet: typeof payer, standing: 'counted' | 'claimed') => {
    const selection = { wallet, scope: 'myAll', standing, filter: {} } as const;
    const found = await readPage(pool, selection, { after: null, offset: 0, limit: 100 });
    expect(await countTransactions(pool, selection)).toBe(found.length);
    return found.map(({ id }) => id);
  };
  const check = async () => {
    expect(await ids(payer, 'counted')).toEqual([7, 6, 5, 1]);
    expect(await ids(payer, 'claimed')).toEqual([4]);
    expect(await ids(payee, 'counted')).toEqual([5, 4, 2]);
    expect(await ids(payee, 'claimed')).toEqual([]);
    const days = await readSpending(pool, payer, { days: 2, now });
    expect(days.map(({ spent, count }) => [spent, count])).toEqual([
      ['4', 4],
      ['0', 0],
    ]);
  };
  await check();
  await rollUpAdvancer(pool)(new Date(now.getTime() + 1000));
  expect((await pool.query('select count(*) as n from dashboard.wallet_day')).rows[0].n).toBeGreaterThan(0);
  await check();

  // While both releases run, the older one writes without the new columns.
  for (const [id, reporter] of [
    [8, 'acc_payer'],
    [9, 'acc_payee'],
    [10, 'operator'],
  ] as const)
    await insert(id, reporter, payer, payee, null, new Date(now.getTime() + id));
  expect((await ids(payer, 'counted')).slice(0, 2)).toEqual([10, 8]);
  expect(await ids(payer, 'claimed')).toEqual([9, 4]);
  expect((await ids(payee, 'counted')).slice(0, 2)).toEqual([10, 9]);
  expect(await ids(payee, 'claimed')).toEqual([8]);
});
