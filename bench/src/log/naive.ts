import { inTransaction, type Pool } from '@countersign/service/sql';

/** The same records in the table that one would write first: an index on payer, an index on payee. */
export async function loadNaive(pool: Pool): Promise<void> {
  await inTransaction(pool, async (db) => {
    await db.query(`set local statement_timeout = 0; set local maintenance_work_mem = '256MB'`);
    await db.query('create schema naive');
    await db.query('create table naive.transaction_log as select * from dashboard.transaction_log');
    await db.query('alter table naive.transaction_log add primary key (id)');
    await db.query('create index on naive.transaction_log (payer)');
    await db.query('create index on naive.transaction_log (payee)');
  });
  await pool.query('vacuum (analyze) naive.transaction_log');
  await pool.query('checkpoint');
}

/** A list as one would ask that table: the page, and then the total. */
export async function listNaively(pool: Pool, wallet: string, where: string): Promise<void> {
  const of = `from naive.transaction_log where (payer = $1 or payee = $1)${where}`;
  await pool.query(`select * ${of} order by id desc limit 20`, [wallet]);
  await pool.query(`select count(*) ${of}`, [wallet]);
}

/** The chart of 30 days as one would ask that table. */
export async function chartNaively(pool: Pool, wallet: string, from: Date): Promise<void> {
  await pool.query(
    `select date_trunc('day', created_at), sum(amount_exact), count(*) from naive.transaction_log
     where payer = $1 and service_result = 'pass' and created_at >= $2 group by 1`,
    [wallet, from],
  );
}
