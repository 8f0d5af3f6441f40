import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsOf } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { createPool, inTransaction, migrate, type Pool } from '@countersign/service/sql';
import { expect, onTestFinished, test } from 'vitest';
import { rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { newDatabase, newWallet, openDashboardForTest, paymentOf } from './dashboard.ts';
import { migrationsBefore } from './earlier-migrations.ts';

const log = createLogger('test', 'silent');
const yesterday = new Date('2026-11-20T12:00:00.000Z');
const [payer, payee] = [newWallet(), newWallet()];

/** The tables as they were before chains and hashes were spelled alike, with two accounts. */
async function tablesBefore(): Promise<{ url: string; pool: Pool }> {
  const url = await newDatabase();
  const pool = createPool(url, log);
  onTestFinished(() => pool.end());
  await migrate(pool, { schema: 'dashboard', directory: migrationsBefore('0020') });
  await pool.query(
    `insert into dashboard.account (id, wallet_address, created_at) values ('acc_payer', $1, now()), ('acc_payee', $2, now())`,
    [payer.address, payee.address],
  );
  return { url, pool };
}

/**
 * Records of the log as an earlier build kept them, one for each number. `reporter`, `hash` and `nonce` are SQL over that
 * number, `n`. Ids begin with `from`.
 */
async function keptBefore(
  pool: Pool,
  [from, many]: readonly [from: number, many: number],
  { by = 'payer', chain = 'base', hash = 'null', nonce = 'null', result = 'pass' },
): Promise<void> {
  const standing = (party: string) => (by === party ? 'counted' : 'claimed');
  await pool.query(
    `insert into dashboard.transaction_log (id, reporter, service_name, service_result, chain, tx_hash, amount, amount_exact,
       token_symbol, payer, payee, metadata, payment, created_at, reported_by, verified, payer_standing, payee_standing)
     select $1::int + n, $3, 'quotes', $4, $5::text, ${hash}, 1, 1, 'USDC', $6, $7::text,
       case when ${nonce} is not null then jsonb_build_object('nonce', ${nonce}) end,
       $7::text || ' ' || $5::text || ' ' || ${nonce}, $8::timestamptz + n * interval '1 ms', $9, false, $10, $11
     from generate_series(0, $2::int - 1) n`,
    [
      from,
      many,
      `acc_${by}`,
      result,
      chain,
      payer.address,
      payee.address,
      yesterday,
      by,
      standing('payer'),
      standing('payee'),
    ],
  );
  await pool.query(
    `insert into dashboard.transaction_key
     select reporter, sha256(convert_to('["hash",' || to_json(coalesce($3::text, chain)) || ',' || to_json(tx_hash) || ']', 'UTF8')), id
     from dashboard.transaction_log where id between $1::bigint and $2::bigint and tx_hash is not null`,
    [from, from + many - 1, chain.toLowerCase() === chain ? 'eip155:8453' : null],
  );
  await pool.query(`select setval('dashboard.transaction_id', $1)`, [from + many]);
}

const digits = 'md5(n::text) || md5((n + 1)::text)';
const hashOf = `'0x' || ${digits}`;

/** What the roll-up would say if the log were counted anew, and what it says. */
const countedAnew = `
  select wallet, role, sum(n)::int as transactions, sum(amount)::float8 as amount from (
    select payer as wallet, 'payer' as role, 1 as n, amount_exact as amount from dashboard.transaction_log where payer_standing = 'counted'
    union all
    select payee, 'payee', 1, amount_exact from dashboard.transaction_log where payee_standing = 'counted') side
  group by 1, 2 order by 1, 2`;
const rolledUp = `
  select wallet, role, sum(transactions)::int as transactions, sum(amount)::float8 as amount
  from dashboard.wallet_day group by 1, 2 order by 1, 2`;

test('a log of 22,500 misspelled records is respelled at once, with a lock for none of them [dashboard.transactions.repeat.chain-names]', async () => {
  const { pool } = await tablesBefore();
  await keptBefore(pool, [1, 17_000], { chain: 'Base', hash: hashOf });
  // Of these many have been reported under another name, or without 0x, or by the payee too.
  await keptBefore(pool, [30_000, 1000], { chain: 'base', hash: hashOf });
  await keptBefore(pool, [40_000, 1000], { chain: 'base', hash: `upper(${digits})` });
  await keptBefore(pool, [50_000, 1000], { by: 'payee', chain: 'EIP155:8453', hash: hashOf });
  await keptBefore(pool, [60_000, 3000], { chain: 'BASE', nonce: 'n::text', result: 'reject' });
  await keptBefore(pool, [70_000, 2000], { chain: 'base', nonce: 'n::text' });
  await keptBefore(pool, [80_000, 500], { chain: '\u00a0\ufeffBase\u2003', hash: `'0xc' || n` });
  await rollUpAdvancer(pool)(new Date(yesterday.getTime() + 3_600_000));

  // PostgreSQL has room for 64 locks a connection in all, by default 6400.
  const migration = readFileSync(
    join(migrationsOf('dashboard').directory, '0020-chains-spelled-alike.sql'),
    'utf8',
  );
  const held = await inTransaction(pool, async (db) => {
    await db.query(migration);
    return (await db.query('select locktype from pg_locks where pid = pg_backend_pid()')).rows;
  });
  expect(held).not.toContainEqual({ locktype: 'advisory' });
  expect(held.length).toBeLessThan(1000);

  const { rows } = await pool.query(
    `select chain, payer_standing, payee_standing, count(*)::int as records from dashboard.transaction_log group by 1, 2, 3 order by 2, 3, 1`,
  );
  expect(rows).toEqual([
    { chain: 'base', payer_standing: 'counted', payee_standing: 'claimed', records: 19_500 },
    { chain: 'base', payer_standing: 'counted', payee_standing: 'double', records: 1000 },
    { chain: 'eip155:8453', payer_standing: 'double', payee_standing: 'counted', records: 1000 },
    { chain: 'base', payer_standing: 'double', payee_standing: 'double', records: 4000 },
  ]);
  const { rows: counted } = await pool.query(rolledUp);
  expect(counted).toEqual((await pool.query(countedAnew)).rows);
  // What settles payments one by one finds nothing left to say.
  const { rows: left } = await pool.query(
    `select wallet from (select tx_hash from dashboard.transaction_log where tx_hash is not null order by id limit 200) t,
       dashboard.settle_payment(array['eip155:8453', 'base', '8453'], tx_hash, $1, $2, null, null)
     union all
     select wallet from (select payment from dashboard.transaction_log where payment is not null order by id limit 200) t,
       dashboard.settle_steps('acc_payer', payment, $1)`,
    [payer.address, payee.address],
  );
  expect(left).toEqual([]);
  const { rows: keys } = await pool.query(
    `select transaction_id as id from dashboard.transaction_key k join dashboard.transaction_log t
       on t.id = 80000 and k.dedupe_key = sha256(convert_to('["hash","eip155:8453","' || t.tx_hash || '"]', 'UTF8'))`,
  );
  expect(keys).toEqual([{ id: 80_000 }]);
});

test('a hash that an earlier build kept without 0x is the same payment with it, and found [dashboard.transactions.spelling]', async () => {
  const { url, pool } = await tablesBefore();
  const bare = (digit: string) => digit.repeat(64);
  await keptBefore(pool, [1, 1], { hash: `'${bare('a')}'` });
  // The month of this one was dropped since: its key alone is left.
  await keptBefore(pool, [2, 1], { hash: `'${bare('b')}'` });
  await pool.query('delete from dashboard.transaction_log where id = 2');
  await pool.query(
    `insert into dashboard.transaction_log (id, reporter, service_name, service_result, chain, tx_hash, payer, created_at, reported_by, verified, payer_standing, payee_standing)
     values (3, 'acc_payer', 'quotes', 'pass', 'bitcoin', $1, $2, $3, 'payer', false, 'counted', 'claimed')`,
    [bare('d'), payer.address, yesterday],
  );
  const dashboard = await openDashboardForTest({ storage: { kind: 'given', url } });
  const owner = await dashboard.newAccount(payer);
  const merchant = await dashboard.newAccount(payee);
  const intentMandateId = await dashboard.newMandate(owner);
  // While both releases run, the older one writes as it did.
  await keptBefore(pool, [10, 1], { hash: `'${bare('c')}'` });

  const paid = (digits: string) => paymentOf(payer.address, { payee: payee.address, txHash: `0x${digits}` });
  for (const [id, digits] of [
    [1, bare('a')],
    [2, bare('b')],
    [10, bare('c')],
  ] as const) {
    for (const txHash of [`0x${digits}`, digits, `0x${digits.toUpperCase()}`]) {
      const reported = { apiKey: owner.apiKey, ...paid(digits), txHash, intentMandateId };
      const reply = await dashboard.post('/api/transactions', reported);
      expect(reply).toMatchObject({ status: 409, data: { id } });
    }
  }
  const { data } = await dashboard.post('/api/mandates/intent/list', {}, owner.token);
  expect(data).toMatchObject({ data: [{ id: intentMandateId, usedAmount: '0', transactionCount: 0 }] });

  const found = async (query: string) => {
    const path = `/api/transactions?scope=myAll&${query}`;
    const { data } = await dashboard.request('GET', path, { token: owner.token });
    return data.data.map(({ id, txHash }: { id: number; txHash: string }) => [id, txHash]);
  };
  for (const [id, digits] of [
    [1, bare('a')],
    [10, bare('c')],
  ] as const)
    for (const spelled of [digits, `0x${digits}`])
      expect(await found(`txHash=${spelled}`)).toEqual([[id, `0x${digits}`]]);
  // Elsewhere hashes have no 0x.
  expect(await found(`txHash=${bare('d')}`)).toEqual([[3, bare('d')]]);

  // The payee reports the first one too: to the payer that is still one record.
  const other = { apiKey: merchant.apiKey, ...paid(bare('a')) };
  expect(await dashboard.post('/api/transactions', other)).toMatchObject({ status: 201 });
  expect(await found(`txHash=${bare('a')}`)).toEqual([[1, `0x${bare('a')}`]]);
});
