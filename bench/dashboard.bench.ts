// the dashboard's log of ten million records: what lists, totals and reports cost, beside a naive table and pgbench
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLogger } from '@countersign/service/logger';
import { managedPostgres } from '@countersign/service/managed-postgres';
import { createPool, type Pool } from '@countersign/service/sql';
import { type Outcome, runBench } from './src/bench-command.ts';
import { type Lab, type LabOptions, withLab } from './src/lab.ts';
import { startDashboard, untilRolledUp } from './src/log/dashboard.ts';
import { loadLog, yearMs } from './src/log/load.ts';
import { loadNaive } from './src/log/naive.ts';
import { measureReads } from './src/log/reads.ts';
import { reportLog } from './src/log/report.ts';
import { measureWrites } from './src/log/writes.ts';

const help = `Usage: npm run bench -- dashboard [OPTION]...

  --rows N           how many records (default 10000000: four minutes to load, 13 GB on the disk of the temporary files)
  --rounds N         rounds of reports (default 3)
  --seconds N        length of a round (default 4)
  --no-naive         without the naive table
  --no-save          print only
`;

type Options = LabOptions & { readonly records: number; readonly withNaive: boolean; readonly save: boolean };

export const main = (args: readonly string[]): Promise<number> =>
  runBench({ name: 'dashboard', title: 'Dashboard', help, readOptions, measure }, args);

const measure = (options: Options): Promise<Outcome> =>
  withLab(options, async (lab) => {
    const data = await measureLog(lab, options);
    return { text: reportLog(data), data };
  });

async function measureLog(lab: Lab, { records, withNaive }: Options) {
  lab.say('starting PostgreSQL and the dashboard');
  const postgres = await managedPostgres({ dir: lab.dir, processes: lab.processes });
  const pool = createPool(postgres.url, createLogger('bench', 'warn'));
  const dashboard = await startDashboard(lab, postgres.url);
  try {
    const until = new Date();
    const started = performance.now();
    await loadLog(pool, { records, until, say: lab.say });
    await Promise.all([
      untilRolledUp(lab, pool, new Date(until.getTime() - yearMs), until),
      withNaive ? loadNaive(pool) : null,
    ]);
    await pool.query('vacuum (analyze) dashboard.wallet_day');
    const loadSeconds = (performance.now() - started) / 1000;
    const disk = await sizes(pool);
    const reads = await measureReads(lab, pool, dashboard, { records, until, withNaive });
    const writes = await measureWrites(lab, pool, {
      dashboard,
      databaseUrl: postgres.url,
      postgresPid: postmasterOf(lab.dir),
    });
    return { records, loadSeconds, disk, reads, writes };
  } finally {
    await dashboard.close();
    await pool.end();
  }
}

/** The first line of PostgreSQL's own lock file. */
const postmasterOf = (dir: string): number =>
  Number.parseInt(readFileSync(join(dir, 'postgres/data/postmaster.pid'), 'utf8'), 10);

/** Gigabytes of the tables with their indexes. */
async function sizes(pool: Pool): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query(
    `select n.nspname || '.' || regexp_replace(c.relname, '_(\\d{4}_\\d\\d|default)$', '') as name,
       sum(pg_total_relation_size(c.oid))::float8 / 1e9 as size
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('dashboard', 'naive') and c.relkind = 'r' group by 1 having sum(pg_total_relation_size(c.oid)) > 1e7`,
  );
  return Object.fromEntries((rows as { name: string; size: number }[]).map(({ name, size }) => [name, size]));
}

/** What is wrong with the arguments, or the options. */
function readOptions(args: readonly string[]): Options | string {
  const { values } = parseArgs({ args: [...args], options: argumentTypes });
  const records = Number(values.rows);
  if (!Number.isSafeInteger(records) || records < 10_000) return '--rows is a number from 10000 up';
  return {
    records,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    also: null,
    profileDir: values.profile ?? null,
    withNaive: !values['no-naive'],
    save: !values['no-save'],
  };
}

const argumentTypes = {
  rows: { type: 'string', default: '10000000' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '4' },
  profile: { type: 'string' },
  'no-naive': { type: 'boolean', default: false },
  'no-save': { type: 'boolean', default: false },
} as const;
