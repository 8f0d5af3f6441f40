import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseError, Pool, type PoolClient, TypeOverrides, types } from 'pg';
import { sayWhy } from './lifecycle.ts';
import type { Logger } from './logger.ts';

export type { Pool } from 'pg';

/** A statement of SQL with the name under which each connection prepares it once. `Row` is what it gives. */
export type Statement<Row> = { readonly name: string; readonly text: string; readonly row?: Row };

/** Whatever runs statements: the pool, or one connection inside a transaction. */
export type Queryable = Pick<Pool, 'query'> | Pick<PoolClient, 'query'>;

/** Names a statement. The name must be unique in the process, because the text is sent only once. */
export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/**
 * As a table of one row, lets a statement that stands alone be answered before it is on disk: seen by all at once, and lost
 * with the server's last moments if that is killed. For what can be lost, or is told again.
 */
export const unflushed = "(select set_config('synchronous_commit', 'off', true)) as unflushed";

/** A select list that gives a row the fields of a type, each under its name with `prefix` before it. */
export const columnsAs = (columns: Readonly<Record<string, string>>, prefix: string = ''): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} as "${prefix}${name}"`)
    .join(', ');

/** Every row that a statement gives. */
export async function rows<Row>(
  db: Queryable,
  { name, text }: Statement<Row>,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const result = await db.query({ name, text, values: [...values] });
  return result.rows as Row[];
}

/** The first row that a statement gives, or null. */
export async function firstRow<Row>(
  db: Queryable,
  what: Statement<Row>,
  values: readonly unknown[],
): Promise<Row | null> {
  return (await rows(db, what, values))[0] ?? null;
}

/** Runs `work` in one transaction on one connection; what it throws rolls everything back. */
export async function inTransaction<T>(pool: Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection may be lost between two statements. Unheard, that would end the process; the next statement tells.
  const lost = (error: Error) => {
    broken = error;
  };
  client.on('error', lost);
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back must not go back into the pool.
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
}

/**
 * Returns whether the server itself says that it has done nothing. What became of a lost connection's work
 * nobody knows.
 */
export const isUndone = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'ERROR';

/** int8 columns are counters and log ids here, far below 2^53. Money is numeric and stays text. */
const columnTypes = new TypeOverrides();
columnTypes.setTypeParser(types.builtins.INT8, Number);

/** A pool of connections. A lost idle connection is logged and replaced, not fatal. */
export function createPool(url: string, log: Logger, size: number = 10): Pool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    types: columnTypes,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    // Each statement is planned once, as it is prepared: where a table has many partitions, planning it costs more than
    // running it, and PostgreSQL would by itself plan anew for every call.
    options: '-c plan_cache_mode=force_generic_plan',
    application_name: 'countersign',
  });
  pool.on('error', (error) => log.warn({ why: sayWhy(error) }, 'an idle database connection was lost'));
  return pool;
}

/** A service's schema, and the directory of its migrations (`NNNN-name.sql`). */
export type Migrations = { readonly schema: string; readonly directory: string };

/**
 * Brings the database up to date: applies, in order of their numbers and each in a transaction of its own, the
 * migrations it has not seen. Forward only. One process at a time, by an advisory lock. Throws when a migration
 * that was applied has changed or gone since. Processes that still run on the tables may stand in the way: five tries, and the
 * first that fails so is told.
 */
export async function migrate(
  pool: Pool,
  { schema, directory }: Migrations,
  log?: Pick<Logger, 'warn'>,
): Promise<readonly string[]> {
  const wanted = await readMigrations(directory);
  const client = await pool.connect();
  try {
    // Waiting for a colleague who migrates may take longer than any query should.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table if not exists ${schema}.schema_migration
         (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query(`select name, checksum from ${schema}.schema_migration`);
    const todo = unapplied(wanted, rows as AppliedMigration[]);
    for (const migration of todo) await applyAmongOthers(client, schema, migration, log);
    return todo.map(({ name }) => name);
  } finally {
    // Closed instead of given back: that frees the lock, however this ended.
    client.release(true);
  }
}

const migrationLock = 4_021_002;

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string };
type AppliedMigration = { readonly name: string; readonly checksum: string };

/** Reads the migrations of a directory, in the order in which they are applied. */
export async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function unapplied(wanted: readonly Migration[], applied: readonly AppliedMigration[]): readonly Migration[] {
  for (const { name, checksum } of applied) {
    const file = wanted.find((migration) => migration.name === name);
    if (file === undefined)
      throw new Error(`migration ${name} was applied to the database, but this version does not know it`);
    if (file.checksum !== checksum)
      throw new Error(`migration ${name} has changed since it was applied to the database`);
  }
  return wanted.filter(({ name }) => !applied.some((migration) => migration.name === name));
}

const maxTries = 5;
/**
 * PostgreSQL's deadlock_detected and lock_not_available. Nothing was done, and the other transaction
 * continues.
 */
const inTheWay: ReadonlySet<unknown> = new Set(['40P01', '55P03']);

async function applyAmongOthers(
  client: PoolClient,
  schema: string,
  migration: Migration,
  log: Pick<Logger, 'warn'> | undefined,
): Promise<void> {
  for (let left = maxTries; ; left -= 1) {
    try {
      return await apply(client, schema, migration);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : null;
      if (left === 1 || !(cause instanceof DatabaseError && inTheWay.has(cause.code))) throw error;
      const about = { migration: migration.name, why: cause.message, tries: maxTries };
      if (left === maxTries)
        log?.warn(about, 'other processes hold the tables of a migration: it is tried again');
    }
  }
}

async function apply(client: PoolClient, schema: string, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query("set local lock_timeout = '10s'");
    await client.query(text);
    await client.query(`insert into ${schema}.schema_migration (name, checksum) values ($1, $2)`, [
      name,
      checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed: ${sayWhy(error)}`, { cause: error });
  }
}
