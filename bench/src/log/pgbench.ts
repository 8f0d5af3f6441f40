import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '@countersign/service/logger';
import { createPool, rows, statement } from '@countersign/service/sql';
import { runLoad } from '../load.ts';
import { recordStatement } from './record-statement.ts';
import { addressSql } from './wallets.ts';

/** Something that sends one report after another over its own connections. */
export type Yardstick = {
  readonly name: string;
  readonly run: (
    callers: number,
    seconds: number,
  ) => Promise<{ readonly perSecond: number; readonly millis: number }>;
};

/** Whose mandates are charged: the first so many of those that the benchmark made. */
export type Spread = { readonly mandates: number };

/** The dashboard's own statement, sent by PostgreSQL's own load generator; where there is none, by the driver alone. */
export function yardstick(databaseUrl: string, dir: string, { mandates }: Spread): Yardstick {
  const pgbench = findPgbench();
  if (pgbench === null) return driverLoop(databaseUrl, mandates);
  const file = join(dir, `report-${mandates}.sql`);
  writeFileSync(
    file,
    `\\set who random(1, ${mandates})\n\\set hash random(1, 9000000000000000000)\n${single(':who', ':hash')};\n`,
  );
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const env = {
    PATH: process.env['PATH'],
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
  return {
    name: 'pgbench, prepared',
    async run(callers, seconds) {
      const load = ['-c', String(callers), '-j', String(Math.min(2, callers)), '-T', String(seconds)];
      const { stdout } = await promisify(execFile)(pgbench, ['-n', '-M', 'prepared', ...load, '-f', file], {
        env,
      });
      const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? [];
      const [, millis] = /latency average = ([\d.]+) ms/.exec(stdout) ?? [];
      return { perSecond: Number(perSecond), millis: Number(millis) };
    },
  };
}

/** The driver alone, one connection a caller: what there is where pgbench is not installed. */
function driverLoop(databaseUrl: string, mandates: number): Yardstick {
  const one = statement('bench.report', single('$1', '$2'));
  return {
    name: 'pg driver alone (pgbench is not installed)',
    async run(callers, seconds) {
      const pool = createPool(databaseUrl, createLogger('bench', 'warn'), callers);
      const report = async (): Promise<void> => {
        const who = 1 + Math.floor(Math.random() * mandates);
        await rows(pool, one, [who, Math.floor(Math.random() * 2 ** 52)]);
      };
      const { calls, seconds: taken, p50 } = await runLoad(report, callers, seconds);
      await pool.end();
      return { perSecond: calls / taken, millis: p50 };
    },
  };
}

/** The statement for one report: of payer and mandate number `who`, with a hash of its own. */
function single(who: string, hash: string): string {
  const fields = {
    n: '0',
    consumes: 'true',
    intent_mandate_id: `'bench-' || (${who}::int)`,
    reporter: `'operator'`,
    reported_by: `'operator'`,
    dedupe_key: `sha256(int8send(${hash}::int8))`,
    service_name: `'quotes'`,
    service_result: `'pass'`,
    chain: `'base'`,
    tx_hash: `'0x' || to_hex(${hash}::int8)`,
    amount: `'0.01'`,
    amount_exact: `'0.01'`,
    token_symbol: `'USDC'`,
    payer: addressSql(`${who}::int`),
    payee: `'${'0x'.padEnd(42, '9')}'`,
    payer_kyc_result: '1',
    payer_kyt_result: '1',
    payer_kyt_risk_level: '0',
    payee_kyc_result: '1',
    payee_kyt_result: '1',
    payee_kyt_risk_level: '0',
    metadata: `json_build_object('traceId', ${hash}::int8)`,
  };
  const report = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return recordStatement()
    .replace('$1::json', `json_build_array(json_build_object(${report.join(', ')}))`)
    .replaceAll('$2', 'now()');
}

function findPgbench(): string | null {
  const debian = '/usr/lib/postgresql';
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).findLast((path) => existsSync(path)) ?? null;
}
