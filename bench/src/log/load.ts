import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { addressSql, randomRank } from './wallets.ts';

export type LoadOptions = {
  /** How many records. */
  readonly records: number;
  /** They are spread evenly over the year that ends here. */
  readonly until: Date;
  readonly say: (line: string) => void;
};

/** Of records: what the log holds. */
export const yearMs = 365 * 24 * 60 * 60_000;

type Month = {
  readonly name: string;
  readonly low: Date;
  readonly high: Date;
  readonly firstId: number;
  readonly lastId: number;
};

/**
 * Fills the log as if it had been used for a year. Each month is made, filled, indexed and attached in a transaction
 * of its own, and the server makes up the records itself: nothing passes through a connection, and nothing is written
 * twice. Two months at a time, for two cores.
 */
export async function loadLog(pool: Pool, { records, until, say }: LoadOptions): Promise<void> {
  const started = performance.now();
  const months = monthsOf(records, until);
  let done = 0;
  const jobs = [
    () => loadKeys(pool, records),
    ...months.map((month) => async () => {
      await loadMonth(pool, month, { records, until });
      done += month.lastId - month.firstId + 1;
      const seconds = (performance.now() - started) / 1000;
      say(
        `loaded ${(done / 1e6).toFixed(1)} of ${(records / 1e6).toFixed(1)} million records (${seconds.toFixed(0)} s)`,
      );
    }),
  ];
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
  };
  await Promise.all([work(), work()]);
  say('vacuuming, so that counts need the indexes alone');
  for (const { name } of months) await pool.query(`vacuum (analyze) dashboard.${name}`);
  await pool.query('analyze dashboard.transaction_log, dashboard.transaction_key');
  await pool.query('checkpoint');
}

/** The months of that year, and which ids fall into each. */
function monthsOf(records: number, until: Date): readonly Month[] {
  const start = until.getTime() - yearMs;
  const idAt = (time: number): number => Math.ceil(((time - start) / yearMs) * records) + 1;
  const months: Month[] = [];
  const from = new Date(start);
  for (let i = 0; ; i++) {
    const low = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + i));
    const high = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + i + 1));
    if (low >= until) return months;
    months.push({
      name: `transaction_log_${low.toISOString().slice(0, 7).replace('-', '_')}`,
      low,
      high,
      firstId: Math.max(1, idAt(low.getTime())),
      lastId: Math.min(records, idAt(high.getTime()) - 1),
    });
  }
}

const unhurried = `set local statement_timeout = 0; set local maintenance_work_mem = '256MB'; set local work_mem = '64MB'`;

async function loadMonth(pool: Pool, month: Month, { records, until }: { records: number; until: Date }) {
  const { name, low, high, firstId, lastId } = month;
  const start = until.getTime() - yearMs;
  await inTransaction(pool, async (db) => {
    await db.query(unhurried);
    const aside = `dashboard.${name}_loading`;
    await db.query(`create table ${aside} (like dashboard.transaction_log including constraints)`);
    await db.query(`select setseed(${(firstId % 1000) / 1000})`);
    await db.query(
      `insert into ${aside} (id, reporter, service_name, service_result, chain, tx_hash, amount, amount_exact, token_symbol,
         payer, payee, payer_kyc_result, payer_kyt_result, payer_kyt_risk_level, payee_kyc_result, payee_kyt_result,
         payee_kyt_risk_level, metadata, intent_mandate_id, reported_by, verified, payer_standing, payee_standing, created_at)
       select n, 'operator', 'service-' || floor(r1 * 20)::int,
         case when r2 < 0.9 then 'pass' when r2 < 0.97 then 'reject' else 'error' end,
         case when r3 < 0.7 then 'base' when r3 < 0.9 then 'polygon' when r3 < 0.99 then 'arbitrum' else 'optimism' end,
         case when r2 < 0.9 then '0x' || md5(n::text) || md5((-n)::text) end,
         0.01, 0.01, 'USDC', ${addressSql('payer')}, ${addressSql('payee')}, 1, 1, 0, 1, 1, 0,
         '{"traceId": "0af7651916cd43dd8448eb211c80319c"}', null, 'operator', false, 'counted', 'counted',
         to_timestamp((${start} + (n - 1) * ${yearMs}::float8 / ${records}) / 1000)
       from (select n, ${randomRank} as payer, ${randomRank} as payee, random() as r1, random() as r2, random() as r3
             from generate_series(${firstId}, ${lastId}) n) made`,
    );
    await buildIndexes(db, aside);
    await db.query(`drop table if exists dashboard.${name}`);
    await db.query(`alter table ${aside} rename to ${name}`);
    await db.query(
      `alter table dashboard.transaction_log attach partition dashboard.${name}
       for values from ('${low.toISOString()}') to ('${high.toISOString()}')`,
    );
  });
}

/** The indexes of the log, before the table is attached: attaching would build them too, but one month at a time. */
async function buildIndexes(db: Queryable, table: string): Promise<void> {
  const { rows } = await db.query(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'dashboard.transaction_log'::regclass and not indisprimary`,
  );
  for (const { definition } of rows as readonly { definition: string }[]) {
    const [, columns = ''] = / ON ONLY \S+ (.*)$/s.exec(definition) ?? [];
    await db.query(`create index on ${table} ${columns}`);
  }
  await db.query(`alter table ${table} add primary key (id, created_at)`);
}

/** As many keys as there are records: a new report is looked for among all of them. */
async function loadKeys(pool: Pool, records: number): Promise<void> {
  await inTransaction(pool, async (db) => {
    await db.query(unhurried);
    await db.query('alter table dashboard.transaction_key drop constraint transaction_key_pkey');
    await db.query(
      `insert into dashboard.transaction_key (reporter, dedupe_key, transaction_id)
       select 'operator', sha256(int8send(n)), n from generate_series(1, ${records}) n`,
    );
    await db.query('alter table dashboard.transaction_key add primary key (reporter, dedupe_key)');
  });
}
