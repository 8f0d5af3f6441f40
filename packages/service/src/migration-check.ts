import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { StorageConfig } from './database.ts';
import { superuser } from './postgres-cluster.ts';
import { identityOf } from './process-identity.ts';
import {
  firstRow,
  type Migration,
  type Migrations,
  type Queryable,
  readMigrations,
  rows,
  statement,
} from './sql.ts';

/**
 * The state of a database for a program. `newer`: a later release migrated it; `changed`: a migration's text
 * differs.
 */
export type MigrationState =
  | { readonly kind: 'current'; readonly applied: number }
  | { readonly kind: 'pending'; readonly names: readonly string[]; readonly isEmpty: boolean }
  | { readonly kind: 'newer' | 'changed'; readonly names: readonly string[] };

/** Compares the migrations of a program with those that a database has seen. Only reads. */
export async function checkMigrations(
  db: Queryable,
  { schema, directory }: Migrations,
): Promise<MigrationState> {
  const wanted = await readMigrations(directory);
  const table = `${schema}.schema_migration`;
  const found = await firstRow(db, exists, [table]);
  if (found?.table !== true) return { kind: 'pending', names: namesOf(wanted), isEmpty: true };
  const applied = await rows(
    db,
    statement<Applied>(`${schema}.applied`, `select name, checksum from ${table}`),
    [],
  );
  const textOf = (name: string) => wanted.find((migration) => migration.name === name)?.checksum;
  const newer = applied.filter(({ name }) => textOf(name) === undefined);
  if (newer.length > 0) return { kind: 'newer', names: namesOf(newer) };
  const changed = applied.filter(({ name, checksum }) => textOf(name) !== checksum);
  if (changed.length > 0) return { kind: 'changed', names: namesOf(changed) };
  const pending = wanted.filter(({ name }) => !applied.some((each) => each.name === name));
  return pending.length > 0
    ? { kind: 'pending', names: namesOf(pending), isEmpty: false }
    : { kind: 'current', applied: applied.length };
}

type Applied = Pick<Migration, 'name' | 'checksum'>;

const exists = statement<{ table: boolean }>(
  'migration-check.table',
  'select to_regclass($1) is not null as table',
);

const namesOf = (migrations: readonly Pick<Migration, 'name'>[]): readonly string[] =>
  migrations.map(({ name }) => name.replace(/\.sql$/, '')).toSorted();

/**
 * Looks at a database in one transaction that can only read. Of a private one only the server that runs already is asked; null where
 * none does. Throws where there is no answer within `patienceMs`.
 */
export async function readOnly<T>(
  storage: StorageConfig,
  look: (db: Queryable) => Promise<T>,
  patienceMs = 5_000,
): Promise<T | null> {
  const url = storage.kind === 'given' ? storage.url : runningIn(storage.directory);
  if (url === null) return null;
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    // The server's own limit, and ours where it does not keep to that.
    statement_timeout: patienceMs,
    query_timeout: patienceMs,
    application_name: 'countersign',
    stream: () => socket,
  });
  // A connection may be lost between two statements; the next one tells.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('begin transaction read only');
    return await look(client);
  } finally {
    // One that does not hang up is not waited for.
    await Promise.race([client.end(), setTimeout(patienceMs, null, { ref: false })]);
    socket.destroy();
  }
}

/** The URL of the private PostgreSQL that runs on a data directory of ours; null where none is ready. Changes nothing. */
function runningIn(dir: string): string | null {
  const place = join(dir, 'postgres');
  try {
    const lines = readFileSync(join(place, 'data/postmaster.pid'), 'utf8').split('\n');
    if (lines[7]?.trim() !== 'ready' || identityOf(Number(lines[0])) === null) return null;
    const password = readFileSync(join(place, 'password'), 'utf8').trim();
    return `postgres://${superuser}:${password}@127.0.0.1:${Number(lines[3])}/postgres`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
