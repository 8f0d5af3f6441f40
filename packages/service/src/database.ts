import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { databaseUrl, text, type Variables } from './config.ts';
import type { Logger } from './logger.ts';
import { managedPostgres } from './managed-postgres.ts';
import { createPool, migrate, type Migrations, type Pool } from './sql.ts';

/** The location of the tables: an existing database, or a private one that we run in a directory. */
export type StorageConfig =
  | { readonly kind: 'given'; readonly url: string }
  | { readonly kind: 'managed'; readonly directory: string };

export type Database = { readonly pool: Pool; readonly close: () => Promise<void> };

/** Reads `DATABASE_URL`, or else the variable that names a directory for a private database. */
export function readStorage(from: Variables, directoryVariable: string, otherwise: string): StorageConfig {
  const directory = from.withDefault(directoryVariable, otherwise, text);
  const url = from.optional('DATABASE_URL', databaseUrl);
  return url === undefined ? { kind: 'managed', directory } : { kind: 'given', url };
}

/** Opens the database of an app, starts it first where it is ours to run, and brings its tables up to date. */
export async function openDatabase(
  storage: StorageConfig,
  app: string,
  log: Logger,
  connections?: number,
): Promise<Database> {
  const server = storage.kind === 'managed' ? await managedPostgres({ dir: storage.directory }) : null;
  const pool = createPool(storage.kind === 'managed' ? (server?.url ?? '') : storage.url, log, connections);
  const close = async () => {
    await pool.end();
    await server?.stop();
  };
  try {
    const applied = await migrate(pool, migrationsOf(app), log);
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    return { pool, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The migrations of an app, whose schema has its name, with underscores. The folder is looked for upwards, because this code runs from
 * its source and bundled in `dist`, and both lie somewhere below the repository.
 */
export function migrationsOf(app: string): Migrations {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const directory = join(folder, 'apps', app, 'migrations');
    if (existsSync(directory)) return { schema: app.replaceAll('-', '_'), directory };
    if (folder === dirname(folder))
      throw new Error(`the folder apps/${app}/migrations is missing beside this program`);
  }
}
